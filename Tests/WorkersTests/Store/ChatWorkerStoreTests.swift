import Foundation
import Models
import Testing

@testable import Workers

@Suite("A chat worker and what is stored")
struct ChatWorkerStoreTests {
    private func first(_ next: String = "s1") -> String { batch(next, timeline: [event("$1", "hi")]) }

    @Test("a resumed session shows its rooms before the network answers, then syncs from the stored position")
    func resumed() async throws {
        let client = StoredClient()
        _ = try await client.run(
            batch(
                "s1", timeline: [event("$1", "hi")], state: [member("$0", bob, "join", name: "Bob")],
                more: #","unread_notifications":{"notification_count":2}"#,
                top:
                    #","account_data":{"events":[{"type":"m.direct","content":{"@bob:words.test":["!lobby:words.test"]}}]}"#
            ))

        let second = await client.launch()
        let connecting = Task { await second.worker.connect(session()) }
        while await second.heard.updates.isEmpty { await Task.yield() }
        let shown = try #require(await second.heard.updates.first?.state)
        try second.service.answer(batch("s2", timeline: [event("$2", "again")]))
        await connecting.value
        await second.activity.idle()

        #expect(shown.hasSynced && shown.connection == .connecting)
        #expect(shown.rooms[lobby]?.timeline.items.map(\.text) == ["hi"])
        #expect(shown.rooms[lobby]?.unreadCount == 2)
        #expect(shown.rooms[lobby]?.members[bob]?.displayName == "Bob")
        #expect(shown.directRooms == [bob: [lobby]])
        #expect(second.service.polls.first == .sync(since: "s1", hold: .zero))
        #expect(await second.bodies == ["hi", "again"])
    }

    @Test("going offline waits for the batch that is being written")
    func quick() async throws {
        let client = StoredClient()
        let gate = Gate()
        let run = await client.launch { HeldStores($0, gate) }
        await gate.shut()
        try run.service.answer(first())
        await run.worker.connect(session())
        await gate.arrival()

        let ending = Task { await run.worker.disconnect() }
        for _ in 0..<1_000 { await Task.yield() }
        let early = run.service.calls.contains(.presence(.offline))
        await gate.open()
        await ending.value

        #expect(!early)
        #expect(run.service.calls.contains(.presence(.offline)))
        #expect(try await client.stored().position == "s1")
    }

    @Test("with the server down the stored rooms are there and say that they are not current")
    func offline() async throws {
        let client = StoredClient()
        _ = try await client.run(first())

        let second = await client.launch()
        await second.connectOffline()
        await second.worker.open(lobby)

        #expect(await second.bodies == ["hi"])
        guard case .offline(reason: .unreachable, _) = await second.state?.connection else {
            Issue.record("claims to be online")
            return
        }
    }

    @Test("the same batch again after a restart changes nothing")
    func repeated() async throws {
        let client = StoredClient()
        let batches = batch(
            "s1", timeline: [event("$1", "hi"), event("$2", "ho"), member("$3", bob, "join", name: "Bob")],
            state: [member("$0", alice, "join", name: "Alice")])
        _ = try await client.run(batches)

        let second = try await client.run(batches)

        #expect(await second.bodies == ["hi", "ho", "@bob:words.test joined"])
        let third = await client.launch()
        await third.connectOffline()
        await third.worker.open(lobby)
        #expect(await third.bodies == ["hi", "ho", "@bob:words.test joined"])
    }

