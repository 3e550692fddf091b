import Models
import Testing

@testable import Server

@Suite("Sync")
struct SyncIntegrationTests {
    @Test("a young room comes whole in the timeline of a first sync, with nothing before it")
    func first() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann", "bob")
        let room = try await fixture.room("ann", ["bob"])
        try await fixture.say("ann", room, "hello")

        let sync = await fixture.sync("bob")

        #expect(sync.answer.status == 200)
        #expect(
            sync.types(room) == [
                "m.room.create", "m.room.member", "m.room.power_levels", "m.room.join_rules",
                "m.room.history_visibility", "m.room.guest_access", "m.room.member", "m.room.message",
            ])
        #expect(sync.state(room) == [])
        #expect(sync.joined(room)?["timeline"]?["limited"] == false)
        #expect(sync.joined(room)?["summary"]?["m.heroes"] == ["@ann:ex.org"])
        #expect(sync.joined(room)?["summary"]?["m.joined_member_count"] == 2)
        #expect(sync.unread(room) == 1)
    }

    @Test("a long room is limited, with the state as it was before the timeline")
    func limited() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann")
        let room = try await fixture.room("ann", [], #"{"name":"Old"}"#)
        for number in 1...5 { try await fixture.say("ann", room, "\(number)") }
        await fixture.ask("ann", "PUT", "/rooms/\(room)/state/m.room.name/", #"{"name":"New"}"#)

        let sync = await fixture.sync("ann", #"filter={"room":{"timeline":{"limit":2}}}"#)

        #expect(sync.types(room) == ["m.room.message", "m.room.name"])
        #expect(sync.joined(room)?["timeline"]?["limited"] == true)
        #expect(sync.joined(room)?["timeline"]?["prev_batch"] != nil)
        let state = sync.joined(room)?["state"]?["events"]?.array ?? []
        #expect(state.first { $0["type"] == "m.room.name" }?["content"]?["name"] == "Old")
        #expect(sync.state(room).count == 7)
    }

    @Test("a gap tells the newest events and what else has changed")
    func gap() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann", "bob")
        let room = try await fixture.room("ann", ["bob"])
        let first = await fixture.sync("bob")
        await fixture.ask("ann", "PUT", "/rooms/\(room)/state/m.room.topic/", #"{"topic":"lost"}"#)
        await fixture.ask("ann", "PUT", "/rooms/\(room)/state/m.room.topic/", #"{"topic":"tea"}"#)
        for number in 1...5 { try await fixture.say("ann", room, "\(number)") }

        let sync = await fixture.sync("bob", #"since=\#(first.next)&filter={"room":{"timeline":{"limit":2}}}"#)

        #expect(sync.texts(room) == ["4", "5"])
        #expect(sync.joined(room)?["timeline"]?["limited"] == true)
        #expect(sync.state(room) == ["m.room.topic"])
        #expect(sync.joined(room)?["state"]?["events"]?.array?.first?["content"]?["topic"] == "tea")
        let batch = sync.joined(room)?["timeline"]?["prev_batch"]?.string ?? ""
        let page = await fixture.ask("bob", "GET", "/rooms/\(room)/messages?dir=b&limit=3&from=\(batch)")
        #expect(page.body["chunk"].bodies == ["3", "2", "1"])
        let rest = await fixture.ask(
            "bob", "GET", "/rooms/\(room)/messages?dir=b&limit=50&from=\(batch)&to=\(first.next)")
        #expect(
            rest.body["chunk"].types == [
                "m.room.message", "m.room.message", "m.room.message", "m.room.topic", "m.room.topic",
            ])
        #expect(rest.body["end"] == nil)
    }

    @Test("an incremental sync tells only what is new, and tells it again to the same token")
    func incremental() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann", "bob")
        let room = try await fixture.room("ann", ["bob"])
        let other = try await fixture.room("ann", ["bob"])
        let first = await fixture.sync("bob")
        try await fixture.say("ann", room, "one")

        let second = await fixture.sync("bob", "since=\(first.next)")
        let repeated = await fixture.sync("bob", "since=\(first.next)")
        let third = await fixture.sync("bob", "since=\(second.next)")

        #expect(second.texts(room) == ["one"])
        #expect(second.state(room) == [])
        #expect(second.joined(other) == nil)
        #expect(repeated.texts(room) == ["one"])
        #expect(third.isEmpty)
    }

    @Test("somebody who joins gets the room with its whole state")
    func joins() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann", "bob")
        let room = try await fixture.room("ann")
        for number in 1...30 { try await fixture.say("ann", room, "\(number)") }
        let first = await fixture.sync("bob")
        await fixture.ask("bob", "POST", "/join/\(room)")

        let sync = await fixture.sync("bob", "since=\(first.next)")

        #expect(sync.types(room).last == "m.room.member")
        #expect(sync.types(room).count == 20)
        #expect(sync.joined(room)?["timeline"]?["limited"] == true)
        #expect(sync.state(room).count == 6)
        #expect(sync.unread(room) == 0)
    }

    @Test("an invitation comes with what lets one decide, and its rejection as a room left")
    func invitation() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann", "bob")
        let first = await fixture.sync("bob")
        let room = try await fixture.room(
            "ann", [], #"{"name":"Plans","invite":["@bob:ex.org"],"is_direct":true}"#)

        let invited = await fixture.sync("bob", "since=\(first.next)")
        await fixture.ask("bob", "POST", "/rooms/\(room)/leave")
        let left = await fixture.sync("bob", "since=\(invited.next)")
        let after = await fixture.sync("bob", "since=\(left.next)")

        let state = invited.invited(room)?["invite_state"]?["events"]
        #expect(state.types == ["m.room.create", "m.room.name", "m.room.join_rules", "m.room.member", "m.room.member"])
        #expect(state?.array?.last?["content"]?["is_direct"] == true)
        #expect(state?.array?.last?["state_key"] == "@bob:ex.org")
        #expect(
            state?.array?.allSatisfy {
                Set($0.object?.keys.map(\.self) ?? []) == ["content", "sender", "state_key", "type"]
            } == true)
        #expect(left.invited(room) == nil)
        #expect((left.left(room)?["timeline"]?["events"]).types == ["m.room.member"])
        #expect(after.isEmpty)
    }

    @Test("leaving tells the events up to it, once; a first sync tells of it only when asked")
    func leaving() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann", "bob")
        let room = try await fixture.room("ann", ["bob"])
        let first = await fixture.sync("bob")
        try await fixture.say("ann", room, "before")
        await fixture.ask("ann", "POST", "/rooms/\(room)/kick", #"{"user_id":"@bob:ex.org","reason":"bye"}"#)
        try await fixture.say("ann", room, "after")

        let sync = await fixture.sync("bob", "since=\(first.next)")
        let next = await fixture.sync("bob", "since=\(sync.next)")
        let fresh = await fixture.sync("bob")
        let asked = await fixture.sync("bob", #"filter={"room":{"include_leave":true}}"#)

        let events = sync.left(room)?["timeline"]?["events"]
        #expect(events.types == ["m.room.message", "m.room.member"])
        #expect(events.bodies == ["before"])
        #expect(sync.joined(room) == nil)
        #expect(next.isEmpty)
        #expect(fresh.left(room) == nil)
        #expect((asked.left(room)?["timeline"]?["events"]).bodies == ["before"])
    }

    @Test("a room that is forgotten is not told of any more")
    func forgotten() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann", "bob")
        let room = try await fixture.room("ann", ["bob"])
        #expect(await fixture.ask("bob", "POST", "/rooms/\(room)/forget").code == "M_UNKNOWN")
        await fixture.ask("bob", "POST", "/rooms/\(room)/leave")
        #expect(await fixture.ask("bob", "POST", "/rooms/\(room)/forget").status == 200)

        let sync = await fixture.sync("bob", #"filter={"room":{"include_leave":true}}"#)

        #expect(sync.left(room) == nil)
        #expect(await fixture.ask("bob", "GET", "/rooms/\(room)/messages?dir=b").status == 403)
    }

    @Test("full_state tells all the state, and at once")
    func fullState() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann")
        let room = try await fixture.room("ann")
        let first = await fixture.sync("ann")

        let sync = await fixture.sync("ann", "since=\(first.next)&full_state=true&timeout=30000")

        #expect(sync.state(room).count == 6)
        #expect(sync.types(room) == [])
    }

    @Test(
        "a token that cannot be read is refused as unknown",
        arguments: ["x", "s", "s1", "s1_2", "s1_2_x", "s-1_0_0", "p", "s99999999999999999999_0_0"])
    func badToken(token: String) async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann")

        let answer = await fixture.ask("ann", "GET", "/sync?since=\(token)")

        #expect(answer.status == 400)
        #expect(answer.code == "M_UNKNOWN")
    }

    @Test("unread messages are those of others after one's receipt, and calls by name stand out")
    func unread() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann", "bob")
        let room = try await fixture.room("ann", ["bob"])
        try await fixture.say("ann", room, "one")
        let second = try await fixture.say("ann", room, "two")
        try await fixture.say("bob", room, "mine")
        let third = try await fixture.say("ann", room, "hello bob!")
        try await fixture.say("ann", room, "bobsleigh")

        let before = await fixture.sync("bob")
        await fixture.ask("bob", "POST", "/rooms/\(room)/receipt/m.read/\(second)", "{}")
        let after = await fixture.sync("bob", "since=\(before.next)")
        await fixture.ask("bob", "POST", "/rooms/\(room)/read_markers", #"{"m.read.private":"\#(third)"}"#)
        let quiet = await fixture.sync("bob", "since=\(after.next)")

        #expect(before.unread(room) == 4)
        #expect(before.joined(room)?["unread_notifications"]?["highlight_count"] == 1)
        #expect(after.unread(room) == 2)
        #expect(quiet.unread(room) == 1)
        #expect(quiet.joined(room)?["unread_notifications"]?["highlight_count"] == 0)
    }

    @Test("state and edits are not unread")
    func notUnread() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann", "bob")
        let room = try await fixture.room("ann", ["bob"])
        await fixture.ask("ann", "PUT", "/rooms/\(room)/state/m.room.name", #"{"name":"New"}"#)
        await fixture.ask(
            "ann", "PUT", "/rooms/\(room)/send/m.room.message/e1",
            #"{"body":"* x","m.relates_to":{"rel_type":"m.replace","event_id":"$1"}}"#)

        #expect(await fixture.sync("bob").unread(room) == 0)
    }

    @Test("tokens stay good when the server starts again")
    func restart() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann", "bob")
        let room = try await fixture.room("ann", ["bob"])
        let first = await fixture.sync("bob")
        try await fixture.say("ann", room, "one")
        await fixture.close()

        let reopened = try ChatFixture(folder: fixture.folder, clock: fixture.clock)
        let second = await reopened.sync("bob", "since=\(first.next)")
        await reopened.ask("ann", "PUT", "/rooms/\(room)/typing/@ann:ex.org", #"{"typing":true}"#)
        let third = await reopened.sync("bob", "since=\(second.next)")

        #expect(second.texts(room) == ["one"])
        #expect(third.texts(room) == [])
        #expect(third.typing(room) == ["@ann:ex.org"])
    }

    @Test("the same event is encoded once for all who receive it")
    func encodedOnce() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann", "bob", "cy")
        let room = try await fixture.room("ann", ["bob", "cy"])
        let id = try await fixture.say("ann", room, "hi")
        _ = await fixture.sync("bob")

        let (one, other) = try await fixture.chat.read { events in
            let position = try events.connection.event(EventID(id), in: RoomID(room))?.position ?? 0
            return (try events.event(at: position), try events.event(at: position))
        }

        #expect(one != nil)
        #expect(one === other)
    }
}
