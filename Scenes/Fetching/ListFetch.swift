import Models

/// Fetches a list, and again where the answer would mislead: one for all fetches of a scene.
///
/// What keeps changing faster than it can be fetched is shown as it was a moment ago, and asked for anew after a pause.
@MainActor
final class ListFetch {
    /// Between what could not be had up to date and the next try.
    static let pause = Duration.seconds(2)
    /// How often in a row something is asked for.
    private static let attempts = 2

    private var order = FetchOrder()
    private var isBehind = false
    private var timer: (any ScheduledTimer)?

    var isFetching: Bool { order.isFetching }

    /// Whether the next try is to come by itself.
    var isPausing: Bool { timer != nil }

    deinit { timer?.cancel() }

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
        var left = Self.attempts
        while isWanted() {
            let (number, answer) = try await attempt(&left, while: isWanted, isReachable, ask)
            switch order.judge(number, isLast: left == 0) {
            case .drop: return nil
            case .fetchAgain: continue
            case .apply:
                if order.isOutdated(number) { isBehind = true }
                return answer
            }
        }
        return nil
    }

    /// The same for what is done once and gives no list: again only where it failed.
    func done<Failure>(
        while isWanted: () -> Bool, isReachable: () -> Bool, _ action: () async throws(Failure) -> Void
    ) async throws(Failure) {
        var left = Self.attempts
        _ = try await attempt(&left, while: isWanted, isReachable, action)
    }

    /// Does `again` after a pause, once, where something has changed during the last try that was made.
    func catchUp(_ environment: Environment, _ again: @escaping @MainActor @Sendable () async -> Void) {
        guard isBehind else { return }
        cancelPause()
        timer = environment.after(Self.pause, "fetch again") { [weak self] in
            await self?.endPause()
            await again()
        }
    }

    /// It is asked for now, or not wanted any more.
    func cancelPause() {
        isBehind = false
        endPause()
    }

    private func endPause() {
        timer?.cancel()
        timer = nil
    }

    private func attempt<Answer, Failure>(
        _ left: inout Int, while isWanted: () -> Bool, _ isReachable: () -> Bool,
        _ ask: () async throws(Failure) -> Answer
    ) async throws(Failure) -> (number: Int, answer: Answer) {
        while true {
            left -= 1
            let number = order.begin()
            defer { order.end() }
            do throws(Failure) { return (number, try await ask()) } catch {
                guard order.isOutdated(number), isWanted(), isReachable() else { throw error }
                guard left > 0 else {
                    isBehind = true
                    throw error
                }
            }
        }
    }
}
