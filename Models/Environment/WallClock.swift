import Foundation

/// The only source of time for all that the product itself times.
public protocol WallClock: Sendable {
    var now: Timestamp { get }

    /// Calls `fire` once, no sooner than `delay` from now, on a thread of the clock's choice.
    func schedule(after delay: Duration, _ fire: @escaping @Sendable () -> Void) -> any ScheduledTimer
}

/// Something that is to happen later. Letting go of it does not cancel it.
public protocol ScheduledTimer: Sendable {
    /// The timer will not fire any more, unless it is firing already.
    func cancel()
}

/// The machine's own time. Delays follow the steady clock, so a step of the wall clock neither fires nor delays a timer.
public struct SystemClock: WallClock {
    public init() {}

    public var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }

    public func schedule(after delay: Duration, _ fire: @escaping @Sendable () -> Void) -> any ScheduledTimer {
        let task = Task {
            do { try await Task.sleep(for: max(delay, .zero)) } catch { return }
            fire()
        }
        return SystemTimer(task: task)
    }

    private struct SystemTimer: ScheduledTimer {
        let task: Task<Void, Never>
        func cancel() { task.cancel() }
    }
}
