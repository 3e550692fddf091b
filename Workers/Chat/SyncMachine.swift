import Models

/// The one loop of news, without its I/O: when to poll, from where, how long to wait after a failure, when it is over.
///
/// ```
/// idle ─start→ polling ─applied→ polling …
///                 │ failed → waiting ─timer, or the network is back→ polling
///                 │ session over → ended, also from waiting
/// ```
/// The position moves only by `applied`, so a batch that was not applied is asked for again.
public struct SyncMachine: Equatable, Sendable {
    public enum Phase: Equatable, Sendable { case idle, polling, waiting, ended }

    public enum Event: Equatable, Sendable {
        case start
        /// The answer has been applied; it ended at `position`.
        case applied(position: String)
        /// `fraction` in `0..<1` is the jitter.
        case failed(ChatServiceError, at: Timestamp, fraction: Double)
        case timerFired
        /// Another request got through, or the system says so: no reason to wait on.
        case networkReturned
        /// Another request was told that the session is over, and by which of the two errors.
        case sessionOver(ChatServiceError)
        case stop
    }

    public enum Action: Equatable, Sendable {
        case poll(since: String?, hold: Duration, deadline: Duration)
        case wait(Duration)
        case cancelWait
        case connection(Connection)
        /// The session is over. Where it has only run out, all that is kept of it stays for its owner.
        case end(isExpired: Bool)
    }

    /// An answer later than the hold and this is taken for lost.
    static let grace = Duration.seconds(15)
    /// The first answer bears everything: it may take its time.
    static let firstDeadline = Duration.seconds(300)

    public private(set) var phase = Phase.idle
    /// Whether it has ended because the session has run out.
    public private(set) var isExpired = false
    /// Where the last applied batch ended.
    public private(set) var position: String?
    private let hold: Duration
    private var failures = 0
    private var isLimited = false
    /// Whether no answer has come in this run: the first is wanted at once, and may bear much.
    private var isFirst = true
    /// How many times in a row the answer was late; each doubles the next limit.
    private var lateAnswers = 0
    /// Whether the server refused the position; then everything is asked for anew, once.
    private var positionWasRefused = false

    /// `position` is where the last stored batch ended.
    public init(hold: Duration, position: String? = nil) {
        self.hold = hold
        self.position = position
    }

    public mutating func handle(_ event: Event) -> [Action] {
        switch (event, phase) {
        case (.start, .idle): return [.connection(.connecting), poll()]
        case (.applied(let position), .polling):
            self.position = position
            failures = 0
            isFirst = false
            lateAnswers = 0
            positionWasRefused = false
            return [.connection(.online), poll()]
        case (.failed(let error, let now, let fraction), .polling): return fail(error, now, fraction)
        case (.timerFired, .waiting): return [poll()]
        case (.networkReturned, .waiting):
            // A wait that the server asked for is kept to.
            return isLimited ? [] : [.cancelWait, poll()]
        case (.sessionOver(let error), .polling): return end(error)
        case (.sessionOver(let error), .waiting): return [.cancelWait] + end(error)
        case (.stop, .waiting):
            phase = .ended
            return [.cancelWait]
        case (.stop, _):
            phase = .ended
            return []
        default: return []
        }
    }

    private mutating func poll() -> Action {
        phase = .polling
        // After a failure the first answer is wanted at once, news or not: it says that the server is there again.
        let hold = position == nil || failures > 0 || isFirst ? Duration.zero : hold
        // An answer that is late again and again is a large one: given twice the time, it comes at last.
        let patience = 1 << min(lateAnswers, 4)
        let deadline = position == nil ? Self.firstDeadline * patience : hold + Self.grace * patience
        return .poll(since: position, hold: hold, deadline: deadline)
    }

    private mutating func end(_ error: ChatServiceError) -> [Action] {
        phase = .ended
        isExpired = error == .sessionExpired
        return [.connection(.ended), .end(isExpired: isExpired)]
    }

    private mutating func fail(_ error: ChatServiceError, _ now: Timestamp, _ fraction: Double) -> [Action] {
        if error.endsSession { return end(error) }
        failures += 1
        lateAnswers = error == .network(.timedOut) ? lateAnswers + 1 : 0
        if case .refused = error, position != nil, !positionWasRefused {
            position = nil
            positionWasRefused = true
        }
        let fault = error.fault
        let asked = fault.askedWait
        isLimited = asked != nil
        let delay = Backoff.delay(failures: failures, fraction: fraction, asked: asked)
        phase = .waiting
        return [.connection(.offline(reason: fault, retryAt: now + delay)), .wait(delay)]
    }
}

extension ChatServiceError {
    /// No later request will fare better in this session.
    var endsSession: Bool { self == .sessionEnded || self == .sessionExpired }

    /// What the failure says about the way to the server. A refusal of what must be granted counts as its fault.
    var fault: NetworkFault {
        switch self {
        case .network(let fault): fault
        case .sessionEnded, .sessionExpired: .serverFault(status: 401)
        case .forbidden: .serverFault(status: 403)
        case .notFound: .serverFault(status: 404)
        case .tooLarge: .serverFault(status: 413)
        case .taken, .refused: .serverFault(status: 400)
        }
    }
}
