import Foundation
import Models

@testable import Workers

/// A network that can be taken away, and that can lose answers.
final class SwitchedTransport: Transport {
    private struct State {
        var isUp = true
        var lost: [Workers.Operation: Int] = [:]
        /// Told whether the answer has come.
        var polls: [String: CheckedContinuation<Bool, Never>] = [:]
    }

    private let state = Locked(State())
    private let inner: any Transport
    private let activity: Activity

    init(_ inner: any Transport, _ activity: Activity) {
        self.inner = inner
        self.activity = activity
    }

    /// Taking it away breaks what is held.
    func setUp(_ isUp: Bool) {
        let broken = state.withLock { state in
            state.isUp = isUp
            defer { if !isUp { state.polls = [:] } }
            return isUp ? [:] : state.polls
        }
        for (id, continuation) in broken {
            activity.unpark(poll: id)
            continuation.resume(returning: false)
        }
    }

    func dropAnswers(of operation: Workers.Operation, count: Int) { state.withLock { $0.lost[operation] = count } }

    func perform(_ request: TransportRequest) async throws(NetworkFault) -> TransportResponse {
        guard state.withLock({ $0.isUp }) else { throw .unreachable }
        let inner = inner
        let answer = Task { () -> Result<TransportResponse, NetworkFault> in
            do throws(NetworkFault) { return .success(try await inner.perform(request)) } catch {
                return .failure(error)
            }
        }
        if let id = request.header("X-Words-Poll") {
            let isWhole = await withCheckedContinuation { continuation in
                let isUp = state.withLock { state in
                    if state.isUp { state.polls[id] = continuation }
                    return state.isUp
                }
                guard isUp else { return continuation.resume(returning: false) }
                Task {
                    _ = await answer.value
                    state.withLock { $0.polls.removeValue(forKey: id) }?.resume(returning: true)
                }
            }
            guard isWhole else {
                answer.cancel()
                throw .interrupted
            }
        }
        let result = await answer.value
        let isLost = state.withLock { state in
            guard let count = state.lost[request.operation], count > 0 else { return false }
            state.lost[request.operation] = count - 1
            return true
        }
        if isLost { throw .interrupted }
        return try result.get()
    }
}
