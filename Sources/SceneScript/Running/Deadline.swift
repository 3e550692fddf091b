import Models

/// Waits in real time, whatever the script's clock says.
@MainActor
public struct Deadline {
    private let clock: any WallClock
    private let limit: Duration

    public init(clock: any WallClock = SystemClock(), limit: Duration) {
        self.clock = clock
        self.limit = limit
    }

    /// The result of `work`; nil where it has not come in time. A result that comes later is dropped.
    public func run<Result: Sendable>(_ work: @escaping @MainActor () async -> Result) async -> Result? {
        await first { finish in
            Task { finish(await work()) }
        }
    }

    /// What `start` hands to the function that it is given; nil where that has not been called in time.
    public func first<Result: Sendable>(_ start: (@escaping @MainActor (Result) -> Void) -> Void) async -> Result? {
        let race = Race<Result>()
        return await withCheckedContinuation { continuation in
            race.continuation = continuation
            race.timer = clock.schedule(after: limit) { Task { @MainActor in race.finish(nil) } }
            start { race.finish($0) }
        }
    }

    @MainActor
    private final class Race<Result: Sendable> {
        var continuation: CheckedContinuation<Result?, Never>?
        var timer: (any ScheduledTimer)?

        func finish(_ result: Result?) {
            timer?.cancel()
            continuation?.resume(returning: result)
            continuation = nil
        }
    }
}
