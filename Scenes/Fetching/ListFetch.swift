/// Fetches a list, and again where the answer would mislead: one for all fetches of a scene.
@MainActor
final class ListFetch {
    private var order = FetchOrder()

    var isFetching: Bool { order.isFetching }

    /// Something was changed at the server, or it can be reached again: what was asked for before is asked for again.
    func change() { order.change() }

    /// - Parameters:
    ///   - isWanted: False once the scene has gone: nothing is asked any more.
    ///   - isReachable: Whether asking again could fare better.
    /// - Returns: The answer that is to be shown; nil where a newer one is shown already, or nothing is wanted.
    func newest<Answer, Failure>(
        while isWanted: () -> Bool, isReachable: () -> Bool = { true },
        _ ask: () async throws(Failure) -> Answer
    ) async throws(Failure) -> Answer? {
        while isWanted() {
            let (number, answer) = try await attempt(while: isWanted, isReachable, ask)
            switch order.judge(number) {
            case .drop: return nil
            case .fetchAgain: continue
            case .apply: return answer
            }
        }
        return nil
    }

    /// The same for what is done once and gives no list: again only where it failed.
    func done<Failure>(
        while isWanted: () -> Bool, isReachable: () -> Bool, _ action: () async throws(Failure) -> Void
    ) async throws(Failure) {
        _ = try await attempt(while: isWanted, isReachable, action)
    }

    private func attempt<Answer, Failure>(
        while isWanted: () -> Bool, _ isReachable: () -> Bool, _ ask: () async throws(Failure) -> Answer
    ) async throws(Failure) -> (number: Int, answer: Answer) {
        while true {
            let number = order.begin()
            defer { order.end() }
            do throws(Failure) { return (number, try await ask()) } catch {
                guard order.isOutdated(number), isWanted(), isReachable() else { throw error }
            }
        }
    }
}
