import Foundation
import JSONMutations
import Models
import Testing

@Suite("MatrixShapes")
struct MatrixShapesTests {
    private static let sync = """
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

    private func decoded(_ text: String) throws -> MatrixShapes.Sync {
        try JSONDecoder().decode(MatrixShapes.Sync.self, from: Data(text.utf8))
    }

    @Test("a whole batch is read")
    func whole() throws {
        let sync = try decoded(Self.sync)

        let room = try #require(sync.join["!r:b"])
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
        #expect(sync.invite["!i:b"]?.state.first?.content.name == "Plans")
        #expect(sync.leave.keys.contains("!l:b"))
        #expect(sync.account_data.first?.content["@a:b"] == ["!r:b"])
        #expect(sync.presence.first?.content.currently_active == true)
    }

    @Test("nothing but the position is needed")
    func least() throws {
        #expect(try decoded(#"{"next_batch":"s"}"#).join.isEmpty)
        #expect(try decoded(#"{"next_batch":"s","rooms":null,"presence":[],"account_data":7}"#).join.isEmpty)
        #expect(throws: (any Error).self) { try decoded("{}") }
        #expect(throws: (any Error).self) { try decoded(#"{"next_batch":7}"#) }
    }

    @Test("what is unreadable is left out and spoils nothing beside it")
    func lenient() throws {
        let sync = try decoded(
            """
            {"next_batch":"s","rooms":{"join":{"!bad:b":7,"!r:b":{"timeline":{"events":[null,7,{"type":7},{},\
            {"type":"m.x","content":[],"sender":8,"origin_server_ts":"now","unsigned":3},{"type":"m.y"}],\
            "limited":"yes"}}}}}
            """)

        #expect(sync.join.keys.sorted() == ["!r:b"])
        #expect(sync.join["!r:b"]?.timeline.events.map(\.type) == ["m.x", "m.y"])
        #expect(sync.join["!r:b"]?.timeline.limited == false)
    }

    @Test("each place of a batch may be anything: it is read or refused, never a crash", arguments: 0..<4)
    func mutations(part: Int) throws { #expect(try Self.readable(Mutations.few, in: part) > 60) }

    /// How many of the batches can be read that have one of `values` in one place; of every fourth place only.
    static func readable(_ values: [String], in part: Int) throws -> Int {
        let document = try JSONValue(parsing: Data(sync.utf8))
        return Mutations.all(of: document, values: values).enumerated()
            .count {
                $0.offset % 4 == part && (try? JSONDecoder().decode(MatrixShapes.Sync.self, from: $0.element)) != nil
            }
    }
}

@Suite("MatrixShapes, at length")
struct MatrixShapesSoakTests {
    // Only the position and the document itself are needed.
    @Test("each place of a batch may be anything: it is read or refused, never a crash")
    func mutations() throws {
        #expect(try (0..<4).map { try MatrixShapesTests.readable(Mutations.plain, in: $0) }.reduce(0, +) > 500)
    }
}
