import Foundation
import Models
import Testing

@testable import Workers

@Suite("Messages on their way and what is stored")
struct StoredOutboxTests {
    private let first = batch("s1", timeline: [event("$1", "hi")])

    /// A run in which every send fails as if the network were down.
    private func failingRun(_ client: StoredClient, _ bodies: String...) async throws -> StoredRun {
        let run = try await client.run(first)
        for body in bodies {
            run.service.answerSends(.failure(.network(.interrupted)))
            try await run.worker.send(body, to: lobby)
            await run.activity.idle()
        }
        return run
    }

    @Test("a message is on the disk before it is shown and before its first attempt")
    func durableFirst() async throws {
        let client = StoredClient()
        let gate = Gate()
        let run = await client.launch { HeldStores($0, gate) }
        try run.service.answer(first)
        await run.worker.connect(session())
        await run.activity.idle()
        await gate.shut()

        let sending = Task { try await run.worker.send("hello", to: lobby) }
        await gate.arrival()
        let (shown, attempts) = (await run.outgoing, run.sends)
        await gate.open()
        try await sending.value

        #expect(shown.isEmpty && attempts.isEmpty)
        #expect(await gate.saves.contains { $0.isDurable && !$0.outbox.isEmpty })
        #expect(run.sends.count == 1)
        #expect(await run.outgoing == [.sent(EventID("$sent-1"))])
    }

    @Test("one that cannot be stored is refused with the reason; nothing of it remains; the next one goes out")
    func refused() async throws {
        let client = StoredClient()
        let run = try await client.run(first)

        client.failWrites(diskFull)
        let refusal = await #expect(throws: ChatError.self) { try await run.worker.send("lost", to: lobby) }
        let shown = await run.outgoing
        client.mendWrites()
        try await run.worker.send("kept", to: lobby)
        await run.activity.idle()

        guard case .storage(let reason) = refusal else {
            Issue.record("not refused for the store's sake")
            return
        }
        #expect(reason.hasPrefix("The disk is full: nothing was written to \(client.file.path)"))
        #expect(shown.isEmpty)
        #expect(run.sends.count == 1)
        #expect(try await client.stored().outbox.map(\.entry.message.body) == ["kept"])
    }

    @Test("what waited goes out after a restart, in order, with the same transaction ids, once the server is there")
    func restart() async throws {
        let client = StoredClient()
        let run = try await failingRun(client, "one", "two", "three")
        let ids = await run.room?.timeline.outgoing.map(\.transactionID)

        let second = await client.launch()
        await second.connectOffline()
        let (waiting, early) = (await second.outgoing, second.sends)
        try second.service.answer(#"{"next_batch":"s2"}"#)
        await second.advance(.seconds(2))

        #expect(waiting == [.waiting, .waiting, .waiting])
        #expect(early.isEmpty)
        #expect(second.transactions == ids)
        #expect(second.sends.map(\.body) == ["one", "two", "three"])
        #expect(
            await second.outgoing == [.sent(EventID("$sent-1")), .sent(EventID("$sent-2")), .sent(EventID("$sent-3"))])
    }

