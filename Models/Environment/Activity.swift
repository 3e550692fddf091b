/// Counts causes that have not been handled to the end, so that "settled" is known from events and not from waiting.
///
/// A cause is a request from its start to the handling of its result, a timer from its firing to the end of its work, a
/// published event until every subscriber has returned. A long poll is a cause too, but for the time that the server
/// holds it: whoever holds it calls `park`, whoever wakes it calls `unpark` before the news that woke it is answered,
/// so that the count never touches zero between a cause and its effect.
public final class Activity: Sendable {
    private struct Work {
        var cause: String
        /// How many of those who wait have stopped it from counting.
        var pauses = 0
    }

    private struct State {
        var causes: [String: Int] = [:]
        var total = 0
        /// Polls under way, by id; true while the server holds them.
        var polls: [String: Bool] = [:]
        var waiters: [CheckedContinuation<Void, Never>] = []
        /// Work that a task is known to be done for, by number.
        var works: [Int: Work] = [:]
        var lastWork = 0

        mutating func add(_ cause: String, _ change: Int) -> [CheckedContinuation<Void, Never>] {
            total += change
            causes[cause, default: 0] += change
            if causes[cause] == 0 { causes[cause] = nil }
            guard total == 0 else { return [] }
            defer { waiters = [] }
            return waiters
        }
    }

    private let state = Locked(State())

    public init() {}

    /// Whether every cause has been handled to the end.
    public var isIdle: Bool { state.withLock { $0.total == 0 } }

    /// What is still going on, by name, for the message of a deadline that has passed.
    public var outstanding: [String] {
        state.withLock { state in
            state.causes.map { $0.value == 1 ? $0.key : "\($0.key) (\($0.value))" }.sorted()
        }
    }

    public func begin(_ cause: String) { change { $0.add(cause, 1) } }

    public func end(_ cause: String) { change { $0.add(cause, -1) } }

    /// Starts `work` as a task of its own that counts until it has returned.
    @discardableResult
    public func run(_ cause: String, _ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        let id = start(cause)
        return Task {
            await Self.$causes.withValue([.work(self, id)]) { await work() }
            finish(id)
        }
    }

    /// Does `work` here, counted from now until it has returned or thrown.
    public func during<Result, Failure: Error>(
        _ cause: String, isolation: isolated (any Actor)? = #isolation, _ work: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let id = start(cause)
        defer { finish(id) }
        let result = await Self.$causes.withValue(
            Self.causes + [.work(self, id)],
            operation: { () async -> Swift.Result<Result, Failure> in
                do throws(Failure) { return .success(try await work()) } catch { return .failure(error) }
            }, isolation: isolation)
        return try result.get()
    }

    /// Returns once nothing is going on; at once where nothing is.
    public func idle() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                guard state.total > 0 else { return true }
                state.waiters.append(continuation)
                return false
            }
            if isIdle { continuation.resume() }
        }
    }

    private func start(_ cause: String) -> Int {
        var id = 0
        change { state in
            state.lastWork += 1
            id = state.lastWork
            state.works[id] = Work(cause: cause)
            return state.add(cause, 1)
        }
        return id
    }

    private func finish(_ id: Int) {
        change { state in
            guard let work = state.works.removeValue(forKey: id), work.pauses == 0 else { return [] }
            return state.add(work.cause, -1)
        }
    }

    func pause(_ id: Int) {
        change { state in
            guard var work = state.works[id] else { return [] }
            work.pauses += 1
            state.works[id] = work
            return work.pauses == 1 ? state.add(work.cause, -1) : []
        }
    }

    func goOn(_ id: Int) {
        change { state in
            guard var work = state.works[id] else { return [] }
            work.pauses -= 1
            state.works[id] = work
            return work.pauses == 0 ? state.add(work.cause, 1) : []
        }
    }

    private func change(_ body: (inout State) -> [CheckedContinuation<Void, Never>]) {
        for waiter in state.withLock(body) { waiter.resume() }
    }
}

/// Long polls. Each call is idempotent and ignores polls that are over, so a poll that its client has given up while
/// the server still held it leaves the count right.
extension Activity {
    private static let poll = "poll"

    /// The client is about to send the poll `id`.
    public func beginPoll(_ id: String) {
        change { state in
            guard state.polls[id] == nil else { return [] }
            state.polls[id] = false
            return state.add(Self.poll, 1)
        }
    }

    /// The server has nothing new and holds the poll.
    public func park(poll id: String) {
        change { state in
            guard state.polls[id] == false else { return [] }
            state.polls[id] = true
            return state.add(Self.poll, -1)
        }
    }

    /// The server is about to answer the poll.
    public func unpark(poll id: String) {
        change { state in
            guard state.polls[id] == true else { return [] }
            state.polls[id] = false
            return state.add(Self.poll, 1)
        }
    }

    /// The client has handled the answer, or has given the poll up.
    public func endPoll(_ id: String) {
        change { state in
            guard let isParked = state.polls.removeValue(forKey: id), !isParked else { return [] }
            return state.add(Self.poll, -1)
        }
    }
}
