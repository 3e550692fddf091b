import Models
import SQLite

/// What a person's clients keep on the server for themselves. Client-server API, "Client Config".
extension ChatTransaction {
    /// Sets what `user` keeps under `type`, for one room or for all.
    func setAccountData(_ type: String, _ content: RawObject, of user: UserID, in room: RoomID? = nil) throws {
        let position = try nextPosition()
        try connection.run(
            """
            INSERT INTO account_data (user_id, room_id, type, content, position) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET content = excluded.content, position = excluded.position
            """, user.raw, room?.raw ?? "", type, content.bytes, position)
        noteAccountData(of: user, at: position)
    }

    /// Keeps a filter and returns its id; the same filter again has the same id.
    func keepFilter(_ content: RawObject, of user: UserID) throws -> Int64 {
        let known = try connection.first(
            "SELECT id FROM filters WHERE user_id = ? AND content = ?", user.raw, content.bytes
        ) { $0.integer(0) }
        if let known { return known }
        try connection.run("INSERT INTO filters (user_id, content) VALUES (?, ?)", user.raw, content.bytes)
        return connection.lastInsertedID
    }
}

extension SQLiteConnection {
    struct AccountDatum: Sendable {
        /// Nil for what belongs to no room.
        var room: RoomID?
        var type: String
        var content: [UInt8]
    }

    func accountData(_ type: String, of user: UserID, in room: RoomID? = nil) throws -> RawObject? {
        try first(
            "SELECT content FROM account_data WHERE user_id = ? AND room_id = ? AND type = ?", user.raw,
            room?.raw ?? "", type
        ) { RawObject(trusted: $0.blob(0)) }
    }

    /// All that `user` keeps and that was set after `start` and up to `end`, in that order.
    func accountData(of user: UserID, after start: Int64, upTo end: Int64) throws -> [AccountDatum] {
        try rows(
            """
            SELECT room_id, type, content FROM account_data
            WHERE user_id = ? AND position > ? AND position <= ? ORDER BY position
            """, user.raw, start, end
        ) { row in
            let room = row.text(0)
            return AccountDatum(room: room.isEmpty ? nil : RoomID(room), type: row.text(1), content: row.blob(2))
        }
    }

    func filter(_ id: Int64, of user: UserID) throws -> RawObject? {
        try first("SELECT content FROM filters WHERE id = ? AND user_id = ?", id, user.raw) {
            RawObject(trusted: $0.blob(0))
        }
    }
}
