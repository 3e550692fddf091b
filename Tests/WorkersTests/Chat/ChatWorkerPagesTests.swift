import Foundation
import Models
import Testing

@testable import Workers

@Suite("ChatWorker: older events")
struct ChatWorkerPagesTests {
    private func page(_ events: [String], end: String?) throws -> MatrixShapes.Messages {
        let end = end.map { #","end":"\#($0)""# } ?? ""
        return try decoded(#"{"start":"x","chunk":[\#(events.joined(separator: ","))]\#(end)}"#)
    }

    @Test("a gap is filled before its batch is shown, in order, page by page, up to the last position")
    func fill() async throws {
        let client = try await ConnectedWorker()
        client.service.answerMessages(
            from: "p5", .success(try page([event("$4", "four"), event("$3", "three")], end: "p3")))
        client.service.answerMessages(from: "p3", .success(try page([event("$2", "two")], end: nil)))

        try await client.news(batch("s2", timeline: [event("$5", "five")], limited: true, previous: "p5"))

        #expect(await client.bodies == ["hi", "two", "three", "four", "five"])
        #expect(client.service.actions == [.messages(from: "p5", to: "s1"), .messages(from: "p3", to: "s1")])
        #expect(
            await client.heard.updates.allSatisfy { update in
                update.state.rooms[lobby]?.timeline.items.contains { $0.content == .gap } == false
            })
    }

    @Test("a gap that cannot be filled stays visible and is filled later")
    func fillLater() async throws {
        let client = try await ConnectedWorker()
        try await client.news(batch("s2", timeline: [event("$3", "three")], limited: true, previous: "p3"))
        let before = await client.bodies
        client.service.answerMessages(from: "p3", .success(try page([event("$2", "two")], end: nil)))

        await client.advance(.seconds(2))

        #expect(before == ["hi", "gap", "three"])
        #expect(await client.bodies == ["hi", "two", "three"])
    }

    @Test("a gap that stays unfilled is tried ever more rarely")
    func boundedFill() async throws {
        let client = try await ConnectedWorker()
        try await client.news(batch("s2", timeline: [event("$3", "three")], limited: true, previous: "p3"))

        await client.advance(.seconds(60))

        #expect((4...9).contains(client.service.actions.count))
    }

    @Test("filling stops at an event that is known, whatever the server goes on to offer")
    func stopsAtKnown() async throws {
        let client = try await ConnectedWorker()
        client.service.answerMessages(
            from: "p3", .success(try page([event("$2", "two"), event("$1", "hi"), event("$0", "zero")], end: "p0")))

        try await client.news(batch("s2", timeline: [event("$3", "three")], limited: true, previous: "p3"))

        #expect(await client.bodies == ["hi", "two", "three"])
        #expect(client.service.actions.count == 1)
    }

    @Test("a very large gap is left visible after ten pages; asking for older events goes on with it")
    func deferred() async throws {
        let client = try await ConnectedWorker()
        for number in 1...12 {
            client.service.answerMessages(
                from: "p\(number)",
                .success(
                    try page([event("$g\(number)", "g\(number)")], end: number == 12 ? nil : "p\(number + 1)")))
        }

        try await client.news(batch("s2", timeline: [event("$9", "nine")], limited: true, previous: "p1"))
        await client.advance(.seconds(300))
        let before = await client.bodies
        let hasMore = try await client.worker.loadOlder(in: lobby)

        #expect(before == ["hi", "gap"] + (1...10).reversed().map { "g\($0)" } + ["nine"])
        #expect(hasMore)
        #expect(await client.bodies == ["hi"] + (1...12).reversed().map { "g\($0)" } + ["nine"])
    }

    @Test("older pages are put above until there are none; pages with nothing to show are passed over")
    func older() async throws {
        let client = try await ConnectedWorker(
            first: batch("s1", timeline: [event("$9", "nine")], limited: true, previous: "p9"))
        client.service.answerMessages(from: "p9", .success(try page([], end: "p8")))
        client.service.answerMessages(from: "p8", .success(try page([event("$8", "eight")], end: "p7")))
        client.service.answerMessages(from: "p7", .success(try page([event("$7", "seven")], end: nil)))

        let first = try await client.worker.loadOlder(in: lobby)
        let second = try await client.worker.loadOlder(in: lobby)
        let third = try await client.worker.loadOlder(in: lobby)

        #expect([first, second, third] == [true, false, false])
        #expect(await client.bodies == ["seven", "eight", "nine"])
        #expect(client.service.actions.count == 3)
    }

    @Test("asking twice at once fetches once")
    func olderTwice() async throws {
        let client = try await ConnectedWorker(
            first: batch("s1", timeline: [event("$9", "nine")], limited: true, previous: "p9"))
        client.service.answerMessages(from: "p9", .success(try page([event("$8", "eight")], end: nil)))
        let worker = client.worker

        async let first = worker.loadOlder(in: lobby)
        async let second = worker.loadOlder(in: lobby)
        _ = try await (first, second)

        #expect(client.service.actions.count == 1)
        #expect(await client.bodies == ["eight", "nine"])
    }

    @Test("a failure says why; the next try starts at the same place")
    func olderFails() async throws {
        let client = try await ConnectedWorker(
            first: batch("s1", timeline: [event("$9", "nine")], limited: true, previous: "p9"))

        await #expect(throws: ChatError.network(.unreachable)) {
            try await client.worker.loadOlder(in: lobby)
        }
        client.service.answerMessages(from: "p9", .success(try page([event("$8", "eight")], end: nil)))
        _ = try await client.worker.loadOlder(in: lobby)

        #expect(await client.bodies == ["eight", "nine"])
    }
}
