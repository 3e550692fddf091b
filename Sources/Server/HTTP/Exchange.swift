import CMicrohttpd
import Foundation

/// One request and its answer, from the request line to the last byte. Lives on the event thread only.
final class Exchange {
    enum Phase {
        /// The head has not been looked at.
        case arriving
        case receiving
        /// The body is too large; what follows is thrown away.
        case discarding(HTTPResponse)
        /// The handler has it, the connection is suspended.
        case handling(Task<Void, Never>)
        case answered(HTTPResponse)
        /// The answer is being sent.
        case sending
    }

    let id: Int
    let target: String
    let connection: OpaquePointer
    var phase = Phase.arriving
    var method = ""
    /// Empty once the handler has them.
    var headers = HTTPHeaders()
    var crossOriginHeaders: [(String, String)] = []
    var body = Data()
    var discarded = 0
    /// What had come of the body when bytes were last found waiting behind it.
    var takenBeforeWaiting: Int?
    var handlingSince: Timepoint?
    var hasBeenGivenUp = false

    init(id: Int, target: String, connection: OpaquePointer) {
        self.id = id
        self.target = target
        self.connection = connection
    }

    /// The body is still to come.
    var isReceiving: Bool {
        switch phase {
        case .receiving, .discarding: true
        case .arriving, .handling, .answered, .sending: false
        }
    }

    var path: String { String(target.prefix { $0 != "?" }) }
}

/// What the watchdog knows of one connection. Lives on the event thread only.
final class Connection {
    enum Phase { case idle, receiving, handling, answering }

    let address: String
    let descriptor: Int32
    private(set) var phase = Phase.idle
    private(set) var since = Timepoint.now()

    init(address: String, descriptor: Int32) {
        self.address = address
        self.descriptor = descriptor
    }

    func enter(_ phase: Phase) {
        self.phase = phase
        since = .now()
    }

    /// Whether the peer has used up its time in the phase that it is in.
    func isOverdue(at now: Timepoint, _ limits: HTTPLimits) -> Bool {
        let limit: Duration
        switch phase {
        case .idle: limit = limits.idle
        case .receiving: limit = limits.receiving
        case .answering: limit = limits.answering
        case .handling: return false
        }
        return now - since > limit
    }
}

/// A point on the machine's steady clock: for guards against slow peers only.
struct Timepoint: Comparable {
    private var nanoseconds: Int64

    static func now() -> Timepoint {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Timepoint(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    static func - (left: Timepoint, right: Timepoint) -> Duration {
        .nanoseconds(left.nanoseconds - right.nanoseconds)
    }

    static func < (left: Timepoint, right: Timepoint) -> Bool { left.nanoseconds < right.nanoseconds }
}
