import Models

/// Holds tasks back until it is opened, and tells when one has come.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var hasVisitor = false
        var visitors: [CheckedContinuation<Void, Never>] = []
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    func open() {
        let visitors = state.withLock { state in
            state.isOpen = true
            defer { state.visitors = [] }
            return state.visitors
        }
        for visitor in visitors { visitor.resume() }
    }

    /// Returns once the gate is open.
    func wait() async {
        await withCheckedContinuation { continuation in
            let (passes, watchers) = state.withLock { state in
                state.hasVisitor = true
                defer { state.watchers = [] }
                if !state.isOpen { state.visitors.append(continuation) }
                return (state.isOpen, state.watchers)
            }
            if passes { continuation.resume() }
            for watcher in watchers { watcher.resume() }
        }
    }

    /// Returns once somebody has come to the gate.
    func waited() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if !state.hasVisitor { state.watchers.append(continuation) }
                return state.hasVisitor
            }
            if isThere { continuation.resume() }
        }
    }
}
