import Models

/// Lets one at a time in, in the order of their coming: for what is read, changed and written back.
final class Turn: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    /// Returns when it is one's turn; `leave` is to follow.
    func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                defer { state.isTaken = true }
                if state.isTaken { state.waiting.append(continuation) }
                return !state.isTaken
            }
            if isFree { continuation.resume() }
        }
    }

    func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
