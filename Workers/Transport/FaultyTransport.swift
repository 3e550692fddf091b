import Foundation
import Models

/// A network with faults, between one client and its server: for tests and scripts, of Words and of whoever uses it.
///
/// Each fault but being offline meets one request, the next one of its operation; faults of one operation meet requests
/// in the order in which they were set. A request that is held back counts as parked in the environment's activity, and
/// so does all that waits for it: what goes on settles although it is under way.
public final class FaultyTransport: Transport {
    public enum Fault: Equatable, Sendable {
        /// The request does not reach the server.
        case fail
        /// The request sets out this much later, by the environment's clock. Where its deadline comes first, it never
        /// does.
        case delay(Duration)
        /// The server does what is asked, and the answer gets lost.
        case dropResponse
        /// This answer comes instead of the server's, which never sees the request.
        case answer(status: Int, retryAfter: Duration?)
    }

    private struct State {
        var isOnline = true
        var faults: [Operation: [Fault]] = [:]
        /// What breaks each request under way where the network goes.
        var breaks: [Int: @Sendable () -> Void] = [:]
        var lastRequest = 0
        var requestCount = 0
    }

    private let inner: any Transport
    private let environment: Environment
    private let state = Locked(State())

    public init(_ inner: any Transport, environment: Environment) {
        self.inner = inner
        self.environment = environment
    }

    public var isOnline: Bool { state.withLock { $0.isOnline } }

    /// The requests so far, whatever came of them, but for those for news.
    public var requestCount: Int { state.withLock { $0.requestCount } }

    /// From now on nobody can be reached. Whatever is under way breaks; the server may have seen it.
    public func goOffline() {
        state.withLock { $0.isOnline = false }
        breakAll()
    }

    /// The network is there again. Whoever waits for it is not told: see `Client.networkReturned`.
    public func goOnline() { state.withLock { $0.isOnline = true } }

    /// Breaks whatever is under way, as a server does that ends.
    public func breakAll() {
        let breaks = state.withLock { state in
            defer { state.breaks = [:] }
            return state.breaks.values
        }
        for broken in breaks { broken() }
    }

    /// Lets `fault` happen to the next `count` requests for `operation` that no other fault is for.
    public func add(_ fault: Fault, to operation: Operation, count: Int = 1) {
        state.withLock { $0.faults[operation, default: []] += Array(repeating: fault, count: count) }
    }

    public func perform(_ request: TransportRequest) async throws(NetworkFault) -> TransportResponse {
        let (isOnline, fault) = state.withLock { state -> (Bool, Fault?) in
            if request.operation != .sync { state.requestCount += 1 }
            guard state.isOnline else { return (false, nil) }
            guard let fault = state.faults[request.operation]?.first else { return (true, nil) }
            state.faults[request.operation]?.removeFirst()
            return (true, fault)
        }
        guard isOnline else { throw .unreachable }
        switch fault {
        case nil: return try await pass(request)
        case .fail: throw .unreachable
        case .delay(let delay): return try await pass(request, after: delay)
        case .dropResponse:
            _ = try await pass(request)
            throw .interrupted
        case .answer(let status, let retryAfter): return Self.answer(status, retryAfter)
        }
    }

    private func pass(_ request: TransportRequest, after delay: Duration) async throws(NetworkFault)
        -> TransportResponse
    {
        guard await hold(for: min(delay, request.deadline)) else { throw .interrupted }
        guard delay < request.deadline else { throw .timedOut }
        guard isOnline else { throw .unreachable }
        var rest = request
        rest.deadline -= delay
        return try await pass(rest)
    }

    /// False where the network went before the time was over.
    private func hold(for delay: Duration) async -> Bool {
        let pause = ActivityPause()
        return await withCheckedContinuation { continuation in
            let ending = Ending<Bool> { hasPassed in
                pause.end()
                continuation.resume(returning: hasPassed)
            }
            let number = register { ending.come(false) }
            _ = environment.clock.schedule(after: delay) { [self] in
                unregister(number)
                ending.come(true)
            }
            pause.begin()
        }
    }

    /// The server's answer, unless the network goes before it is there.
    private func pass(_ request: TransportRequest) async throws(NetworkFault) -> TransportResponse {
        let result = await withCheckedContinuation { continuation in
            let ending = Ending<Result<TransportResponse, NetworkFault>> { continuation.resume(returning: $0) }
            let answer = Task {
                let result: Result<TransportResponse, NetworkFault>
                do throws(NetworkFault) { result = .success(try await inner.perform(request)) } catch {
                    result = .failure(error)
                }
                ending.come(result)
            }
            let activity = environment.activity
            let number = register {
                // A poll that the server holds does not count; from here until its caller has handled this, it does.
                if let poll = request.header(PollHeader.name) { activity.unpark(poll: poll) }
                ending.come(.failure(.interrupted))
                answer.cancel()
            }
            ending.then { [self] in unregister(number) }
        }
        return try result.get()
    }

    /// What to do where the network goes; at once where it has gone already.
    private func register(_ broken: @escaping @Sendable () -> Void) -> Int {
        let (number, isOnline) = state.withLock { state in
            state.lastRequest += 1
            if state.isOnline { state.breaks[state.lastRequest] = broken }
            return (state.lastRequest, state.isOnline)
        }
        if !isOnline { broken() }
        return number
    }

    private func unregister(_ number: Int) { _ = state.withLock { $0.breaks.removeValue(forKey: number) } }

    private static func answer(_ status: Int, _ retryAfter: Duration?) -> TransportResponse {
        let name = status == 429 ? "M_LIMIT_EXCEEDED" : "M_UNKNOWN"
        let wait = retryAfter.map { ",\"retry_after_ms\":\($0.milliseconds)" } ?? ""
        let words = status == 429 ? "There were too many requests." : "The request was not done."
        var headers = [(name: "Content-Type", value: "application/json")]
        if let retryAfter {
            headers.append(("Retry-After", String((max(retryAfter.milliseconds, 0) + 999) / 1_000)))
        }
        let body = "{\"errcode\":\"\(name)\",\"error\":\"\(words)\",\"message\":\"\(words)\"\(wait)}"
        return TransportResponse(status: status, headers: headers, body: Data(body.utf8))
    }
}

/// What comes first is told, once.
private final class Ending<Value: Sendable>: Sendable {
    private enum State {
        case open((@Sendable () -> Void)?)
        case over
    }

    private let tell: @Sendable (Value) -> Void
    private let state = Locked(State.open(nil))

    init(_ tell: @escaping @Sendable (Value) -> Void) { self.tell = tell }

    func come(_ value: Value) {
        let (isFirst, after) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            guard case .open(let after) = state else { return (false, nil) }
            state = .over
            return (true, after)
        }
        guard isFirst else { return }
        after?()
        tell(value)
    }

    /// Called once a value has come; at once where it has.
    func then(_ after: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            guard case .open = state else { return true }
            state = .open(after)
            return false
        }
        if isOver { after() }
    }
}
