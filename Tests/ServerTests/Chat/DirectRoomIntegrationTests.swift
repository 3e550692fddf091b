import Models
import Testing

@testable import Server

@Suite("Direct rooms")
struct DirectRoomIntegrationTests {
    private let ann = UserID("@ann:ex.org")
    private let bob = UserID("@bob:ex.org")

    private func chat() async throws -> ChatFixture {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann", "bob")
        return fixture
    }

    @Test("two people share one room for ever, both in it and both knowing whose it is")
    func once() async throws {
        let fixture = try await chat()

        let room = try await fixture.chat.enterDirectRoom(ann, with: bob)
        let again = try await fixture.chat.enterDirectRoom(bob, with: ann)

        #expect(room == again)
        #expect(fixture.chat.record(of: ann, in: room)?.membership == .join)
        #expect(fixture.chat.record(of: bob, in: room)?.membership == .join)
        for (one, other) in [("ann", "bob"), ("bob", "ann")] {
            let map = await fixture.ask(one, "GET", "/user/@\(one):ex.org/account_data/m.direct").body
            #expect(map == [:] || map == .object(["@\(other):ex.org": [.string(room.raw)]]))
            #expect(map["@\(other):ex.org"] == [.string(room.raw)])
        }
    }

    @Test("a map that is there already is added to")
    func merges() async throws {
        let fixture = try await chat()
        await fixture.ask("ann", "PUT", "/user/@ann:ex.org/account_data/m.direct", #"{"@cy:ex.org":["!x:ex.org"]}"#)

        let room = try await fixture.chat.enterDirectRoom(ann, with: bob)

        let map = await fixture.ask("ann", "GET", "/user/@ann:ex.org/account_data/m.direct").body
        #expect(map == ["@cy:ex.org": ["!x:ex.org"], "@bob:ex.org": [.string(room.raw)]])
    }

    @Test("the other person's poll hears of the new room at once")
    func news() async throws {
        let fixture = try await chat()
        let first = await fixture.sync("bob")

        let room = try await fixture.chat.enterDirectRoom(ann, with: bob)

        let sync = await fixture.sync("bob", "since=\(first.next)")
        #expect(sync.joined(room.raw)?["summary"]?["m.heroes"] == ["@ann:ex.org"])
        #expect((sync.answer.body["account_data"]?["events"]).types == ["m.direct"])
    }

    @Test("sending to somebody who has left is refused, saying so")
    func left() async throws {
        let fixture = try await chat()
        let room = try await fixture.chat.enterDirectRoom(ann, with: bob)

        try await fixture.chat.leaveDirectRoom(room, bob)
        let answer = await fixture.ask("ann", "PUT", "/rooms/\(room)/send/m.room.message/t1", #"{"body":"hi"}"#)

        #expect(answer.status == 403)
        #expect(answer.error == "Bob has left this conversation.")
        #expect(await fixture.ask("bob", "GET", "/user/@bob:ex.org/account_data/m.direct").body == [:])
    }

    @Test("whoever removed somebody is only invited when added again, and comes back by adding them")
    func again() async throws {
        let fixture = try await chat()
        let room = try await fixture.chat.enterDirectRoom(ann, with: bob)
        try await fixture.chat.leaveDirectRoom(room, bob)

        let same = try await fixture.chat.enterDirectRoom(ann, with: bob)
        let invited = fixture.chat.record(of: bob, in: room)?.membership
        _ = try await fixture.chat.enterDirectRoom(bob, with: ann)

        #expect(same == room)
        #expect(invited == .invite)
        #expect(fixture.chat.record(of: bob, in: room)?.membership == .join)
    }

    @Test("somebody blocked can neither write nor invite, and is told why")
    func blocked() async throws {
        let fixture = try await chat()
        let room = try await fixture.chat.enterDirectRoom(ann, with: bob)
        let other = try await fixture.room("ann", [], "{}")
        try await fixture.block("ann", by: "bob")

        let sent = await fixture.ask("ann", "PUT", "/rooms/\(room)/send/m.room.message/t1", #"{"body":"hi"}"#)
        let invited = await fixture.ask("ann", "POST", "/rooms/\(other)/invite", #"{"user_id":"@bob:ex.org"}"#)
        let reverse = await fixture.ask("bob", "PUT", "/rooms/\(room)/send/m.room.message/t1", #"{"body":"hi"}"#)

        #expect(sent.status == 403)
        #expect(sent.error == "Bob does not take messages from you.")
        #expect(invited.status == 403)
        #expect(reverse.status == 200)
        await #expect(throws: MatrixError.self) { _ = try await fixture.chat.enterDirectRoom(ann, with: bob) }
    }

    @Test("somebody blocked cannot write by other means either: names, topics, state, typing, reasons")
    func blockedOtherwise() async throws {
        let fixture = try await chat()
        let room = try await fixture.chat.enterDirectRoom(ann, with: bob)
        let said = try await fixture.say("ann", room.raw, "hi", transaction: "t1")
        try await fixture.block("ann", by: "bob")
        let before = await fixture.sync("bob")

        let own = #"{"membership":"join","displayname":"insult"}"#
        for (path, body) in [
            ("/state/m.room.name", #"{"name":"insult"}"#), ("/state/m.room.topic", #"{"topic":"insult"}"#),
            ("/state/x.note/", #"{"x":"insult"}"#), ("/state/m.room.member/@ann:ex.org", own),
        ] {
            let answer = await fixture.ask("ann", "PUT", "/rooms/\(room)\(path)", body)
            #expect(answer.status == 403, "\(path)")
        }
        await fixture.ask("ann", "PUT", "/rooms/\(room)/typing/@ann:ex.org", #"{"typing":true,"timeout":9000}"#)
        let typed = await fixture.sync("bob", "since=\(before.next)")
        let taken = await fixture.ask("ann", "PUT", "/rooms/\(room)/redact/\(said)/t2", #"{"reason":"insult"}"#)
        let left = await fixture.ask("ann", "POST", "/rooms/\(room)/leave", #"{"reason":"insult"}"#)
        let after = await fixture.sync("bob", "since=\(before.next)")

        #expect(typed.joined(room.raw) == nil)
        #expect(taken.status == 200)
        #expect(left.status == 200)
        #expect(after.joined(room.raw) != nil)
        #expect(!String(decoding: after.answer.bytes, as: UTF8.self).contains("insult"))
    }

    @Test("one of two people can neither bring in others nor open to them what both have said")
    func closed() async throws {
        let fixture = try await chat()
        try await fixture.addPeople("cy")
        let room = try await fixture.chat.enterDirectRoom(ann, with: bob)
        let cy = #"{"user_id":"@cy:ex.org"}"#

        for (method, path, body) in [
            ("POST", "/rooms/\(room)/invite", cy),
            ("PUT", "/rooms/\(room)/state/m.room.member/@cy:ex.org", #"{"membership":"invite"}"#),
            ("PUT", "/rooms/\(room)/state/m.room.join_rules", #"{"join_rule":"public"}"#),
            ("PUT", "/rooms/\(room)/state/m.room.history_visibility", #"{"history_visibility":"world_readable"}"#),
            ("PUT", "/directory/list/room/\(room)", #"{"visibility":"public"}"#),
        ] {
            let answer = await fixture.ask("ann", method, path, body)
            #expect(answer.status == 403, "\(path)")
        }
        #expect(await fixture.ask("ann", "PUT", "/rooms/\(room)/state/m.room.name", #"{"name":"us"}"#).status == 200)
        #expect(await fixture.ask("cy", "POST", "/join/\(room)").error == "You are not invited to this room.")
    }

    @Test("a repeat of a message that was sent before the other left still gives its event")
    func repeated() async throws {
        let fixture = try await chat()
        let room = try await fixture.chat.enterDirectRoom(ann, with: bob)
        let sent = try await fixture.say("ann", room.raw, "hi", transaction: "t1")
        try await fixture.chat.leaveDirectRoom(room, bob)

        #expect(try await fixture.say("ann", room.raw, "hi", transaction: "t1") == sent)
    }
}