    @Test("killed while the first attempt is under way, the message goes out again with the same transaction id")
    func killed() async throws {
        let client = StoredClient()
        let run = try await client.run(first)
        // The message itself is stored; nothing of what follows reaches the disk.
        client.failWrites(ioError, after: 1)
        try await run.worker.send("hello", to: lobby)
        await run.activity.idle()
        client.mendWrites()

        let second = try await client.run(#"{"next_batch":"s2"}"#)

        #expect(run.transactions.count == 1)
        #expect(second.transactions == run.transactions)
        #expect(second.sends.map(\.body) == ["hello"])
    }

    @Test("the answer was lost and the app restarted: the echo that comes first settles it, and nothing is sent again")
    func lostAnswer() async throws {
        let client = StoredClient()
        let run = try await failingRun(client, "one")
        let id = try #require(run.transactions.first)

        let second = try await client.run(
            batch("s2", timeline: [event("$2", "one", from: alice, transaction: id.raw)]))

        #expect(second.sends.isEmpty)
        #expect(await second.outgoing.isEmpty)
        #expect(await second.bodies == ["hi", "one"])
        #expect(try await client.stored().outbox.isEmpty)
    }

    @Test("the echo bears no transaction id: the repeated send's answer settles it by the event's id")
    func echoByEvent() async throws {
        let client = StoredClient()
        _ = try await failingRun(client, "one")
        let second = await client.launch()
        second.service.answerSends(.success(EventID("$2")))
        try second.service.answer(batch("s2", timeline: [event("$2", "one", from: alice)]))

        await second.worker.connect(session())
        await second.activity.idle()

        #expect(second.sends.count == 1)
        #expect(await second.outgoing.isEmpty)
        #expect(await second.bodies == ["hi", "one"])
        #expect(try await client.stored().outbox.isEmpty)
    }

    @Test("sent and not yet seen, it is still sent after a restart, is not sent again, and its echo takes its place")
    func sent() async throws {
        let client = StoredClient()
        let run = try await client.run(first)
        try await run.worker.send("one", to: lobby)
        await run.activity.idle()

        let second = await client.launch()
        await second.connectOffline()
        let shown = await second.outgoing
        try second.service.answer(batch("s2", timeline: [event("$sent-1", "one", from: alice)]))
        await second.advance(.seconds(2))

        #expect(shown == [.sent(EventID("$sent-1"))])
        #expect(second.sends.isEmpty)
        #expect(await second.outgoing.isEmpty)
        #expect(await second.bodies == ["hi", "one"])
    }

    @Test("what failed is failed after a restart, with its reason, and goes out when asked to")
    func failed() async throws {
        let client = StoredClient()
        let run = try await client.run(first)
        run.service.answerSends(.failure(.forbidden("not here")))
        try await run.worker.send("one", to: lobby)
        await run.activity.idle()

        let second = try await client.run(#"{"next_batch":"s2"}"#)
        let (shown, early) = (await second.outgoing, second.sends)
        await second.worker.retry(in: lobby)
        await second.activity.idle()

        #expect(shown == [.failed(.refused("not here"))])
        #expect(early.isEmpty)
        #expect(second.transactions == run.transactions)
        #expect(await second.outgoing == [.sent(EventID("$sent-1"))])
    }

    @Test("a message leaves the outbox in the same step in which its echo and the position are stored")
    func together() async throws {
        let client = StoredClient()
        let gate = Gate()
        let run = await client.launch { HeldStores($0, gate) }
        try run.service.answer(first)
        await run.worker.connect(session())
        await run.activity.idle()
        try await run.worker.send("one", to: lobby)
        await run.activity.idle()
        let id = try #require(run.transactions.first)

        try await run.news(batch("s2", timeline: [event("$sent-1", "one", from: alice, transaction: id.raw)]))

        let removal = try #require(await gate.saves.first { $0.outbox.contains(.remove(id)) })
        #expect(removal.position == .move(to: "s2"))
        #expect(removal.rooms.first?.items == [.append(await run.room?.timeline.items.suffix(1) ?? [])])
    }

    @Test("messages of two rooms keep their own order; a room that fails does not hold up the other")
    func rooms() async throws {
        let client = StoredClient()
        let other = RoomID("!other:words.test")
        let run = try await client.run(first, batch("s2", room: other, timeline: [event("$o", "yo")]))
        run.service.answerSends(.failure(.network(.interrupted)), .failure(.network(.interrupted)))
        try await run.worker.send("a1", to: lobby)
        try await run.worker.send("b1", to: other)
        try await run.worker.send("a2", to: lobby)
        await run.activity.idle()

        let second = try await client.run(#"{"next_batch":"s3"}"#)

        #expect(second.sends.map(\.body).filter { $0.hasPrefix("a") } == ["a1", "a2"])
        #expect(second.sends.map(\.body).filter { $0.hasPrefix("b") } == ["b1"])
    }
}

@Suite("The end of what is stored")
struct StoredEndTests {
    @Test("a session that the server ends takes its store with it")
    func ended() async throws {
        let client = StoredClient()
        let run = try await client.run(batch("s1", timeline: [event("$1", "hi")]))
        let before = client.file.exists

        run.service.answer(.failure(.sessionEnded))
        await run.activity.idle()

        #expect(before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: client.home.path + "/store").isEmpty)
        await #expect(throws: ChatError.sessionEnded) { try await run.worker.send("late", to: lobby) }
    }

    @Test("one that has run out takes nothing: what waits goes out once, in order, when its owner is back")
    func expired() async throws {
        let client = StoredClient()
        let run = try await client.run(batch("s1", timeline: [event("$1", "hi")]))
        run.service.answerSends(.failure(.network(.unreachable)))
        try await run.worker.send("one", to: lobby)
        run.service.answer(.failure(.sessionExpired))
        await run.activity.idle()
        let (states, stored) = (await run.outgoing, try await client.stored())
        await #expect(throws: ChatError.sessionExpired) { try await run.worker.send("two", to: lobby) }

        // Somebody else first, who sees nothing of it; then its owner, as after a new sign-in.
        var other = session()
        other.user.chatID = bob
        try run.service.answer(#"{"next_batch":"b1"}"#)
        await run.worker.connect(other)
        let others = await run.state?.rooms
        await run.worker.disconnect()
        run.service.answer(.failure(.network(.timedOut)))
        await run.activity.idle()
        try run.service.answer(#"{"next_batch":"s2"}"#)
        await run.worker.connect(session())
        await run.activity.idle()
        try await run.worker.send("three", to: lobby)

        #expect(states == [.waiting])
        #expect(stored.position == "s1" && stored.outbox.map(\.entry.message.body) == ["one"])
        #expect(others == [:])
        #expect(run.sends.map(\.body) == ["one", "one", "three"])
        #expect(run.transactions[0] == run.transactions[1])
        #expect(run.service.polls.contains(.sync(since: "s1", hold: .zero)))
        #expect(await run.outgoing == [.sent(EventID("$sent-1")), .sent(EventID("$sent-2"))])
    }

    @Test("what was applied before the end, and is not stored yet then, is stored all the same")
    func expiredUnstored() async throws {
        let client = StoredClient()
        let gate = Gate()
        let run = await client.launch { HeldStores($0, gate) }
        try run.service.answer(batch("s1", timeline: [event("$1", "hi")]))
        await run.worker.connect(session())
        await run.activity.idle()
        await gate.shut()
        try run.service.answer(batch("s2", timeline: [event("$2", "held")]))
        await gate.arrival()
        try run.service.answer(batch("s3", timeline: [event("$3", "behind it")]))
        run.service.answer(.failure(.sessionExpired))
        await gate.open()
        await run.activity.idle()

        #expect(await run.state?.connection == .ended)
        #expect(try await client.stored().position == "s3")
    }

    @Test("a fault of the network, and going offline, take nothing")
    func kept() async throws {
        let client = StoredClient()
        let run = try await client.run(batch("s1", timeline: [event("$1", "hi")]))

        run.service.answer(.failure(.network(.serverFault(status: 502))))
        await run.activity.idle()
        await run.worker.disconnect()

        #expect(try await client.stored().position == "s1")
    }

    @Test("a store of a newer version is left alone: the chat works, and sending is refused with the reason")
    func newer() async throws {
        let client = StoredClient()
        _ = try await client.run(batch("s1", timeline: [event("$1", "hi")]))
        try SQLiteFiles.execute("PRAGMA user_version = 99", client.file.path)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: client.file.path))

        let second = try await client.run(batch("s1", timeline: [event("$1", "hi")]))
        let refusal = await #expect(throws: ChatError.self) { try await second.worker.send("hello", to: lobby) }

        #expect(await second.bodies == ["hi"])
        #expect(await second.state?.storageFault?.contains("newer version of Words") == true)
        guard case .storage(let reason) = refusal else {
            Issue.record("not refused for the store's sake")
            return
        }
        #expect(reason.contains("newer version of Words"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: client.file.path)) == bytes)
    }

    @Test("a damaged store is set aside, the screen says so, and everything is asked for anew")
    func damaged() async throws {
        let client = StoredClient()
        _ = try await client.run(batch("s1", timeline: [event("$1", "hi")]))
        try Data(repeating: 0x41, count: 9_000).write(to: URL(fileURLWithPath: client.file.path))

        let second = try await client.run(batch("s9", timeline: [event("$1", "hi")]))

        #expect(second.service.polls.first == .sync(since: nil, hold: .zero))
        #expect(await second.bodies == ["hi"])
        let notice = try #require(await second.state?.storageFault)
        #expect(notice.contains("is damaged") && notice.contains("was moved to \(client.file.path).damaged-"))
        #expect(notice.contains("Messages that had not been sent may be lost"))
        #expect(try await client.stored().position == "s9")
    }

    @Test("a store that breaks while it is in use is begun anew; unsent messages stay and go out")
    func breaking() async throws {
        let client = StoredClient()
        let run = try await client.run(batch("s1", timeline: [event("$1", "hi")]))
        run.service.answerSends(.failure(.network(.interrupted)))
        try await run.worker.send("unsent", to: lobby)
        await run.activity.idle()
        client.failWrites(SQLiteFiles.corrupt, count: 1)
        try await run.news(batch("s2", timeline: [event("$2", "ho")]))
        let polls = run.service.polls.suffix(1)
        try await run.news(batch("s9", timeline: [event("$1", "hi"), event("$2", "ho")]))

        #expect(polls == [.sync(since: nil, hold: .zero)])
        #expect(await run.bodies == ["hi", "ho"])
        #expect(Set(run.transactions).count == 1)
        #expect(try await client.stored().position == "s9")
    }
}

extension StubChatService.Call {
    var body: String { if case .send(_, let body) = self { body } else { "" } }
}
