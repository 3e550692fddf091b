import Foundation
import Models

@testable import Workers

/// A network that can be taken away, and that can lose answers.
final class SwitchedTransport: Transport {
    private struct State {
        var isUp = true
        var lost: [Workers.Operation: Int] = [:]
        var polls: [String: CheckedContinuation<Void, Never>] = [:]
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
            continuation.resume()
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
            await withCheckedContinuation { continuation in
                state.withLock { $0.polls[id] = continuation }
                Task {
                    _ = await answer.value
                    state.withLock { $0.polls.removeValue(forKey: id) }?.resume()
                }
            }
            guard state.withLock({ $0.isUp }) else {
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
