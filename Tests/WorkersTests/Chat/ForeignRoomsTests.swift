import Foundation
import Models
import Testing

@testable import Workers

private func stateEvent(_ id: String, _ type: String, _ content: String) -> String {
    """
    {"event_id":"\(id)","type":"\(type)","state_key":"","sender":"@bob:words.test","origin_server_ts":1,"content":\(content)}
    """
}

private func other(_ id: String, _ type: String, _ content: String) -> String {
    #"{"event_id":"\#(id)","type":"\#(type)","sender":"@bob:words.test","origin_server_ts":1,"content":\#(content)}"#
}

/// What rooms of other people's clients bring that Words' own do not.
@Suite("Rooms that other clients have made")
struct ForeignRoomsTests {
    @Test("in an encrypted room messages stand as what cannot be shown, and none is sent, whatever has waited")
    func encrypted() async throws {
        let client = try await ConnectedWorker(first: batch("s1", timeline: [event("$1", "hi")]))
        client.service.answerSends(.failure(.network(.unreachable)))
        try await client.worker.send("before", to: lobby)

        try await client.news(
            batch(
                "s2",
                timeline: [
                    stateEvent("$2", "m.room.encryption", #"{"algorithm":"m.megolm.v1.aes-sha2"}"#),
                    other("$3", "m.room.encrypted", #"{"algorithm":"m.megolm.v1.aes-sha2","ciphertext":"x"}"#),
                ]))
        await client.advance(.seconds(60))
        try await client.worker.send("after", to: lobby)

        let reason = SendFailure.refused("the conversation is encrypted, which Words cannot do")
        #expect(await client.room?.isEncrypted == true)
        #expect(await client.room?.timeline.items.last?.content == .message(Message(kind: .encrypted, body: "")))
        #expect(await client.outgoing == [.failed(reason), .failed(reason)])
        #expect(client.transactions.count == 1)
    }

    @Test(
        "reactions and events that nobody knows are no lines; a reply is its message; an edit changes, a redaction takes"
    )
    func events() async throws {
        let client = try await ConnectedWorker()

        try await client.news(
            batch(
                "s2",
                timeline: [
                    other(
                        "$2", "m.reaction", ##"{"m.relates_to":{"rel_type":"m.annotation","event_id":"$1","key":"👍"}}"##
                    ),
                    other("$3", "org.example.unheard.of", #"{"body":"boo"}"#),
                    other(
                        "$4", "m.room.message",
                        ##"{"msgtype":"m.text","body":"yes","m.relates_to":{"m.in_reply_to":{"event_id":"$1"}}}"##),
                    other(
                        "$5", "m.room.message",
                        ##"""
                        {"msgtype":"m.text","body":"* hello","m.new_content":{"msgtype":"m.text","body":"hello"},
                        "m.relates_to":{"rel_type":"m.replace","event_id":"$1"}}
                        """##),
                    other("$6", "m.room.message", #"{"msgtype":"org.example.kind","body":"odd"}"#),
                    other("$7", "m.room.message", #"{"msgtype":"m.text"}"#),
                    other("$8", "m.room.redaction", ##"{"redacts":"$6"}"##),
                ]))

        #expect(await client.bodies == ["hello", "yes"])
    }

    @Test("who comes by in the timeline is told of, also where the state tells that they are there")
    func joinInBoth() async throws {
        let client = try await ConnectedWorker(first: batch("s1", timeline: [event("$1", "hi")]))
        let join = member("$2", UserID("@cy:words.test"), "join", name: "Cy")

        try await client.news(
            """
            {"next_batch":"s2","rooms":{"join":{"\(lobby)":{"state":{"events":[\(join)]},"timeline":{"events":[\(join)]}}}}}
            """)

        #expect(await client.room?.timeline.items.last?.content == .joined(UserID("@cy:words.test")))
        #expect(await client.room?.members[UserID("@cy:words.test")]?.displayName == "Cy")
    }

    @Test("who is in a room that moves goes along, once; the new one is among the direct chats where the old one was")
    func upgraded() async throws {
        let next = RoomID("!next:words.test")
        let client = try await ConnectedWorker(
            first: batch(
                "s1", timeline: [event("$1", "hi")],
                top:
                    #","account_data":{"events":[{"type":"m.direct","content":{"@bob:words.test":["!lobby:words.test"]}}]}"#
            ))

        let tombstone = stateEvent("$2", "m.room.tombstone", #"{"body":"moved","replacement_room":"!next:words.test"}"#)
        try await client.news(batch("s2", timeline: [tombstone]))
        try await client.news(batch("s3", timeline: [event("$3", "still here?")]))

        #expect(await client.room?.replacement == next)
        #expect(
            client.service.actions == [
                .join(next), .accountData("m.direct"),
                .setAccountData(
                    "m.direct", ["@cy:words.test": ["!old:words.test"], "@bob:words.test": ["!next:words.test"]]),
            ])
    }

    @Test("a room that has moved is looked for at the servers of those who were in the old one")
    func upgradedElsewhere() async throws {
        let client = try await ConnectedWorker(
            first: batch("s1", timeline: [member("$1", UserID("@cy:far.test"), "join", name: "Cy")]))

        let tombstone = stateEvent("$2", "m.room.tombstone", #"{"replacement_room":"!next"}"#)
        try await client.news(batch("s2", timeline: [tombstone]))

        #expect(client.service.actions == [.joinVia(["far.test"]), .join(RoomID("!next"))])
    }

    @Test("a room that moves to itself, or nowhere, or was deleted, moves nobody; nor does one who left the new room")
    func stays() async throws {
        for content in [
            #"{"replacement_room":"!lobby:words.test"}"#, #"{"replacement_room":""}"#, #"{"replacement_room":7}"#,
            #"{"replacement_room":"!next:words.test","org.words.deleted":true}"#,
        ] {
            let client = try await ConnectedWorker()

            try await client.news(batch("s2", timeline: [stateEvent("$2", "m.room.tombstone", content)]))

            #expect(!client.service.actions.contains { if case .join = $0 { true } else { false } }, "\(content)")
        }
    }

    @Test("who is kept out of the new room goes there once they are invited")
    func invitedLater() async throws {
        let next = RoomID("!next:words.test")
        let client = try await ConnectedWorker()
        client.service.fail(.join(next), .forbidden("No."))
        let tombstone = stateEvent("$2", "m.room.tombstone", #"{"replacement_room":"!next:words.test"}"#)
        try await client.news(batch("s2", timeline: [tombstone]))
        client.service.fail(.join(next), nil)

        try await client.news(
            """
            {"next_batch":"s3","rooms":{"invite":{"!next:words.test":{"invite_state":{"events":[
            {"type":"m.room.member","state_key":"@alice:words.test","sender":"@bob:words.test",
            "content":{"membership":"invite"}}]}}}}}
            """)

        #expect(client.service.actions.count { $0 == .join(next) } == 2)
    }

    @Test("what the network kept from following is followed with the next connection")
    func followsLater() async throws {
        let next = RoomID("!next:words.test")
        let client = try await ConnectedWorker()
        client.service.fail(.join(next), .network(.timedOut))
        let tombstone = stateEvent("$2", "m.room.tombstone", #"{"replacement_room":"!next:words.test"}"#)

        try await client.news(batch("s2", timeline: [tombstone]))
        client.service.fail(.join(next), nil)
        client.service.answer(.failure(.network(.unreachable)))
        await client.activity.idle()
        try client.service.answer(batch("s3"))
        await client.advance(.seconds(120))

        #expect(client.service.actions.count { $0 == .join(next) } == 2)
    }
}
