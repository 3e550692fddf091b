import Models
import SQLite

/// Keeps the events in use encoded: all receivers of one event copy the same bytes.
final class EventCache: Sendable {
    fileprivate struct Generations {
        var young: [Int64: EncodedEvent] = [:]
        var old: [Int64: EncodedEvent] = [:]
        var cost = 0
        /// Raised whenever events have changed, so that what was read before is not kept after.
        var edition = 0
    }

    /// When the young ones take so many bytes they become the old ones, and the old ones go.
    private let limit: Int
    fileprivate let generations = Locked(Generations())

    init(limit: Int = 16_000_000) { self.limit = limit }

    /// Call before the first statement of a read, whose snapshot must not be older than what is kept.
    func reading(_ connection: SQLiteConnection) -> EventReader {
        EventReader(connection: connection, cache: self, edition: generations.withLock { $0.edition })
    }

    /// Stored events have changed: one has been redacted.
    func forgetAll() {
        generations.withLock { generations in
            let edition = generations.edition
            generations = Generations()
            generations.edition = edition + 1
        }
    }

    fileprivate func kept(_ position: Int64) -> EncodedEvent? {
        generations.withLock { $0.young[position] ?? $0.old[position] }
    }

    fileprivate func keep(_ event: EncodedEvent, edition: Int) {
        generations.withLock { generations in
            guard generations.edition == edition else { return }
            if generations.cost > limit {
                generations.old = generations.young
                generations.young = [:]
                generations.cost = 0
            }
            generations.young[event.position] = event
            generations.cost += event.cost
        }
    }
}

/// Reads encoded events in one snapshot of the database.
struct EventReader {
    let connection: SQLiteConnection
    fileprivate let cache: EventCache
    fileprivate let edition: Int

    /// Whether nothing stored has changed since the read began: only then may be kept what is drawn from it.
    var isCurrent: Bool { cache.generations.withLock { $0.edition } == edition }

    /// The event at `position`; nil where there is none.
    func event(at position: Int64) throws -> EncodedEvent? {
        if let kept = cache.kept(position) { return kept }
        guard let stored = try connection.event(at: position) else { return nil }
        let encoded = EncodedEvent(stored, unsigned: try unsigned(of: stored))
        cache.keep(encoded, edition: edition)
        return encoded
    }

    func events(at positions: [Int64]) throws -> [EncodedEvent] { try positions.compactMap(event(at:)) }

    private func unsigned(of event: StoredEvent) throws -> [UInt8] {
        var buffer = JSONBuffer(capacity: 64)
        if let replaced = event.replaces, let previous = try connection.event(at: replaced) {
            buffer.name("prev_content")
            buffer.raw(previous.content)
            buffer.member("prev_sender", previous.sender.raw)
            buffer.member("replaces_state", previous.eventID.raw)
        }
        if let position = event.redactedBy, let redaction = try connection.event(at: position) {
            buffer.member("redacted_by", redaction.eventID.raw)
            buffer.name("redacted_because")
            let nobody = Viewer(user: UserID(""), device: DeviceID(""), now: redaction.sentAt)
            EncodedEvent(redaction, unsigned: []).write(to: &buffer, for: nobody, withRoom: true)
        }
        return buffer.bytes
    }
}
