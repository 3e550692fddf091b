import Models
import Testing

@testable import Server

@Suite("Filtered sync")
struct SyncFilteringIntegrationTests {
    @Test("lazily loaded members are those who speak, oneself, and those the room is named by")
    func lazy() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann", "bob", "cy", "dan", "eve", "fay", "gus", "hal")
        let room = try await fixture.room("ann", ["bob", "cy", "dan", "eve", "fay", "gus", "hal"])
        try await fixture.say("hal", room, "hi")

        let sync = await fixture.sync(
            "bob", #"filter={"room":{"timeline":{"limit":1},"state":{"lazy_load_members":true}}}"#)
        try await fixture.say("gus", room, "ho")
        let next = await fixture.sync(
            "bob", #"since=\#(sync.next)&filter={"room":{"state":{"lazy_load_members":true}}}"#)

        func members(_ sync: Synced) -> [String] {
            (sync.joined(room)?["state"]?["events"]?.array ?? []).filter { $0["type"] == "m.room.member" }
                .compactMap { $0["state_key"]?.string }
        }
        #expect(members(sync) == ["ann", "bob", "cy", "dan", "eve", "fay", "hal"].map { "@\($0):ex.org" })
        #expect(sync.state(room).count == 12)
        #expect(members(next) == ["@gus:ex.org"])
        #expect(next.texts(room) == ["ho"])
    }

    @Test("filters let through what they name, by id and inline alike")
    func filters() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann", "bob")
        let room = try await fixture.room("ann", ["bob"])
        let other = try await fixture.room("ann", ["bob"])
        try await fixture.say("ann", room, "a")
        try await fixture.say("bob", room, "b")
        let filter = """
            {"presence":{"types":[]},"account_data":{"types":[]},"room":{"not_rooms":["\(other)"],"state":{"types":[]},\
            "timeline":{"types":["m.room.m*"],"not_types":["m.room.member"],"senders":["@bob:ex.org"]}}}
            """
        let id = await fixture.ask("ann", "POST", "/user/@ann:ex.org/filter", filter).body["filter_id"]?.string ?? ""
        let same = await fixture.ask("ann", "POST", "/user/@ann:ex.org/filter", filter).body["filter_id"]?.string

        let byID = await fixture.sync("ann", "filter=\(id)")
        let inline = await fixture.sync("ann", "filter=\(filter)")

        #expect(id == same)
        #expect(id.hasPrefix("{") == false)
        for sync in [byID, inline] {
            #expect(sync.texts(room) == ["b"])
            #expect(sync.types(room) == ["m.room.message"])
            #expect(sync.state(room) == [])
            #expect(sync.joined(other) == nil)
            #expect(sync.answer.body["presence"] == nil)
            #expect(sync.answer.body["account_data"] == nil)
        }
        #expect(
            await fixture.ask("ann", "GET", "/user/@ann:ex.org/filter/\(id)").body["room"]?["not_rooms"] == [
                .string(other)
            ])
        #expect(await fixture.ask("bob", "GET", "/user/@ann:ex.org/filter/\(id)").status == 403)
        #expect(await fixture.ask("bob", "GET", "/sync?filter=\(id)").code == "M_INVALID_PARAM")
    }

    @Test("state that a filter keeps out of the timeline is told as state")
    func filteredState() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann")
        let room = try await fixture.room("ann")
        let filter = #"{"room":{"timeline":{"types":["m.room.message"]}}}"#
        let first = await fixture.sync("ann", "filter=\(filter)")
        await fixture.ask("ann", "PUT", "/rooms/\(room)/state/m.room.name", #"{"name":"New"}"#)

        let sync = await fixture.sync("ann", "since=\(first.next)&filter=\(filter)")

        #expect(sync.types(room) == [])
        #expect(sync.state(room) == ["m.room.name"])
    }

    @Test("event fields are cut down to those asked for")
    func fields() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann")
        let room = try await fixture.room("ann")
        try await fixture.say("ann", room, "hi")

        let sync = await fixture.sync("ann", #"filter={"event_fields":["type","content.body"]}"#)

        let last = sync.joined(room)?["timeline"]?["events"]?.array?.last
        #expect(last == ["type": "m.room.message", "content": ["body": "hi"]])
    }
}
