import Models

/// One's own typing in one room: said on the first key, repeated while keys go on, taken back by itself.
///
/// Never a toggle: each request says how it is, so one that is lost is put right by the next, or by the server's own
/// time-out. One request at a time, so that two never overtake each other. Client-server API, "Typing notifications".
public struct TypingMachine: Equatable, Sendable {
    public enum Event: Equatable, Sendable {
        case key(at: Timestamp)
        /// A message has been handed in: the server takes the typing back when it stores it.
        case messageSent
        case stopTimerFired
        /// The request under way has ended, either way.
        case answered
        case stop
    }

    public enum Action: Equatable, Sendable {
        case send(Bool)
        /// Takes the place of an earlier timer.
        case startStopTimer(Duration)
        case cancelStopTimer
    }

    /// How long after the last key typing ends.
    static let pause = Duration.seconds(5)
    /// How often it is said again while keys go on.
    static let repetition = Duration.seconds(20)
    /// How long the server is to believe it.
    static let timeout = Duration.seconds(30)

    /// Whether this person is typing now.
    private var isTyping = false
    /// What the server was told last, and when.
    private var told = false
    private var toldAt: Timestamp?
    private var lastKeyAt: Timestamp?
    private var isBusy = false

    public init() {}

    public mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .key(let now):
            isTyping = true
            lastKeyAt = now
            if let toldAt, told, now - toldAt >= Self.repetition { told = false }
            return tell() + [.startStopTimer(Self.pause)]
        case .messageSent, .stopTimerFired, .stop:
            guard isTyping else { return [] }
            isTyping = false
            return [.cancelStopTimer] + tell()
        case .answered:
            isBusy = false
            return tell()
        }
    }

    private mutating func tell() -> [Action] {
        guard isTyping != told, !isBusy else { return [] }
        isBusy = true
        told = isTyping
        toldAt = lastKeyAt
        return [.send(isTyping)]
    }
}
