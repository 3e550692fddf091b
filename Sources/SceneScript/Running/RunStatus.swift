/// How a run has ended, for whoever started it; the worse, the greater.
public enum RunStatus: Int32, Comparable, Sendable, CaseIterable {
    case success = 0
    /// Nothing of it could be played on that server.
    case skipped = 77
    /// An expectation differs.
    case differs = 1
    /// The script, or the command line, is wrong.
    case usage = 2
    case deadline = 3
    /// The server cannot be reached, or refuses.
    case unreachable = 4
    /// A fault of ours.
    case fault = 5

    private var rank: Int32 { self == .skipped ? 0 : rawValue * 2 + (self == .success ? -1 : 0) }

    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
}