    @Test("the position moves on the disk with its batch, never before it")
    func position() async throws {
        let client = StoredClient()
        let gate = Gate()
        let run = await client.launch { HeldStores($0, gate) }
        try run.service.answer(first())
        await run.worker.connect(session())
        await run.activity.idle()
        await gate.shut()

        try run.service.answer(batch("s2", timeline: [event("$2", "ho")]))
        await gate.arrival()
        let before = try await client.stored()
        await gate.open()
        await run.activity.idle()
        let after = try await client.stored()

        #expect(before.position == "s1" && before.rooms.first?.timeline.items.map(\.text) == ["hi"])
        #expect(after.position == "s2" && after.rooms.first?.timeline.items.map(\.text) == ["ho"])
        for changes in await gate.saves where changes.position != nil { #expect(!changes.rooms.isEmpty) }
    }

    @Test("a batch that could not be stored is stored with its position later; the screen says so meanwhile")
    func failing() async throws {
        let client = StoredClient()
        let run = try await client.run(first())

        client.failWrites(diskFull)
        try await run.news(batch("s2", timeline: [event("$2", "ho")]))
        let fault = await run.state?.storageFault
        let meanwhile = try await client.stored().position
        client.mendWrites()
        await run.advance(.seconds(2))

        #expect(fault?.contains("The disk is full") == true)
        #expect(meanwhile == "s1")
        #expect(await run.state?.storageFault == nil)
        #expect(try await client.stored().position == "s2")
        #expect(try await client.stored().rooms.first?.timeline.items.map(\.text) == ["ho"])
        #expect(await run.bodies == ["hi", "ho"])
        #expect(await run.heard.updates.contains { $0.changes.contains(.storage) })
    }

    @Test("whether people are there is not claimed before the first batch, and is right after it")
    func presence() async throws {
        let client = StoredClient()
        _ = try await client.run(
            batch(
                "s1", timeline: [event("$1", "hi")],
                top: """
                    ,"presence":{"events":[{"type":"m.presence","sender":"@bob:words.test",\
                    "content":{"presence":"online","currently_active":true}}]}
                    """))

        let second = await client.launch()
        await second.connectOffline()
        let before = await second.state?.presences[bob]
        try second.service.answer(#"{"next_batch":"s2"}"#)
        await second.advance(.seconds(2))

        #expect(before == Presence(state: .offline, lastActiveAt: start))
        #expect(await second.state?.presences[bob] == Presence(state: .online, lastActiveAt: start))
    }

    @Test("what is stored above the newest part comes page by page without a network")
    func older() async throws {
        let client = StoredClient()
        let events = (1...400).map { event("$\($0)", "m\($0)") }
        _ = try await client.run(batch("s1", timeline: events))
        let second = await client.launch()
        await second.connectOffline()
        await second.worker.open(lobby)
        let opened = await second.bodies.count

        while try await second.worker.loadOlder(in: lobby) {}

        #expect(opened == SQLiteClientStore.itemsAtOnce)
        #expect(await second.bodies == (1...400).map { "m\($0)" })
        #expect(second.service.actions.isEmpty)
    }

    @Test("an edit, a redaction and a name that came after a restart are worked into what is stored")
    func workedIn() async throws {
        let client = StoredClient()
        _ = try await client.run(batch("s1", timeline: [event("$1", "hi"), event("$2", "secret"), event("$3", "end")]))
        let edit = """
            {"event_id":"$4","type":"m.room.message","sender":"@bob:words.test","content":{"msgtype":"m.text",\
            "body":"*","m.relates_to":{"rel_type":"m.replace","event_id":"$1"},\
            "m.new_content":{"msgtype":"m.text","body":"hello"}}}
            """
        let redaction =
            #"{"event_id":"$5","type":"m.room.redaction","sender":"@bob:words.test","redacts":"$2","content":{}}"#

        _ = try await client.run(batch("s2", timeline: [edit, redaction]))
        let third = await client.launch()
        await third.connectOffline()
        await third.worker.open(lobby)

        #expect(await third.bodies == ["hello", "end"])
    }
}

@Suite("Gaps and what is stored")
struct StoredGapTests {
    @Test("a gap whose filling failed shows, outlives a restart and is filled then, from where it was left")
    func gap() async throws {
        let client = StoredClient()
        let run = try await client.run(
            batch("s1", timeline: [event("$1", "m1")]),
            batch("s2", timeline: [event("$9", "m9")], limited: true, previous: "p8"))
        let before = await run.bodies
        #expect(before == ["m1", "gap", "m9"])

        let second = await client.launch()
        second.service.answerMessages(
            from: "p8", .success(try decoded(#"{"chunk":[\#(event("$8", "m8")),\#(event("$7", "m7"))],"end":"p6"}"#)))
        second.service.answerMessages(
            from: "p6", .success(try decoded(#"{"chunk":[\#(event("$6", "m6")),\#(event("$1", "m1"))],"end":"p0"}"#)))
        try second.service.answer(#"{"next_batch":"s3"}"#)
        await second.worker.connect(session())
        await second.activity.idle()

        #expect(await second.bodies == ["m1", "m6", "m7", "m8", "m9"])
        #expect(second.service.actions == [.messages(from: "p8", to: "s1"), .messages(from: "p6", to: "s1")])
        let third = await client.launch()
        await third.connectOffline()
        await third.worker.open(lobby)
        #expect(await third.bodies == ["m1", "m6", "m7", "m8", "m9"])
    }

    @Test("while the app was closed more was said than a batch holds: it is fetched, also where that fails once")
    func closed() async throws {
        let client = StoredClient()
        _ = try await client.run(batch("s1", timeline: [event("$1", "m1")]))

        let second = try await client.run(batch("s2", timeline: [event("$9", "m9")], limited: true, previous: "p8"))
        let meanwhile = await second.bodies
        second.service.answerMessages(
            from: "p8", .success(try decoded(#"{"chunk":[\#(event("$8", "m8")),\#(event("$1", "m1"))],"end":"p0"}"#)))
        await second.advance(.seconds(2))

        #expect(meanwhile == ["m1", "gap", "m9"])
        #expect(await second.bodies == ["m1", "m8", "m9"])
    }
}
