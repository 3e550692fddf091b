import Foundation
import Models
import Testing

@testable import Workers

@Suite("ChatWorker")
struct ChatWorkerTests {
    @Test("connecting brings the first batch and goes on polling from where it ended")
    func connect() async throws {
        let client = try await ConnectedWorker()

        #expect(await client.worker.currentState()?.connection == .online)
        #expect(await client.bodies == ["hi"])
        #expect(client.service.calls == [.sync(since: nil, hold: .zero), .sync(since: "s1", hold: .seconds(30))])
        #expect(
            await client.heard.updates.map(\.changes) == [
                [.connection, .synced, .room(lobby), .timeline(lobby)]
            ])
    }

    @Test("connecting returns after the first failure too, and goes on trying")
    func connectOffline() async throws {
        let client = await ConnectedWorker(unconnected: ())
        client.service.answer(.failure(.network(.unreachable)))

        await client.worker.connect(session())
        let offline = await client.worker.currentState()?.connection
        try client.service.answer(batch("s1"))
        await client.advance(.seconds(1))

        guard case .offline(.unreachable, let retryAt?) = offline else {
            Issue.record("not offline: \(String(describing: offline))")
            return
        }
        #expect(retryAt > start && retryAt <= start + .seconds(1))
        #expect(await client.worker.currentState()?.connection == .online)
    }

    @Test("connecting twice is one loop")
    func connectTwice() async throws {
        let client = try await ConnectedWorker()

        await client.worker.connect(session())

        #expect(client.service.polls.count == 2)
    }

    @Test("a worker that is dropped while its poll is held leaves nothing that counts")
    func dropped() async throws {
        let (service, activity) = try await {
            let client = try await ConnectedWorker()
            return (client.service, client.activity)
        }()

        try service.answer(batch("s2", timeline: [event("$2", "for nobody")]))
        await activity.idle()

        #expect(activity.outstanding == [])
        #expect(service.polls.count == 2)
    }

    @Test("between an answer and the next poll the activity never touches zero")
    func neverIdleBetweenPolls() async throws {
        let client = try await ConnectedWorker()

        for number in 2..<40 {
            try client.service.answer(batch("s\(number)", timeline: [event("$\(number)", "m\(number)")]))
            await client.activity.idle()

            #expect(await client.bodies.last == "m\(number)")
            #expect(client.service.polls.last == .sync(since: "s\(number)", hold: .seconds(30)))
        }
    }

    @Test("updates come one at a time and in order, and a subscriber may call back")
    @MainActor
    func ordered() async throws {
        let client = try await ConnectedWorker()
        var heard: [Int] = []
        var isInside = false
        let worker = client.worker
        let subscription = await worker.subscribe { update in
            #expect(!isInside)
            isInside = true
            _ = await worker.currentState()
            await worker.typed(in: lobby)
            await worker.markRead(lobby)
            heard.append(update.state.rooms[lobby]?.timeline.items.count ?? 0)
            isInside = false
        }

        for number in 2...6 { try await client.news(batch("s\(number)", timeline: [event("$\(number)", "m")])) }

        #expect(heard == [2, 3, 4, 5, 6])
        withExtendedLifetime(subscription) {}
    }

    @Test("a subscriber may send and wait for it inside an update")
    @MainActor
    func sendInsideUpdate() async throws {
        let client = try await ConnectedWorker()
        let worker = client.worker
        var hasSent = false
        let subscription = await worker.subscribe { _ in
            guard !hasSent else { return }
            hasSent = true
            try? await worker.send("from inside", to: lobby)
        }

        try await client.news(batch("s2", timeline: [event("$2", "go")]))

        #expect(client.service.actions.count == 1)
        withExtendedLifetime(subscription) {}
    }

    @Test("a subscription that is cancelled or released hears nothing more")
    @MainActor
    func unsubscribe() async throws {
        let client = try await ConnectedWorker()
        var heard: [String] = []
        let cancelled = await client.worker.subscribe { _ in heard.append("cancelled") }
        var released: (any ChatSubscription)? = await client.worker.subscribe { _ in heard.append("released") }
        try await client.news(batch("s2", timeline: [event("$2", "m")]))
        let before = heard

        cancelled.cancel()
        released = nil
        try await client.news(batch("s3", timeline: [event("$3", "m")]))

        #expect(before == ["cancelled", "released"])
        #expect(heard == before)
        #expect(released == nil)
    }

    @Test("a sent message is sending, then sent, then in the timeline, and never in two places")
    func send() async throws {
        let client = try await ConnectedWorker()

        try await client.worker.send("hello", to: lobby)
        await client.activity.idle()
        let afterAnswer = await client.outgoing
        let transaction = try #require(client.transactions.first)
        try await client.news(
            batch("s2", timeline: [event("$sent-1", "hello", from: alice, transaction: transaction.raw)]))

        #expect(afterAnswer == [.sent(EventID("$sent-1"))])
        #expect(await client.outgoing == [])
        #expect(await client.bodies == ["hi", "hello"])
        for update in await client.heard.updates {
            let timeline = try #require(update.state.rooms[lobby]?.timeline)
            let shown = timeline.items.filter { $0.sender == alice }.count + timeline.outgoing.count
            #expect(shown <= 1)
        }
    }

    @Test("an event that comes before the answer, without its transaction, is merged when the answer names it")
    func echoFirst() async throws {
        let client = try await ConnectedWorker()
        try await client.news(batch("s2", timeline: [event("$sent-1", "hello", from: alice)]))

        try await client.worker.send("hello", to: lobby)
        await client.activity.idle()

        #expect(await client.bodies == ["hi", "hello"])
        #expect(await client.outgoing == [])
    }

    @Test("a lost send waits, is tried again with the same transaction, and in order")
    func retries() async throws {
        let client = try await ConnectedWorker()
        client.service.answerSends(.failure(.network(.unreachable)), .failure(.network(.timedOut)))

        try await client.worker.send("one", to: lobby)
        try await client.worker.send("two", to: lobby)
        await client.activity.idle()
        let waiting = await client.outgoing
        await client.advance(.seconds(10))

        let first = try #require(client.transactions.first)
        #expect(waiting == [.waiting, .waiting])
        #expect(client.transactions.count == 4)
        #expect(client.transactions.prefix(3).allSatisfy { $0 == first })
        #expect(await client.outgoing == [.sent(EventID("$sent-1")), .sent(EventID("$sent-2"))])
    }

    @Test("when the sync gets through again, what waits is tried at once")
    func backOnline() async throws {
        let client = try await ConnectedWorker()
        client.service.answerSends(.failure(.network(.unreachable)))
        client.service.answer(.failure(.network(.unreachable)))
        await client.activity.idle()
        try await client.worker.send("one", to: lobby)
        try client.service.answer(batch("s2"))

        await client.worker.networkReturned()
        await client.activity.idle()

        #expect(await client.outgoing == [.sent(EventID("$sent-1"))])
        #expect(await client.worker.currentState()?.connection == .online)
    }

    @Test("requests stay few while the server is down: over a minute, not more than nine of each kind")
    func bounded() async throws {
        let client = try await ConnectedWorker()
        for _ in 0..<100 {
            client.service.answer(.failure(.network(.serverFault(status: 502))))
            client.service.answerSends(.failure(.network(.serverFault(status: 502))))
        }
        try await client.worker.send("one", to: lobby)

        await client.advance(.seconds(60))

        #expect((5...9).contains(client.service.polls.count - 2))
        #expect((5...9).contains(client.transactions.count))
    }

    @Test("a refusal fails the message with the server's words; retry tries it again")
    func refused() async throws {
        let client = try await ConnectedWorker()
        client.service.answerSends(.failure(.forbidden("Bob has left.")))

        try await client.worker.send("one", to: lobby)
        await client.activity.idle()
        let failed = await client.outgoing
        await client.worker.retry(in: lobby)
        await client.activity.idle()

        #expect(failed == [.failed(.refused("Bob has left."))])
        #expect(await client.outgoing == [.sent(EventID("$sent-1"))])
        #expect(Set(client.transactions).count == 1)
    }

    @Test("what cannot be sent is refused before anything is sent")
    func refusedLocally() async throws {
        let client = try await ConnectedWorker(
            first: #"{"next_batch":"s1","rooms":{"leave":{},"invite":{"\#(lobby)":{"invite_state":{"events":[]}}}}}"#)
        let unconnected = await ConnectedWorker(unconnected: ())
        let big = String(repeating: "x", count: 60_000)

        await #expect(throws: ChatError.notMember) { try await client.worker.send("hi", to: lobby) }
        await #expect(throws: ChatError.empty) { try await client.worker.send("", to: lobby) }
        await #expect(throws: ChatError.tooLarge(limit: 60_000)) {
            try await client.worker.send(big, to: RoomID("!other:words.test"))
        }
        await #expect(throws: ChatError.notConnected) { try await unconnected.worker.send("hi", to: lobby) }
        #expect(client.service.actions.isEmpty)
    }

    @Test("a session that the server ends is told once, fails what waits, and stops the loop")
    func sessionEnded() async throws {
        let client = try await ConnectedWorker()
        client.service.answerSends(.failure(.network(.unreachable)))
        try await client.worker.send("one", to: lobby)

        client.service.answer(.failure(.sessionEnded))
        await client.activity.idle()
        let polls = client.service.polls.count
        await client.advance(.seconds(300))

        let ends = await client.heard.updates.filter { $0.changes.contains(.sessionEnded) }
        #expect(ends.count == 1)
        #expect(ends.first?.state.connection == .ended)
        #expect(await client.outgoing == [.failed(.sessionEnded)])
        #expect(client.service.polls.count == polls)
        await #expect(throws: ChatError.sessionEnded) { try await client.worker.send("two", to: lobby) }
    }

    @Test("a session that has run out is told once, leaves waiting what waits, and tries nothing any more")
    func sessionExpired() async throws {
        let client = try await ConnectedWorker()
        client.service.answerSends(.failure(.network(.unreachable)))
        try await client.worker.send("one", to: lobby)

        client.service.answer(.failure(.sessionExpired))
        await client.activity.idle()
        let calls = client.service.calls
        await client.worker.networkReturned()
        await client.advance(.seconds(300))

        let ends = await client.heard.updates.filter { $0.changes.contains(.sessionExpired) }
        #expect(ends.count == 1)
        #expect(ends.first?.state.connection == .ended)
        #expect(await client.heard.updates.allSatisfy { !$0.changes.contains(.sessionEnded) })
        #expect(await client.outgoing == [.waiting])
        #expect(client.service.calls == calls)
        await #expect(throws: ChatError.sessionExpired) { try await client.worker.send("two", to: lobby) }
        await #expect(throws: ChatError.sessionExpired) { try await client.worker.join(lobby) }
    }

    @Test(
        "what a message is told of the session ends the connection at once, though a poll is held",
        arguments: [
            (ChatServiceError.sessionExpired, ChatUpdate.Change.sessionExpired, OutgoingMessage.State.waiting),
            (.sessionEnded, .sessionEnded, .failed(.sessionEnded)),
        ])
    func toldToAMessage(
        error: ChatServiceError, change: ChatUpdate.Change, state: OutgoingMessage.State
    ) async throws {
        let client = try await ConnectedWorker()
        client.service.answerSends(.failure(error))

        try await client.worker.send("one", to: lobby)
        await client.activity.idle()
        let ends = await client.heard.updates.filter { $0.changes.contains(change) }
        // The poll's own answer comes late, and is for nobody.
        try await client.news(batch("s2", timeline: [event("$2", "late")]))

        #expect(ends.count == 1)
        #expect(await client.worker.currentState()?.connection == .ended)
        #expect(await client.outgoing == [state])
        #expect(await client.bodies == ["hi"])
        #expect(client.service.polls.count == 2)
    }

    @Test("a message that is told so before the first batch has come keeps nobody waiting for it")
    func toldBeforeTheFirstBatch() async throws {
        let client = await ConnectedWorker(unconnected: ())
        client.service.answerSends(.failure(.sessionExpired))
        let connecting = Task { await client.worker.connect(session()) }
        while client.service.polls.isEmpty { await Task.yield() }

        try await client.worker.send("one", to: lobby)
        try client.service.answer(batch("s1", timeline: [event("$1", "hi")]))
        await connecting.value

        #expect(await client.worker.currentState()?.connection == .ended)
        #expect(client.activity.isIdle)
    }

    @Test("disconnecting says offline, forgets the state and ends every timer and poll")
    func disconnect() async throws {
        let client = try await ConnectedWorker()
        await client.worker.typed(in: lobby)
        await client.activity.idle()

        await client.worker.disconnect()
        let calls = client.service.calls
        await client.advance(.seconds(300))

        #expect(calls.last == .presence(.offline))
        #expect(client.service.calls == calls)
        #expect(await client.worker.currentState() == nil)
        #expect(client.activity.isIdle)
        #expect(client.clock.nextDeadline == nil)
    }

    @Test("typing is said at once, taken back after the pause, and never delays a message")
    func typing() async throws {
        let client = try await ConnectedWorker()

        await client.worker.typed(in: lobby)
        await client.advance(.seconds(4))
        await client.worker.typed(in: lobby)
        await client.advance(.seconds(6))
        await client.worker.typed(in: lobby)
        await client.activity.idle()
        try await client.worker.send("hello", to: lobby)
        await client.activity.idle()

        let typing = client.service.actions.filter { if case .typing = $0 { true } else { false } }
        #expect(typing == [.typing(true), .typing(false), .typing(true), .typing(false)])
    }

    @Test("a receipt goes out for the newest event of others, once, and not without something unread")
    func markRead() async throws {
        let unread = #","unread_notifications":{"notification_count":1}"#
        let client = try await ConnectedWorker()
        await client.worker.markRead(lobby)
        await client.activity.idle()
        let withoutUnread = client.service.actions
        try await client.news(
            batch("s2", timeline: [event("$2", "two"), event("$mine", "mine", from: alice)], more: unread))

        await client.worker.markRead(lobby)
        await client.activity.idle()
        await client.worker.markRead(lobby)
        await client.activity.idle()

        #expect(withoutUnread.isEmpty)
        #expect(client.service.actions == [.markRead(EventID("$2"))])
    }

    @Test("looking at a room asks once for the members that are not known")
    func members() async throws {
        let client = try await ConnectedWorker(
            first: batch("s1", more: #","summary":{"m.joined_member_count":2}"#))

        await client.worker.markRead(lobby)
        await client.worker.markRead(lobby)
        await client.activity.idle()

        #expect(client.service.actions == [.members(lobby)])
        #expect(await client.room?.members.count == 2)
    }

    @Test("people of an unnamed room who have not come by are asked for by name")
    func heroes() async throws {
        let client = try await ConnectedWorker(first: batch("s1", more: #","summary":{"m.heroes":["\#(bob)"]}"#))

        #expect(client.service.actions == [.displayName(bob)])
        #expect(await client.room?.members[bob]?.displayName == "Bob")
    }

    @Test("joining a room for two that one was invited to merges it into the map of such rooms")
    func joinDirect() async throws {
        let client = try await ConnectedWorker(
            first: """
                {"next_batch":"s1","rooms":{"invite":{"\(lobby)":{"invite_state":{"events":[\
                {"type":"m.room.member","state_key":"\(alice)","sender":"\(bob)",\
                "content":{"membership":"invite","is_direct":true}}]}}}}}
                """)

        try await client.worker.join(lobby)

        #expect(
            client.service.actions == [
                .join(lobby), .accountData("m.direct"),
                .setAccountData(
                    "m.direct", ["@cy:words.test": ["!old:words.test"], "@bob:words.test": ["!lobby:words.test"]]),
            ])
    }
}
