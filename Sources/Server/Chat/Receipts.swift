import Models
import SQLite

/// How far people have read. Client-server API, "Receipts".
enum ReceiptKind: String, Sendable {
    /// Told to everybody in the room.
    case read = "m.read"
    /// Told to the reader alone.
    case readPrivately = "m.read.private"
    /// The marker of the reader's own clients; room account data.
    case fullyRead = "m.fully_read"
}

extension ChatTransaction {
    /// Moves `user`'s receipt up to `event`; never back.
    func read(_ event: EventID, in room: RoomID, by user: UserID, as kind: ReceiptKind) throws {
        guard try membership(of: user, in: room)?.membership == .join else { throw MatrixError.notInRoom }
        let found = try connection.first(
            "SELECT position FROM events WHERE event_id = ? AND room_id = ?", event.raw, room.raw
        ) { $0.integer(0) }
        guard let target = found else { throw MatrixError.notFound("There is no such event in this room.") }
        if kind == .fullyRead { return try markFullyRead(event, at: target, in: room, by: user) }
        let old = try connection.first(
            "SELECT event_position FROM receipts WHERE room_id = ? AND user_id = ? AND kind = ?", room.raw,
            user.raw, kind.rawValue
        ) { $0.integer(0) }
        guard target > old ?? 0 else { return }
        let position = try nextPosition()
        try connection.run(
            """
            INSERT INTO receipts (room_id, user_id, kind, event_id, event_position, read_at, position)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET event_id = excluded.event_id, event_position = excluded.event_position,
                read_at = excluded.read_at, position = excluded.position
            """, room.raw, user.raw, kind.rawValue, event.raw, target, now.milliseconds, position)
        noteReceipt(in: room, at: position)
    }

    private func markFullyRead(_ event: EventID, at target: Int64, in room: RoomID, by user: UserID) throws {
        let type = ReceiptKind.fullyRead.rawValue
        let old = try connection.accountData(type, of: user, in: room)?["event_id"].flatMap { id in
            try connection.first("SELECT position FROM events WHERE event_id = ?", id) { $0.integer(0) }
        }
        guard target > old ?? 0 else { return }
        try setAccountData(type, RawObject(["event_id": .string(event.raw)]), of: user, in: room)
    }
}

extension SQLiteConnection {
    struct Receipt: Sendable {
        var user: UserID
        var kind: String
        var eventID: EventID
        var readAt: Timestamp
    }

    /// The receipts that moved after `start` and up to `end` and that `viewer` may see.
    func receipts(in room: RoomID, after start: Int64, upTo end: Int64, for viewer: UserID) throws -> [Receipt] {
        try rows(
            """
            SELECT user_id, kind, event_id, read_at FROM receipts
            WHERE room_id = ? AND position > ? AND position <= ? AND (kind = 'm.read' OR user_id = ?)
            ORDER BY position
            """, room.raw, start, end, viewer.raw
        ) { row in
            Receipt(
                user: UserID(row.text(0)), kind: row.text(1), eventID: EventID(row.text(2)),
                readAt: Timestamp(milliseconds: row.integer(3)))
        }
    }

    /// The position of the newest event that `user` has read in `room`, publicly or privately; 0 for none.
    func readPosition(in room: RoomID, of user: UserID) throws -> Int64 {
        try first("SELECT MAX(event_position) FROM receipts WHERE room_id = ? AND user_id = ?", room.raw, user.raw) {
            $0.integer(0)
        } ?? 0
    }
}
