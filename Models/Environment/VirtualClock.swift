/// A clock that stands still until it is advanced: scripts and tests live by it.
public final class VirtualClock: WallClock {
    private struct Entry {
        var deadline: Timestamp
        var order: Int
        var fire: @Sendable () -> Void
    }

    private struct State {
        var now: Timestamp
        var next = 0
        var timers: [Int: Entry] = [:]

        var earliest: Entry? {
            timers.values.min { ($0.deadline, $0.order) < ($1.deadline, $1.order) }
        }
    }

    private let state: Locked<State>

    public init(now: Timestamp) { state = Locked(State(now: now)) }

    public var now: Timestamp { state.withLock { $0.now } }

    /// When the earliest pending timer is due.
    public var nextDeadline: Timestamp? { state.withLock { $0.earliest?.deadline } }

    public func schedule(after delay: Duration, _ fire: @escaping @Sendable () -> Void) -> any ScheduledTimer {
        let order = state.withLock { state in
            defer { state.next += 1 }
            state.timers[state.next] = Entry(
                deadline: state.now + max(delay, .zero), order: state.next, fire: fire)
            return state.next
        }
        return VirtualTimer(clock: self, order: order)
    }

    /// Moves to the earliest timer due by `limit` and fires it. False where there is none: then the time is `limit`.
    public func fireNext(upTo limit: Timestamp) -> Bool {
        let entry: Entry? = state.withLock { state in
            guard let entry = state.earliest, entry.deadline <= limit else {
                state.now = max(state.now, limit)
                return nil
            }
            state.timers[entry.order] = nil
            state.now = max(state.now, entry.deadline)
            return entry
        }
        entry?.fire()
        return entry != nil
    }

    /// Settles, fires the earliest timer, settles, and so on, until `duration` has passed.
    public func advance(
        by duration: Duration, isolation: isolated (any Actor)? = #isolation, settle: () async throws -> Void
    ) async rethrows {
        let limit = now + duration
        repeat { try await settle() } while fireNext(upTo: limit)
    }

    private struct VirtualTimer: ScheduledTimer {
        let clock: VirtualClock
        let order: Int
        func cancel() { clock.state.withLock { $0.timers[order] = nil } }
    }
}
