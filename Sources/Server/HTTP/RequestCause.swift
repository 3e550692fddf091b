import Models

/// What a request under way is to the activity: a cause from its arrival until it has been handled, but for the time
/// that it is parked. Every call is idempotent, and nothing counts after `end`.
final class RequestCause: Sendable {
    private enum State { case idle, counted, parked, ended }

    private static let name = "server request"
    private let activity: Activity?
    private let state = Locked(State.idle)

    init(activity: Activity?) { self.activity = activity }

    func begin() { move(from: .idle, to: .counted) { $0.begin(Self.name) } }

    /// The request waits for news that may never come. Once per wait; see `Activity.park`.
    func park() { move(from: .counted, to: .parked) { $0.end(Self.name) } }

    /// News has come, and this is called before its cause is over.
    func unpark() { move(from: .parked, to: .counted) { $0.begin(Self.name) } }

    func end() {
        let wasCounted = state.withLock { state in
            defer { state = .ended }
            return state == .counted
        }
        if wasCounted { activity?.end(Self.name) }
    }

    private func move(from: State, to: State, _ change: (Activity) -> Void) {
        let moves = state.withLock { state in
            guard state == from else { return false }
            state = to
            return true
        }
        if moves, let activity { change(activity) }
    }
}
