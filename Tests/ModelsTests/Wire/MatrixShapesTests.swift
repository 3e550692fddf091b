import Foundation
import Models
import Testing

@Suite("MatrixShapes")
struct MatrixShapesTests {
    static let sync = """
        {"next_batch":"s42","rooms":{"join":{"!r:b":{"timeline":{"events":[{"event_id":"$1","type":"m.room.message",\
        "sender":"@a:b","origin_server_ts":1700000000000,"content":{"msgtype":"m.text","body":"hi",\
        "m.relates_to":{"rel_type":"m.replace","event_id":"$0"},"m.new_content":{"msgtype":"m.text","body":"ho"}},\
        "unsigned":{"age":4,"transaction_id":"t1"}},{"event_id":"$2","type":"m.room.member","state_key":"@a:b",\
        "sender":"@a:b","content":{"membership":"join"},"unsigned":{"prev_content":{"membership":"invite"}}}],\
        "limited":true,"prev_batch":"p31"},"state":{"events":[]},"ephemeral":{"events":[{"type":"m.typing",\
        "content":{"user_ids":["@a:b"]}},{"type":"m.receipt","content":{"$1":{"m.read":{"@a:b":{"ts":1}}}}}]},\
        "summary":{"m.heroes":["@a:b"],"m.joined_member_count":2,"m.invited_member_count":0},\
        "unread_notifications":{"notification_count":1,"highlight_count":0}}},"invite":{"!i:b":{"invite_state":\
        {"events":[{"type":"m.room.name","state_key":"","sender":"@a:b","content":{"name":"Plans"}}]}}},\
        "leave":{"!l:b":{"timeline":{"events":[]},"state":{"events":[]}}}},"account_data":{"events":[\
        {"type":"m.direct","content":{"@a:b":["!r:b"]}}]},"presence":{"events":[{"type":"m.presence",\
        "sender":"@a:b","content":{"presence":"online","currently_active":true,"last_active_ago":10}}]}}
        """

    private func decoded(_ text: String) throws -> (sync: MatrixShapes.Sync, rooms: MatrixShapes.SyncRooms) {
        let sync = try #require(MatrixShapes.Sync(Data(text.utf8)))
        return (sync, sync.parts().first.map { sync.rooms(in: $0) } ?? MatrixShapes.SyncRooms())
    }

    @Test("a whole batch is read")
    func whole() throws {
        let (sync, rooms) = try decoded(Self.sync)

        let room = try #require(rooms.joined.first { $0.id.raw == "!r:b" }?.news)
        let message = try #require(room.timeline.events.first)
        #expect(sync.next_batch == "s42")
        #expect(message.transaction_id == TransactionID("t1"))
        #expect(message.origin_server_ts == Timestamp(milliseconds: 1_700_000_000_000))
        #expect(message.content.relates_to?.rel_type == "m.replace")
        #expect(message.content.new_content?.body == "ho")
        #expect(room.timeline.events.last?.prev_content?.membership == .invite)
        #expect(room.timeline.limited && room.timeline.prev_batch == "p31")
        #expect(room.heroes == [UserID("@a:b")])
        #expect(room.joinedCount == 2 && room.invitedCount == 0 && room.notificationCount == 1)
        #expect(room.receipts.map(\.type) == ["m.receipt"])
        #expect(rooms.invited.first?.news.state.first?.content.name == "Plans")
        #expect(rooms.left.map(\.id.raw) == ["!l:b"])
        #expect(sync.account_data.first?.content["@a:b"] == ["!r:b"])
        #expect(sync.presence.first?.content.currently_active == true)
    }

    @Test("nothing but the position is needed")
    func least() throws {
        #expect(try decoded(#"{"next_batch":"s"}"#).rooms.ids.isEmpty)
        #expect(try decoded(#"{"next_batch":"s","rooms":null,"presence":[],"account_data":7}"#).rooms.ids.isEmpty)
        #expect(MatrixShapes.Sync(Data("{}".utf8)) == nil)
        #expect(MatrixShapes.Sync(Data(#"{"next_batch":7}"#.utf8)) == nil)
    }

    @Test("what is unreadable is left out and spoils nothing beside it")
    func lenient() throws {
        let rooms = try decoded(
            """
            {"next_batch":"s","rooms":{"join":{"!bad:b":7,"!r:b":{"timeline":{"events":[null,7,{"type":7},{},\
            {"type":"m.x","content":[],"sender":8,"origin_server_ts":"now","unsigned":3},{"type":"m.y"}],\
            "limited":"yes"}}}}}
            """
        ).rooms

        #expect(rooms.joined.map(\.id.raw) == ["!r:b"])
        #expect(rooms.joined.first?.news.timeline.events.map(\.type) == ["m.x", "m.y"])
        #expect(rooms.joined.first?.news.timeline.limited == false)
    }
}
