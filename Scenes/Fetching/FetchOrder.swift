/// Which of several fetches under way at once tells the newest truth.
///
/// An answer is of no use where a later fetch has been applied already, and misleads where something was changed here
/// after it was asked for: it may or may not show the change.
struct FetchOrder: Equatable, Sendable {
    enum Verdict: Equatable, Sendable { case apply, drop, fetchAgain }

    private var last = 0
    private var applied = 0
    private var changed = 0
    private var underWay = 0

    var isFetching: Bool { underWay > 0 }

    /// - Returns: The number of a fetch that begins now.
    mutating func begin() -> Int {
        underWay += 1
        last += 1
        return last
    }

    /// A fetch has been answered or has failed.
    mutating func end() { underWay -= 1 }

    /// Something was changed at the server, or it can be reached again: what was asked for before is of no use.
    mutating func change() { changed = last }

    /// Whether fetch `number`, which has failed now, could fare better.
    func isOutdated(_ number: Int) -> Bool { number <= changed }

    /// What to do with the answer to fetch `number`, which has come now.
    ///
    /// - Parameter isLast: Whether it is not asked for again at once: then an outdated answer is better than none.
    mutating func judge(_ number: Int, isLast: Bool = false) -> Verdict {
        if number < applied { return .drop }
        if isOutdated(number), !isLast { return .fetchAgain }
        applied = number
        return .apply
    }
}
