import Foundation
import Models
import Testing

@testable import Workers

@Suite("Timelines that nobody needs")
struct FoldedTimelinesTests {
    private func quiet(_ run: StoredRun) async throws {
        await run.advance(ChatWorker.quietTime + .seconds(1))
        try await run.news(batch("quiet", room: RoomID("!other:words.test"), timeline: [event("$other", "noise")]))
    }

    private static let three = batch(
        "s1", timeline: [event("$1", "one"), event("$2", "two"), event("$3", "three")])

    @Test("after ten minutes without news a room is as a new run has it: its last line, and the rest in the store")
    func folded() async throws {
        let client = StoredClient()
        let run = try await client.run(Self.three)

        try await quiet(run)

        #expect(await run.bodies == ["three"])
        #expect(await run.room?.timeline.hasOlder == true)
        await run.worker.open(lobby)
        #expect(await run.bodies == ["one", "two", "three"])
        #expect(await run.room?.timeline.hasOlder == false)
    }

    @Test("its last line is the newest message, whoever came or went after it")
    func newestMessage() async throws {
        let client = StoredClient()
        let run = try await client.run(
            batch("s1", timeline: [event("$1", "one"), member("$2", bob, "join"), event("$3", "", type: "m.x")]))
        #expect(await run.bodies == ["one", "@bob:words.test joined"])

        try await quiet(run)

        #expect(await run.bodies == ["one"])
    }

    @Test("news of a folded room finds all that came before, and a batch applied twice changes nothing")
    func news() async throws {
        let client = StoredClient()
        let run = try await client.run(Self.three)
        try await quiet(run)

        try await run.news(batch("s2", timeline: [event("$2", "two"), event("$4", "four")]))

        #expect(await run.bodies == ["one", "two", "three", "four"])
        #expect(try await client.stored().rooms.contains { $0.timeline.items.map(\.text) == ["four"] })
    }

    @Test("the rooms opened last stay whole, and so does one with a message on its way")
    func kept() async throws {
        let client = StoredClient()
        let run = try await client.run(Self.three)
        await run.worker.open(lobby)
        try await quiet(run)
        #expect(await run.bodies == ["one", "two", "three"], "it may be on screen")
        run.service.answerSends(.failure(.network(.unreachable)))
        try await run.worker.send("waiting", to: lobby)
        for number in 1...ChatWorker.openedRoomsKept { await run.worker.open(RoomID("!r\(number):words.test")) }

        try await quiet(run)

        #expect(await run.outgoing.count == 1)
        #expect(await run.bodies == ["one", "two", "three"])
    }

    @Test("what could not be stored stays in memory")
    func unsaved() async throws {
        let client = StoredClient()
        let run = try await client.run(batch("s1", timeline: [event("$1", "one")]))
        client.failWrites(diskFull)
        try await run.news(batch("s2", timeline: [event("$2", "two")]))

        try await quiet(run)

        #expect(await run.bodies == ["one", "two"])
    }
}
