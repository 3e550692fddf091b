import Models

/// Where long polls wait for news, without a thread each.
///
/// News and those who wait for it are behind one lock: a poll is parked only if there is no news for it, and what it
/// waits for ends its being parked in the same step that makes it known.
final class WaitingRoom: Sendable {
    /// Why a poll does not wait any longer.
    enum Reason: Equatable, Sendable {
        /// There may be something for it.
        case news
        case timeout
        /// Its session may be over: who it is has to be asked again.
        case doubt
        /// The server stops, or too many polls of one person wait.
        case turnedAway
    }

    /// Who waits, from where on, and how the activity knows it.
    struct Guest: Sendable {
        var user: UserID
        var device: DeviceID
        var since: SyncToken
        /// `doubts` before its token was looked at.
        var doubts: Int
        var pollID: String?
        var cause: RequestCause
    }

    private struct Waiting {
        var guest: Guest
        var continuation: CheckedContinuation<Reason, Never>
        var timer: (any ScheduledTimer)?
    }

    private struct State {
        var board: NewsBoard
        var waiting: [Int: Waiting] = [:]
        var byUser: [UserID: [Int]] = [:]
        var next = 0
        var doubts = 0
        var lastDoubt: [UserID: Int] = [:]
        var isStopped = false
    }

    /// So many polls of one person wait at most; the oldest gives way.
    static let limitPerUser = 32

    private let state: Locked<State>
    private let activity: Activity

    init(board: NewsBoard, activity: Activity) {
        state = Locked(State(board: board))
        self.activity = activity
    }

    /// How often a session has ended so far.
    var doubts: Int { state.withLock { $0.doubts } }

    func look<Result>(_ body: (NewsBoard) -> Result) -> Result { state.withLock { body($0.board) } }

    /// Makes news known and wakes whom it concerns.
    func tell(_ change: (inout NewsBoard) -> Set<UserID>) {
        let woken = state.withLock { state in
            var woken: [Waiting] = []
            for user in change(&state.board) {
                for id in state.byUser[user] ?? [] { if let one = take(id, &state) { woken.append(one) } }
            }
            return woken
        }
        for one in woken { Self.resume(one, .news) }
    }

    /// Lets a state machine of the board handle an event and makes known what it publishes.
    func update<Result>(_ change: (inout NewsBoard) -> (Result, Set<UserID>)) -> Result {
        var result: Result?
        var concerned: Set<UserID> = []
        tell { board in
            let outcome = change(&board)
            result = outcome.0
            concerned = outcome.1
            return concerned
        }
        guard let result else { preconditionFailure("tell does not call its closure") }
        return result
    }

    /// Waits until there may be news for `guest`, or `wake` is called with the id that `arm` is given.
    func wait(_ guest: Guest, arm: (Int) -> any ScheduledTimer) async -> Reason {
        await withCheckedContinuation { continuation in
            let (id, reason, evicted) = state.withLock { state -> (Int?, Reason?, Waiting?) in
                if let reason = objection(to: guest, state) { return (nil, reason, nil) }
                // Who gives way counts again before the new one stops counting: the count never touches zero between.
                let places = state.byUser[guest.user] ?? []
                let evicted = places.count < Self.limitPerUser ? nil : places.first.flatMap { take($0, &state) }
                let id = state.next
                state.next += 1
                state.waiting[id] = Waiting(guest: guest, continuation: continuation)
                state.byUser[guest.user, default: []].append(id)
                guest.cause.park()
                if let poll = guest.pollID { activity.park(poll: poll) }
                return (id, nil, evicted)
            }
            if let reason { return continuation.resume(returning: reason) }
            if let evicted { Self.resume(evicted, .turnedAway) }
            guard let id else { return }
            let timer = arm(id)
            let isWaiting = state.withLock { state in
                state.waiting[id]?.timer = timer
                return state.waiting[id] != nil
            }
            if !isWaiting { timer.cancel() }
        }
    }

    /// Ends one poll's wait; does nothing where it is over already.
    func wake(_ id: Int, _ reason: Reason) {
        if let one = state.withLock({ take(id, &$0) }) { Self.resume(one, reason) }
    }

    /// A session is over.
    func drop(_ user: UserID, _ device: DeviceID) {
        let woken = state.withLock { state in
            state.doubts += 1
            state.lastDoubt[user] = state.doubts
            return (state.byUser[user] ?? []).filter { state.waiting[$0]?.guest.device == device }
                .compactMap { take($0, &state) }
        }
        for one in woken { Self.resume(one, .doubt) }
    }

    func stop() {
        let woken = state.withLock { state in
            state.isStopped = true
            return state.waiting.keys.sorted().compactMap { take($0, &state) }
        }
        for one in woken { Self.resume(one, .turnedAway) }
    }

    private func objection(to guest: Guest, _ state: State) -> Reason? {
        if state.isStopped { return .turnedAway }
        if state.lastDoubt[guest.user] ?? 0 > guest.doubts { return .doubt }
        return state.board.hasNews(for: guest.user, since: guest.since) ? .news : nil
    }

    /// Takes a poll out and counts it as activity again, under the lock.
    private func take(_ id: Int, _ state: inout State) -> Waiting? {
        guard let one = state.waiting.removeValue(forKey: id) else { return nil }
        let user = one.guest.user
        state.byUser[user]?.removeAll { $0 == id }
        if state.byUser[user]?.isEmpty ?? false { state.byUser[user] = nil }
        one.guest.cause.unpark()
        if let poll = one.guest.pollID { activity.unpark(poll: poll) }
        return one
    }

    private static func resume(_ one: Waiting, _ reason: Reason) {
        one.timer?.cancel()
        one.continuation.resume(returning: reason)
    }
}
