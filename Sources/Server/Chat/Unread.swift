import Models
import SQLite

/// How many messages of others a person has not read, and how many of them call them by name.
///
/// Counts are kept and only what is new is added, so that a message costs each receiver one look at one row.
final class Unread: Sendable {
    struct Counts: Equatable, Sendable {
        var notifications = 0
        var highlights = 0
    }

    private struct Key: Hashable {
        var room: RoomID
        var user: UserID
    }

    private struct Entry {
        /// Messages up to here are read.
        var readUpTo: Int64
        /// Messages up to here are counted.
        var countedUpTo: Int64
        var name: String
        var counts: Counts
    }

    private let entries = Locked<[Key: Entry]>([:])

    /// Whether an event counts as unread until it is read: messages do; state, edits and the rest do not.
    static func notifies(_ draft: ChatTransaction.Draft) -> Bool {
        guard draft.stateKey == nil else { return false }
        switch draft.type {
        case "m.room.message", "m.room.encrypted", "m.sticker":
            return draft.content.object("m.relates_to")?["rel_type"] != "m.replace"
        default: return false
        }
    }

    /// The counts of `user` in `room` at the position `end` of the stream.
    func counts(
        in room: RoomID, of user: UserID, name: String, joinedAt: Int64, upTo end: Int64, _ events: EventReader
    ) throws -> Counts {
        let readUpTo = max(joinedAt, try events.connection.readPosition(in: room, of: user))
        let key = Key(room: room, user: user)
        var entry = Entry(readUpTo: readUpTo, countedUpTo: readUpTo, name: name, counts: Counts())
        if let kept = entries.withLock({ $0[key] }), kept.readUpTo == readUpTo, kept.countedUpTo <= end,
            kept.name == name
        {
            entry = kept
        }
        let positions = try events.connection.rows(
            """
            SELECT position FROM events INDEXED BY events_to_notify
            WHERE room_id = ? AND position > ? AND position <= ? AND notifies ORDER BY position
            """, room.raw, entry.countedUpTo, end
        ) { $0.integer(0) }
        for position in positions {
            guard let event = try events.event(at: position)?.event, event.sender != user else { continue }
            entry.counts.notifications += 1
            if Mention.isMade(of: user, name: name, in: event) { entry.counts.highlights += 1 }
        }
        entry.countedUpTo = end
        entries.withLock { entries in
            // A redaction has come between: these counts may have what it took away.
            guard events.isCurrent else { return }
            if entries.count > 100_000 { entries.removeAll() }
            entries[key] = entry
        }
        return entry.counts
    }

    /// Messages have been redacted: what was counted may not count any more.
    func forgetAll() { entries.withLock { $0.removeAll() } }
}

/// Whether a message calls somebody. Client-server API, "User and room mentions".
enum Mention {
    static func isMade(of user: UserID, name: String, in event: StoredEvent) -> Bool {
        let content = RawObject(trusted: event.content)
        if let mentions = content.object("m.mentions") {
            guard let ids = mentions[raw: "user_ids"], let data = try? JSONValue(parsing: .init(ids)) else {
                return false
            }
            return data.array?.contains(.string(user.raw)) ?? false
        }
        guard let body = content["body"]?.lowercased() else { return false }
        return [name, user.raw, user.localPart].contains { word in
            !word.isEmpty && contains(body, word: word.lowercased())
        }
    }

    /// Whether `word` stands in `text` with no letter or digit next to it.
    private static func contains(_ text: String, word: String) -> Bool {
        var rest = text[...]
        while let found = rest.range(of: word) {
            let before = found.lowerBound > text.startIndex ? text[text.index(before: found.lowerBound)] : " "
            let after = found.upperBound < text.endIndex ? text[found.upperBound] : " "
            if !before.isWord, !after.isWord { return true }
            rest = text[text.index(after: found.lowerBound)...]
        }
        return false
    }
}

extension Character {
    fileprivate var isWord: Bool { isLetter || isNumber || self == "_" }
}
