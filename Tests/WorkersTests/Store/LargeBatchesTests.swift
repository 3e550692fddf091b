import Foundation
import Models
import Testing

@testable import Workers

/// Batches of several parts: here each room is one.
@Suite("Batches of several parts")
struct LargeBatchesTests {
    private static let rooms = (1...4).map { RoomID("!r\($0):words.test") }

    private func batch(
        _ next: String, _ events: [String], limited: Bool = false, rooms: [RoomID] = Self.rooms, more: String = "",
        top: String = ""
    ) -> String {
        let rooms = rooms.map { room in
            let timeline = events.map { event("\($0)-\(room.raw)", $0) }.joined(separator: ",")
            return
                #""\#(room)":{"timeline":{"events":[\#(timeline)],"limited":\#(limited),"prev_batch":"\#(next)"}\#(more)}"#
        }
        return #"{"next_batch":"\#(next)","rooms":{"join":{\#(rooms.joined(separator: ","))}}\#(top)}"#
    }

    private func launch(
        _ client: StoredClient, _ wrap: (any ClientStores) -> any ClientStores = { $0 }
    ) async -> StoredRun { await client.launch(partSize: 1, wrap) }

    private func lines(_ run: StoredRun) async -> [[String]] {
        let state = await run.state
        return Self.rooms.map { (state?.rooms[$0]?.timeline.items ?? []).map(\.text) }
    }

    @Test("all rooms are there, and said once; what is stored already is as a new run has it, until it is opened")
    func folded() async throws {
        let client = StoredClient()
        let run = await launch(client)
        try run.service.answer(batch("s1", ["one", "two"]))

        await run.worker.connect(session())
        await run.activity.idle()

        #expect(await lines(run) == [["two"], ["two"], ["one", "two"], ["one", "two"]])
        #expect(await run.heard.updates.count { $0.changes.contains(.synced) } == 1)
        #expect(await run.heard.updates.allSatisfy { $0.state.rooms.isEmpty || $0.state.rooms.count == 4 })
        for room in Self.rooms { await run.worker.open(room) }
        #expect(await lines(run) == Array(repeating: ["one", "two"], count: 4))
    }

    @Test("a room that is open stays whole")
    func opened() async throws {
        let client = StoredClient()
        let run = await launch(client)
        try run.service.answer(batch("s1", ["one"]))
        await run.worker.connect(session())
        await run.activity.idle()
        await run.worker.open(Self.rooms[0])

        try await run.news(batch("s2", ["two"]))

        #expect(await lines(run) == [["one", "two"], ["two"], ["one", "two"], ["one", "two"]])
    }

