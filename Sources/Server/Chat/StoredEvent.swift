import Models
import SQLite

/// One row of `events`: what happened in a room, at its place in the stream.
struct StoredEvent: Sendable {
    var position: Int64
    var eventID: EventID
    var roomID: RoomID
    var type: String
    /// Present on state events, often empty.
    var stateKey: String?
    var sender: UserID
    var sentAt: Timestamp
    /// The JSON as it was sent; once redacted, what is left of it.
    var content: [UInt8]
    /// The position of the state event that this one replaces.
    var replaces: Int64?
    var redacts: EventID?
    /// The position of the redaction event.
    var redactedBy: Int64?
    /// The device and its transaction, told to that device alone.
    var deviceID: DeviceID?
    var transactionID: TransactionID?

    /// Reads `SELECT * FROM events`.
    init(_ row: borrowing SQLiteRow) {
        position = row.integer(0)
        eventID = EventID(row.text(1))
        roomID = RoomID(row.text(2))
        type = row.text(3)
        stateKey = row.optionalText(4)
        sender = UserID(row.text(5))
        sentAt = Timestamp(milliseconds: row.integer(6))
        content = row.blob(7)
        replaces = row.optionalInteger(9)
        redacts = row.optionalText(10).map { EventID($0) }
        redactedBy = row.optionalInteger(11)
        deviceID = row.optionalText(12).map { DeviceID($0) }
        transactionID = row.optionalText(13).map { TransactionID($0) }
    }
}

extension SQLiteConnection {
    func event(at position: Int64) throws -> StoredEvent? {
        try first("SELECT * FROM events WHERE position = ?", position) { StoredEvent($0) }
    }

    func event(_ id: EventID, in room: RoomID) throws -> StoredEvent? {
        try first("SELECT * FROM events WHERE event_id = ? AND room_id = ?", id.raw, room.raw) { StoredEvent($0) }
    }

    /// The position of the state event of `type` and `key` that holds now.
    func statePosition(_ room: RoomID, _ type: String, _ key: String = "") throws -> Int64? {
        try first(
            """
            SELECT position FROM events WHERE room_id = ? AND type = ? AND state_key = ? ORDER BY position DESC LIMIT 1
            """, room.raw, type, key
        ) { $0.integer(0) }
    }

    /// The content of the state event of `type` and `key` that holds now.
    func stateContent(_ room: RoomID, _ type: String, _ key: String = "") throws -> RawObject? {
        try first(
            """
            SELECT content FROM events WHERE room_id = ? AND type = ? AND state_key = ? ORDER BY position DESC LIMIT 1
            """, room.raw, type, key
        ) { RawObject(trusted: $0.blob(0)) }
    }

    /// The positions of the whole state as it was just before `position`, in order.
    func statePositions(_ room: RoomID, before position: Int64) throws -> [Int64] {
        try rows(
            """
            SELECT MAX(position) FROM events
            WHERE room_id = ? AND state_key IS NOT NULL AND position < ? GROUP BY type, state_key
            """, room.raw, position
        ) { $0.integer(0) }.sorted()
    }

    /// The positions of the state other than memberships as it was just before `position`, in order.
    func statePositionsWithoutMembers(_ room: RoomID, before position: Int64) throws -> [Int64] {
        try rows(
            """
            SELECT MAX(position) FROM events
            WHERE room_id = ?1 AND state_key IS NOT NULL AND type < 'm.room.member' AND position < ?2
            GROUP BY type, state_key
            UNION ALL
            SELECT MAX(position) FROM events
            WHERE room_id = ?1 AND state_key IS NOT NULL AND type > 'm.room.member' AND position < ?2
            GROUP BY type, state_key
            """, room.raw, position
        ) { $0.integer(0) }.sorted()
    }

    /// The position of the membership event of `user` that held just before `position`.
    func memberPosition(_ room: RoomID, _ user: UserID, before position: Int64) throws -> Int64? {
        try first(
            """
            SELECT position FROM events
            WHERE room_id = ? AND type = 'm.room.member' AND state_key = ? AND position < ?
            ORDER BY position DESC LIMIT 1
            """, room.raw, user.raw, position
        ) { $0.integer(0) }
    }

    /// The positions of the state events after `start` and before `end` that held at `end`, in order.
    func stateChanges(_ room: RoomID, after start: Int64, before end: Int64) throws -> [Int64] {
        try rows(
            """
            SELECT MAX(position) FROM events INDEXED BY events_by_room
            WHERE room_id = ? AND position > ? AND position < ? AND state_key IS NOT NULL GROUP BY type, state_key
            """, room.raw, start, end
        ) { $0.integer(0) }.sorted()
    }
}
