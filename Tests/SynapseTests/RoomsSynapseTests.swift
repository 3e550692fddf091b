import Foundation
import Models
import Testing
import Workers

/// What other clients bring into rooms, and what a real server does to them.
@Suite("Rooms on Synapse", .enabled(if: Synapse.isThere))
struct RoomsSynapseTests {
    private struct Two {
        var alice: Person
        var bob: Person
        var other: OtherClient
        var room: RoomID
        /// As part of a path.
        var path: String { "rooms/\(room.raw.replacing("!", with: "%21").replacing(":", with: "%3A"))" }
    }

    /// Alice with her app, Bob with his and another client besides, in their room of two.
    private func two() async throws -> Two {
        let alice = try await Person.newcomer("Alice")
        let bob = try await Person.newcomer("Bob")
        let contact = try await alice.users.addContact(bob.userName)
        await alice.settle()
        await bob.settle()
        await alice.settle()
        return Two(alice: alice, bob: bob, other: try await OtherClient(of: bob), room: contact.room.id)
    }

    private func said(_ two: Two) async throws -> [String] {
        await two.alice.settle()
        return try await two.alice.bodies(two.room).filter { $0 != "?" }
    }

    @Test("edits, replies, reactions, redactions and events that nobody knows are shown sensibly")
    func events() async throws {
        let two = try await two()
        func send(_ number: Int, _ type: String, _ content: JSONValue) async throws -> String {
            try #require(
                try await two.other.call("PUT", "\(two.path)/send/\(type)/\(number)", content)["event_id"]?.string)
        }
        let first = try await send(1, "m.room.message", ["msgtype": "m.text", "body": "frist"])
        let gone = try await send(2, "m.room.message", ["msgtype": "m.text", "body": "gone"])
        _ = try await send(
            3, "m.room.message",
            [
                "msgtype": "m.text", "body": "* first", "m.new_content": ["msgtype": "m.text", "body": "first"],
                "m.relates_to": ["rel_type": "m.replace", "event_id": .string(first)],
            ])
        _ = try await send(
            4, "m.reaction", ["m.relates_to": ["rel_type": "m.annotation", "event_id": .string(first), "key": "👍"]])
        _ = try await send(
            5, "m.room.message",
            ["msgtype": "m.text", "body": "a reply", "m.relates_to": ["m.in_reply_to": ["event_id": .string(first)]]])
        _ = try await send(6, "org.example.unheard.of", ["body": "boo"])
        let id = gone.replacing("$", with: "%24")
        try await two.other.call("PUT", "\(two.path)/redact/\(id)/7", [:])

        #expect(try await said(two) == ["first", "a reply"])
        Interoperability.note(
            "edits, replies, reactions, redactions, unknown events of other clients",
            "edits and redactions are carried out, replies are messages, reactions and unknown events are no lines")
    }

    @Test("in an encrypted room it is said that messages cannot be shown, and nothing is sent")
    func encrypted() async throws {
        let two = try await two()
        try await two.other.call(
            "PUT", "\(two.path)/state/m.room.encryption", ["algorithm": "m.megolm.v1.aes-sha2"])
        try await two.other.call(
            "PUT", "\(two.path)/send/m.room.encrypted/1",
            [
                "algorithm": "m.megolm.v1.aes-sha2", "ciphertext": "AwgA", "device_id": "D", "sender_key": "k",
                "session_id": "s",
            ])
        await two.alice.settle()

        try await two.alice.chat.send("plain words", to: two.room)
        await two.alice.settle()

        let room = try await two.alice.room(two.room)
        #expect(room.isEncrypted)
        #expect(room.timeline.items.last?.content == .message(Message(kind: .encrypted, body: "")))
        #expect(
            room.timeline.outgoing.map(\.state)
                == [.failed(.refused("the conversation is encrypted, which Words cannot do"))])
        let again = try two.alice.again()
        guard case .valid(let session) = await again.users.resume() else {
            Issue.record("not resumed")
            return
        }
        await again.chat.connect(session)
        await again.settle()
        #expect(try await again.room(two.room).isEncrypted)
        Interoperability.note(
            "encrypted rooms", "said plainly: messages cannot be shown, none is sent; also after a restart")
    }

    @Test("a room that is upgraded is followed, and stays the contact's")
    func upgrade() async throws {
        let two = try await two()

        let answer = try await two.other.call("POST", "\(two.path)/upgrade", ["new_version": "11"])
        let next = RoomID(try #require(answer["replacement_room"]?.string))
        let path = "rooms/\(next.raw.replacing("!", with: "%21").replacing(":", with: "%3A"))"
        await two.alice.settle()
        try await two.other.call("POST", "\(path)/invite", ["user_id": .string(try await two.alice.id.raw)])
        for person in [two.alice, two.bob, two.alice] { await person.settle() }

        #expect(try await two.alice.room(two.room).replacement == next)
        #expect(try await two.alice.room(next).membership == .join)
        #expect(try await two.alice.users.contacts().map(\.room.id) == [next])
        try await two.alice.chat.send("in the new room", to: next)
        await two.bob.settle()
        #expect(try await two.bob.bodies(next).last == "in the new room")
        Interoperability.note("room upgrades", "followed, at once or with the invitation; the contact goes along")
    }

    @Test("what was said while one was away comes whole, once and in order, however much it was")
    func gap() async throws {
        let two = try await two()
        await two.alice.chat.disconnect()
        let wanted = (1...60).map { "message \($0)" }
        for (number, body) in wanted.enumerated() {
            try await two.other.call(
                "PUT", "\(two.path)/send/m.room.message/\(number)", ["msgtype": "m.text", "body": .string(body)])
        }
        let again = try two.alice.again()
        guard case .valid(let session) = await again.users.resume() else {
            Issue.record("not resumed")
            return
        }

        await again.chat.connect(session)
        await again.settle()
        await again.chat.open(two.room)

        #expect(try await again.bodies(two.room).filter { $0 != "?" } == wanted)
        Interoperability.note(
            "gaps: 60 messages while offline, 20 at most in one answer", "filled, in order, none twice")
    }
}