    @Test(
        "the first parts go to the disk before the last is worked in, and the position with the last")
    func position() async throws {
        let client = StoredClient()
        let gate = Gate()
        let run = await launch(client) { HeldStores($0, gate) }
        try run.service.answer(batch("s1", ["one"], top: #","account_data":{"events":[]}"#))

        await run.worker.connect(session())
        await run.activity.idle()

        let saves = await gate.saves.filter { !$0.rooms.isEmpty }
        #expect(saves.flatMap(\.rooms).map(\.room.id) == Self.rooms)
        #expect(saves.count > 1)
        #expect(saves.dropLast().allSatisfy { $0.position == nil })
        #expect(saves.last?.position == .move(to: "s1"))
    }

    @Test("a run that ends within a batch asks for it again, and nothing is lost or doubled")
    func cutOff() async throws {
        let client = StoredClient()
        let first = await launch(client)
        try first.service.answer(batch("s1", ["one"]))
        await first.worker.connect(session())
        await first.activity.idle()
        let gate = Gate()
        let second = await launch(client) { HeldStores($0, gate) }
        try second.service.answer(batch("s2", ["two"], limited: true))
        await second.worker.connect(session())
        await second.activity.idle()
        await gate.shut()
        try second.service.answer(batch("s3", ["three"]))
        await gate.arrival()
        client.failWrites(ioError, after: 12)
        await gate.open()
        await second.activity.idle()
        #expect(try await client.stored().position == "s2", "not all of it could be stored")
        client.mendWrites()

        let third = await launch(client)
        try third.service.answer(batch("s3", ["three"]))
        await third.worker.connect(session())
        await third.activity.idle()
        for room in Self.rooms { await third.worker.open(room) }

        #expect(third.service.polls.first == .sync(since: "s2", hold: .zero))
        #expect(await lines(third).allSatisfy { $0.filter { $0 != "gap" } == ["one", "two", "three"] })
        #expect(try await client.stored().position == "s3")
    }

    @Test("what cannot be stored is kept, and stored with the position once that works again")
    func failing() async throws {
        let client = StoredClient()
        let run = await launch(client)
        try run.service.answer(batch("s1", ["one"]))
        await run.worker.connect(session())
        await run.activity.idle()

        client.failWrites(diskFull)
        try await run.news(batch("s2", ["two"]))
        let meanwhile = try await client.stored()
        client.mendWrites()
        await run.advance(.seconds(2))

        #expect(meanwhile.position == "s1")
        #expect(meanwhile.rooms.allSatisfy { $0.timeline.items.map(\.text) == ["one"] })
        #expect(try await client.stored().position == "s2")
        #expect(await lines(run) == Array(repeating: ["one", "two"], count: 4))
    }

    @Test("a batch that came before, all of it limited, asks for no older events")
    func repeated() async throws {
        let client = StoredClient()
        let run = await launch(client)
        try run.service.answer(batch("s1", ["one"], limited: true))
        await run.worker.connect(session())
        await run.activity.idle()

        try await run.news(batch("s1", ["one"], limited: true))

        #expect(run.service.actions.allSatisfy { if case .messages = $0 { false } else { true } })
        #expect(await lines(run) == Array(repeating: ["one"], count: 4))
    }

    @Test("a first batch that was cut off and comes again without a room: one has left that since")
    func leftMeanwhile() async throws {
        let client = StoredClient()
        let first = await launch(client)
        try first.service.answer(batch("s1", ["one"]))
        client.failWrites(diskFull, after: 12)
        await first.worker.connect(session())
        await first.activity.idle()
        let stored = try await client.stored()
        #expect(stored.position == nil && stored.rooms.map(\.id).contains(Self.rooms[0]), "a part of it was stored")
        client.mendWrites()

        let second = await launch(client)
        await second.connectOffline()
        try await second.worker.send("to a new contact", to: lobby)
        try second.service.answer(batch("s2", ["two"], rooms: Array(Self.rooms.dropFirst())))
        await second.advance(.seconds(60))

        #expect(await second.worker.currentState()?.hasSynced == true)
        let state = await second.state
        #expect(Self.rooms.map { state?.rooms[$0]?.membership } == [.leave, .join, .join, .join])
        #expect(await second.room?.membership == .join, "no batch has had it yet")
        #expect(try await client.stored().rooms.first { $0.id == Self.rooms[0] }?.membership == .leave)
    }

    @Test("whatever is shown within a batch, a chat of two is never shown as a channel")
    func directChats() async throws {
        let client = StoredClient()
        let gate = Gate()
        let run = await launch(client) { HeldStores($0, gate) }
        try run.service.answer(batch("s1", ["one"]))
        await run.worker.connect(session())
        await run.activity.idle()
        await gate.shut()
        let direct = #"{"type":"m.direct","content":{"\#(bob)":["\#(Self.rooms[0])"]}}"#

        try run.service.answer(batch("s2", ["two"], top: #","account_data":{"events":[\#(direct)]}"#))
        await gate.arrival()
        await run.worker.networkReturned()
        await gate.open()
        await run.activity.idle()

        let shown = await run.heard.updates.map(\.state).filter {
            $0.rooms[Self.rooms[0]]?.timeline.items.last?.text == "two"
        }
        #expect(shown.count > 1, "the first of them in the middle of the batch")
        #expect(shown.allSatisfy { $0.directRooms == [bob: [Self.rooms[0]]] })
    }

    @Test("a session that ends within a batch is over at once: no more is worked in, and nothing waits for it")
    func sessionEnd() async throws {
        let client = StoredClient()
        let gate = Gate()
        let run = await launch(client) { HeldStores($0, gate) }
        try run.service.answer(batch("s1", ["one"]))
        await run.worker.connect(session())
        await run.activity.idle()
        run.service.answerSends(.failure(.refused("no")), .failure(.sessionEnded))
        try await run.worker.send("mine", to: Self.rooms[3])
        await run.activity.idle()
        await gate.shut()

        try run.service.answer(batch("s2", ["two"]))
        await gate.arrival()
        await run.worker.retry(in: Self.rooms[3])
        while await run.state?.connection != .ended { await Task.yield() }
        await gate.open()
        await run.activity.idle()

        #expect(await run.heard.updates.count { $0.changes.contains(.sessionEnded) } == 1)
        #expect(await lines(run).last == ["one"])
        #expect(try await client.stored().rooms.isEmpty, "all of it is taken away")
    }

    @Test("what people are called of whom nothing came by is stored, though their room need not be looked at")
    func heroes() async throws {
        let client = StoredClient()
        let run = await launch(client)
        try run.service.answer(batch("s1", ["one"], more: #","summary":{"m.heroes":["\#(bob)"]}"#))

        await run.worker.connect(session())
        await run.activity.idle()

        let rooms = try await client.stored().rooms
        #expect(rooms.map { $0.members[bob]?.displayName } == Array(repeating: "Bob", count: 4))
    }
}
