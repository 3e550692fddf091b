/// What a task is counted for, and for how long it is not: while it waits for what only time, or the end of an injected
/// fault, can bring.
extension Activity {
    enum Cause: Sendable {
        case work(Activity, Int)
        case poll(Activity, String)

        fileprivate func pause() {
            switch self {
            case .work(let activity, let id): activity.pause(id)
            case .poll(let activity, let id): activity.park(poll: id)
            }
        }

        fileprivate func goOn() {
            switch self {
            case .work(let activity, let id): activity.goOn(id)
            case .poll(let activity, let id): activity.unpark(poll: id)
            }
        }
    }

    /// Whatever the current task is being done for: the work that waits where it waits.
    @TaskLocal static var causes: [Cause] = []

    /// Does `work` for the poll `id`, or for nothing that is counted.
    public static func during(
        poll id: String?, of activity: Activity, isolation: isolated (any Actor)? = #isolation,
        _ work: () async -> Void
    ) async {
        await $causes.withValue(id.map { [.poll(activity, $0)] } ?? [], operation: work, isolation: isolation)
    }
}

/// A time in which the work of the task that made it does not count. It begins and ends once; an end that comes first
/// lets it never begin. What is over by then stays uncounted.
public final class ActivityPause: Sendable {
    private enum State { case ready, on, over }

    private let causes = Activity.causes
    private let state = Locked(State.ready)

    public init() {}

    public func begin() {
        state.withLock { state in
            guard state == .ready else { return }
            state = .on
            causes.forEach { $0.pause() }
        }
    }

    /// To be called by whatever ends the wait, before that itself stops to count.
    public func end() {
        state.withLock { state in
            defer { state = .over }
            guard state == .on else { return }
            causes.forEach { $0.goOn() }
        }
    }
}

/// A continuation whose task does not count from `pause` until it is resumed.
public struct PausedContinuation: Sendable {
    private let continuation: CheckedContinuation<Void, Never>
    private let wait = ActivityPause()

    /// To be made in the task that waits.
    public init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }

    public func pause() { wait.begin() }

    /// Once. To be called while something else counts.
    public func resume() {
        wait.end()
        continuation.resume()
    }
}

/// Work that several may wait for. Its own task counts for whoever began it; the others do not count while they wait.
public final class SharedWork<Value: Sendable>: Sendable {
    private let task: Task<Value, Never>
    private let pauses: Locked<[ActivityPause]?>

    public init(_ work: @escaping @Sendable () async -> Value) {
        let pauses = Locked<[ActivityPause]?>([])
        self.pauses = pauses
        task = Task {
            let value = await work()
            let waiting = pauses.withLock { pauses in
                defer { pauses = nil }
                return pauses ?? []
            }
            waiting.forEach { $0.end() }
            return value
        }
    }

    /// The result, for the one who began it.
    public var value: Value { get async { await task.value } }

    /// The result, for one who comes later.
    public var joined: Value {
        get async {
            let pause = ActivityPause()
            pauses.withLock { pauses in
                guard pauses != nil else { return }
                pauses?.append(pause)
                pause.begin()
            }
            return await task.value
        }
    }
}
