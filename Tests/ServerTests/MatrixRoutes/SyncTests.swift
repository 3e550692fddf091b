import Models
import Testing

@testable import Server

@Suite("Sync")
struct SyncTests {
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

    @Test("an incremental sync tells only what is new, once")
    func incremental() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann", "bob")
        let room = try await fixture.room("ann", ["bob"])
        let other = try await fixture.room("ann", ["bob"])
        let first = await fixture.sync("bob")
        try await fixture.say("ann", room, "one")

        let second = await fixture.sync("bob", "since=\(first.next)")
        let third = await fixture.sync("bob", "since=\(second.next)")

        #expect(second.texts(room) == ["one"])
        #expect(second.joined(other) == nil)
        #expect(third.isEmpty)
    }

    @Test("a parked poll is idle and is answered by the news it waits for")
    func parked() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann", "bob")
        let room = try await fixture.room("ann", ["bob"])
        let first = await fixture.sync("bob")
        fixture.activity.beginPoll("p1")
        let poll = Task {
            await fixture.sync("bob", "since=\(first.next)&timeout=30000", headers: [("X-Words-Poll", "p1")])
        }
        await fixture.activity.idle()

        try await fixture.say("ann", room, "news")
        #expect(!fixture.activity.isIdle)
        let answer = await poll.value
        fixture.activity.endPoll("p1")

        #expect(answer.texts(room) == ["news"])
        #expect(fixture.activity.isIdle)
    }
}
