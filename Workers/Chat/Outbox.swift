import Foundation
import Models

/// One's own messages between the key press and their event, without the I/O. One queue a room, in order.
///
/// The life of a message:
/// 0. `accept`: it has its place, and shows once it is `stored`. One that cannot be stored is `refused`.
/// 1. `enqueue`: `sending` where nothing stands before it, `waiting` behind one that waits. `restore` is the same for
///    what an earlier run has stored: it waits until the server can be reached.
/// 2. Its attempt. One a room at a time, so the server stores them in order; always the same transaction id, so the
///    server stores each once however often it is tried.
/// 3. `sent` with the server's event id; or `waiting` for the next attempt; or `failed`, which lets the next one pass
///    and stays until `retry`.
/// 4. `echoed`: its event has come by in the timeline, before or after the answer. It leaves the outbox.
public struct Outbox: Equatable, Sendable {
    /// One message and what is needed to send it again.
    public struct Entry: Equatable, Sendable {
        public var message: OutgoingMessage
        /// The event's content, byte for byte the same on every attempt.
        public var content: Data
        var failures = 0
        /// Whether it would outlive this process. One that would not is neither shown nor tried.
        var isStored = true

        public init(message: OutgoingMessage, content: Data) {
            self.message = message
            self.content = content
        }
    }

    public enum Event: Equatable, Sendable {
        case accept(Entry, RoomID)
        case stored(TransactionID, RoomID)
        case refused(TransactionID, RoomID)
        case enqueue(Entry, RoomID)
        /// In the order of sending.
        case restore([Entry], RoomID)
        case sent(TransactionID, RoomID, EventID)
        /// `fraction` in `0..<1` is the jitter.
        case failed(TransactionID, RoomID, ChatServiceError, fraction: Double)
        case echoed(RoomID, TransactionID?, EventID)
        case timerFired(RoomID)
        /// The server can be reached again: no reason to wait on.
        case networkReturned
        case retry(RoomID)
        case sessionEnded
        /// What is due waits for its owner to sign in again, and so for another outbox.
        case sessionExpired
    }

    public enum Action: Equatable, Sendable {
        case attempt(TransactionID, RoomID, Data)
        case wait(RoomID, Duration)
        case cancelWait(RoomID)
        /// What stands in the room has changed.
        case changed(RoomID)
        /// The message is past its first attempt, or has to wait for another's.
        case firstAttemptEnded(TransactionID)
    }

    /// A wait that the server asks for and that is longer than this is told instead of kept.
    static let longestWait = Duration.seconds(30)

    private struct Queue: Equatable {
        var entries: [Entry] = []
        var inFlight: TransactionID?
        var isWaiting = false
        /// Whether the server asked for the wait; then it is kept to even where the network is well.
        var isLimited = false
    }

    private var queues: [RoomID: Queue] = [:]

    public init() {}

    /// What stands in the room, in the order of sending.
    public func messages(in room: RoomID) -> [OutgoingMessage] { entries(in: room).map(\.message) }

    func entries(in room: RoomID) -> [Entry] { queues[room]?.entries.filter(\.isStored) ?? [] }

    public var rooms: [RoomID] { Array(queues.keys) }

