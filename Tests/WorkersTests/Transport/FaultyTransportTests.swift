import Foundation
import Models
import Testing

@testable import Workers

@Suite("FaultyTransport")
struct FaultyTransportTests {
    private let clock = VirtualClock(now: start)
    private let activity = Activity()
    private let server = StubTransport { _, number in .success(.json(200, "\(number)")) }

    private func faulty(_ inner: (any Transport)? = nil) -> FaultyTransport {
        FaultyTransport(inner ?? server, environment: .virtual(clock: clock, activity: activity))
    }

    private func request(
        _ operation: Workers.Operation = .send, headers: [(name: String, value: String)] = [],
        deadline: Duration = .seconds(30)
    ) throws -> TransportRequest {
        TransportRequest(
            operation: operation, method: "GET", url: try #require(URL(string: "http://127.0.0.1:1/x")),
            headers: headers, deadline: deadline)
    }

    /// What comes of a request: the body, or the fault.
    private func outcome(_ transport: any Transport, _ request: TransportRequest) async -> String {
        do throws(NetworkFault) {
            let answer = try await transport.perform(request)
            return "\(answer.status) \(String(decoding: answer.body, as: UTF8.self))"
        } catch { return "\(error)" }
    }

    @Test("without a fault it is the network that it wraps")
    func noFault() async throws {
        #expect(await outcome(faulty(), try request()) == "200 1")
        #expect(server.calls.count == 1)
    }

    @Test("requests are counted whatever comes of them, those for news are not")
    func counts() async throws {
        let transport = faulty()
        transport.add(.fail, to: .send)

        for operation in [Workers.Operation.send, .sync, .join, .sync] {
            _ = await outcome(transport, try request(operation))
        }

        #expect(transport.requestCount == 2)
    }

    @Test("offline nothing gets through; online it does, and faults have waited")
    func offline() async throws {
        let transport = faulty()
        transport.add(.fail, to: .send)

        transport.goOffline()
        let offline = await outcome(transport, try request())
        transport.goOnline()
        let first = await outcome(transport, try request())
        let second = await outcome(transport, try request())

        #expect([offline, first, second] == ["unreachable", "unreachable", "200 1"])
    }

    @Test("a poll that the server holds breaks where the network goes, and counts from then on")
    func breaks() async throws {
        let held = Locked<CheckedContinuation<Void, Never>?>(nil)
        let inner = StubTransport { [activity] _, _ in
            await withCheckedContinuation { continuation in
                held.withLock { $0 = continuation }
                activity.park(poll: "p")
            }
            return .success(.json(200, ""))
        }
        let transport = faulty(inner)
        let poll = try request(.sync, headers: [(PollHeader.name, "p")])
        activity.beginPoll("p")
        let outcome = Task { await self.outcome(transport, poll) }
        await activity.idle()

        transport.goOffline()

        #expect(activity.outstanding == ["poll"])
        #expect(await outcome.value == "interrupted")
        activity.endPoll("p")
        held.withLock { $0 }?.resume()
    }

    @Test("requests fail as often as was said, those of other operations do not")
    func fail() async throws {
        let transport = faulty()
        transport.add(.fail, to: .send, count: 2)

        var outcomes: [String] = []
        for operation in [Workers.Operation.send, .typing, .send, .send] {
            outcomes.append(await outcome(transport, try request(operation)))
        }

        #expect(outcomes == ["unreachable", "200 1", "unreachable", "200 2"])
    }

    @Test("a lost answer has reached the server; an answer in its place has not")
    func answers() async throws {
        let transport = faulty()
        transport.add(.dropResponse, to: .send)
        transport.add(.answer(status: 429, retryAfter: .milliseconds(1_500)), to: .send)

        let lost = await outcome(transport, try request())
        let callsAfterLost = server.calls.count
        let limited = try await transport.perform(try request())

        #expect(lost == "interrupted")
        #expect(callsAfterLost == 1)
        #expect(server.calls.count == 1)
        #expect(limited.status == 429)
        #expect(limited.header("retry-after") == "2")
        let error = MatrixChatService.error(for: limited, now: start)
        #expect(error == .network(.limited(retryAfter: .seconds(2))))
    }

    @Test("a delayed request sets out later; meanwhile nothing counts that waits for it")
    func delay() async throws {
        let transport = faulty()
        transport.add(.delay(.milliseconds(500)), to: .send)
        let request = try request()

        let outcome = Locked("")
        activity.run("send") { [self] in
            let text = await self.outcome(transport, request)
            outcome.withLock { $0 = text }
        }
        await activity.idle()
        let before = (outcome.withLock { $0 }, server.calls.count)
        await clock.advance(by: .milliseconds(500)) { await activity.idle() }

        #expect(before == ("", 0))
        #expect(outcome.withLock { $0 } == "200 1")
        #expect(activity.isIdle)
    }

    @Test("a delay past the deadline is a time-out, and the server never sees the request")
    func hang() async throws {
        let transport = faulty()
        transport.add(.delay(.seconds(600)), to: .send)
        let request = try request(deadline: .seconds(30))

        let outcome = Locked("")
        activity.run("send") { [self] in
            let text = await self.outcome(transport, request)
            outcome.withLock { $0 = text }
        }
        await clock.advance(by: .seconds(30)) { await activity.idle() }

        #expect(outcome.withLock { $0 } == "timedOut")
        #expect(server.calls.isEmpty)
    }

    @Test("a delayed request breaks where the network goes")
    func delayBreaks() async throws {
        let transport = faulty()
        transport.add(.delay(.seconds(5)), to: .send)
        let request = try request()
        let outcome = Locked("")
        activity.run("send") { [self] in
            let text = await self.outcome(transport, request)
            outcome.withLock { $0 = text }
        }
        await activity.idle()

        transport.goOffline()
        await activity.idle()

        #expect(outcome.withLock { $0 } == "interrupted")
        #expect(server.calls.isEmpty)
    }
}