    public mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .accept(var entry, let room):
            entry.isStored = false
            queues[room, default: Queue()].entries.append(entry)
            return []
        case .stored(let id, let room): return show(id, room)
        case .refused(let id, let room):
            queues[room]?.entries.removeAll { $0.message.transactionID == id }
            return next(room)
        case .restore(let entries, let room): return restore(entries, room)
        case .enqueue(let entry, let room):
            queues[room, default: Queue()].entries.append(entry)
            return show(entry.message.transactionID, room)
        case .sent(let id, let room, let event): return sent(id, room, event)
        case .failed(let id, let room, let error, let fraction): return failed(id, room, error, fraction)
        case .echoed(let room, let id, let event): return echoed(room, id, event)
        case .timerFired(let room):
            guard queues[room]?.isWaiting == true else { return [] }
            queues[room]?.isWaiting = false
            return next(room)
        case .networkReturned:
            let due = queues.filter { $0.value.isWaiting && !$0.value.isLimited }.keys.sorted()
            return due.flatMap { resume($0) }
        case .retry(let room): return retry(room)
        case .sessionEnded: return queues.keys.sorted().flatMap { endAll($0) }
        case .sessionExpired: return queues.keys.sorted().flatMap { suspend($0) }
        }
    }

    private mutating func show(_ id: TransactionID, _ room: RoomID) -> [Action] {
        let isBehind = queues[room]?.isWaiting ?? false
        let isHere = update(id, room) { entry in
            entry.isStored = true
            entry.message.state = isBehind ? .waiting : .sending
        }
        guard isHere else { return [.firstAttemptEnded(id)] }
        if isBehind { return [.changed(room), .firstAttemptEnded(id)] }
        return [.changed(room)] + next(room)
    }

    private mutating func restore(_ entries: [Entry], _ room: RoomID) -> [Action] {
        queues[room, default: Queue()].entries.insert(contentsOf: entries, at: 0)
        if entries.contains(where: \.isDue) { queues[room]?.isWaiting = true }
        return [.changed(room)]
    }

    /// Starts the attempt of the first that is due, unless one is under way.
    private mutating func next(_ room: RoomID) -> [Action] {
        guard let queue = queues[room], queue.inFlight == nil, !queue.isWaiting,
            let entry = queue.entries.first(where: \.isDue), entry.isStored
        else { return [] }
        queues[room]?.inFlight = entry.message.transactionID
        return [.attempt(entry.message.transactionID, room, entry.content)]
    }

    private mutating func sent(_ id: TransactionID, _ room: RoomID, _ event: EventID) -> [Action] {
        guard queues[room]?.inFlight == id else { return [] }
        queues[room]?.inFlight = nil
        // Its event may have been first: then it is gone from here already.
        let isHere = update(id, room) { $0.message.state = .sent(event) }
        return (isHere ? [.changed(room)] : []) + [.firstAttemptEnded(id)] + next(room)
    }

    private mutating func failed(
        _ id: TransactionID, _ room: RoomID, _ error: ChatServiceError, _ fraction: Double
    ) -> [Action] {
        guard queues[room]?.inFlight == id else { return [] }
        queues[room]?.inFlight = nil
        if error == .sessionExpired { return handle(.sessionExpired) }
        guard case .network(let fault) = error else { return fail(id, room, error.sendFailure) }
        let asked = fault.askedWait
        if let asked, asked > Self.longestWait {
            let words = RemoteText(
                "the server asks to wait \(Int(asked.milliseconds / 1_000)) s before the next message")
            return fail(id, room, .refused(words))
        }
        var failures = 1
        let isHere = update(id, room) { entry in
            entry.failures += 1
            failures = entry.failures
        }
        // Answered by its own echo meanwhile: nothing is to be tried again.
        guard isHere else { return [.firstAttemptEnded(id)] + next(room) }
        queues[room]?.isWaiting = true
        queues[room]?.isLimited = asked != nil
        let held = holdBack(room)
        return [.changed(room)] + held
            + [.wait(room, Backoff.delay(failures: failures, fraction: fraction, asked: asked))]
    }

    /// All that is due waits for the one before it.
    private mutating func holdBack(_ room: RoomID) -> [Action] {
        let ids = (queues[room]?.entries ?? []).filter { $0.isDue && $0.isStored }.map(\.message.transactionID)
        for id in ids { update(id, room) { $0.message.state = .waiting } }
        return ids.map { .firstAttemptEnded($0) }
    }

    private mutating func fail(_ id: TransactionID, _ room: RoomID, _ failure: SendFailure) -> [Action] {
        if failure == .sessionEnded { return handle(.sessionEnded) + [.firstAttemptEnded(id)] }
        update(id, room) { $0.message.state = .failed(failure) }
        return [.changed(room), .firstAttemptEnded(id)] + next(room)
    }

    private mutating func echoed(_ room: RoomID, _ id: TransactionID?, _ event: EventID) -> [Action] {
        let index = queues[room]?.entries.firstIndex { entry in
            entry.message.state == .sent(event) || entry.message.transactionID == id
        }
        guard let index, let entry = queues[room]?.entries.remove(at: index) else { return [] }
        let wasHead = queues[room]?.isWaiting == true && queues[room]?.entries.contains(where: \.isDue) == false
        if wasHead { queues[room]?.isWaiting = false }
        return [.changed(room), .firstAttemptEnded(entry.message.transactionID)]
            + (wasHead ? [.cancelWait(room)] : [])
    }

    private mutating func resume(_ room: RoomID) -> [Action] {
        queues[room]?.isWaiting = false
        return [.cancelWait(room)] + next(room)
    }

    private mutating func retry(_ room: RoomID) -> [Action] {
        guard let entries = queues[room]?.entries else { return [] }
        for entry in entries where entry.isFailed || entry.message.state == .waiting {
            update(entry.message.transactionID, room) { entry in
                entry.message.state = .sending
                entry.failures = 0
            }
        }
        return [.changed(room)] + resume(room)
    }

    private mutating func endAll(_ room: RoomID) -> [Action] {
        guard let queue = queues[room] else { return [] }
        let ids = queue.entries.filter(\.isDue).map(\.message.transactionID)
        for id in ids { update(id, room) { $0.message.state = .failed(.sessionEnded) } }
        queues[room]?.isWaiting = false
        return [.cancelWait(room), .changed(room)] + ids.map { .firstAttemptEnded($0) }
    }

    private mutating func suspend(_ room: RoomID) -> [Action] {
        queues[room]?.isWaiting = true
        queues[room]?.isLimited = true
        return [.cancelWait(room), .changed(room)] + holdBack(room)
    }

    @discardableResult
    private mutating func update(_ id: TransactionID, _ room: RoomID, _ change: (inout Entry) -> Void) -> Bool {
        guard let index = queues[room]?.entries.firstIndex(where: { $0.message.transactionID == id }),
            var entry = queues[room]?.entries[index]
        else { return false }
        change(&entry)
        queues[room]?.entries[index] = entry
        return true
    }
}

extension Outbox.Entry {
    fileprivate var isDue: Bool { message.state == .sending || message.state == .waiting }

    fileprivate var isFailed: Bool { if case .failed = message.state { true } else { false } }
}

extension ChatServiceError {
    /// Why a message will not be tried again by itself.
    var sendFailure: SendFailure {
        switch self {
        case .sessionEnded, .sessionExpired: .sessionEnded
        case .tooLarge: .tooLarge
        case .forbidden(let words), .notFound(let words), .taken(let words), .refused(let words): .refused(words)
        case .network: .refused("the server cannot be reached")
        }
    }
}
