import Models
import SQLite

/// Contacts and blocks, as they follow from rooms.
///
/// A contact is a person with whom one shares the private room of two, as long as one is in it. So there is no list of
/// contacts that could differ from the rooms: adding is entering, removing is leaving, however a client does it.
enum ContactTable {
    struct Row: Equatable, Sendable {
        var account: Account
        var room: RoomID
        var creator: UserID
        var createdAt: Timestamp
        var own: Membership?
        var others: Membership?
    }

    /// The contacts of `user`, in the order of their rooms.
    static func all(of user: UserID, _ connection: SQLiteConnection) throws -> [Row] {
        try connection.rows(
            """
            SELECT a.id, a.local_part, a.name, a.email, a.created_at, a.updated_at, r.room_id, r.creator, r.created_at,
            own.membership, others.membership
            FROM memberships own JOIN rooms r ON r.room_id = own.room_id
            JOIN memberships others ON others.room_id = r.room_id
            AND others.user_id = iif(r.first_person = own.user_id, r.second_person, r.first_person)
            JOIN accounts a ON a.local_part = substr(others.user_id, 2, instr(others.user_id, ':') - 2)
            WHERE own.user_id = ? AND own.membership = 'join' AND r.first_person IS NOT NULL
            ORDER BY r.created_at, r.rowid
            """, user.raw, read: read)
    }

    /// What `user` and the account have in common; nil where they never had a room.
    static func find(
        of user: UserID, _ account: Account, _ other: UserID, _ connection: SQLiteConnection
    ) throws -> Row? {
        let pair = [user, other].sorted()
        return try connection.first(
            """
            SELECT a.id, a.local_part, a.name, a.email, a.created_at, a.updated_at, r.room_id, r.creator, r.created_at,
            (SELECT membership FROM memberships WHERE room_id = r.room_id AND user_id = ?),
            (SELECT membership FROM memberships WHERE room_id = r.room_id AND user_id = ?)
            FROM rooms r JOIN accounts a ON a.id = ?
            WHERE r.first_person = ? AND r.second_person = ?
            """, user.raw, other.raw, account.id, pair[0].raw, pair[1].raw, read: read)
    }

    private static func read(_ row: borrowing SQLiteRow) -> Row {
        Row(
            account: Account(
                id: row.integer(0), localPart: row.text(1), name: row.text(2), email: row.optionalText(3),
                createdAt: Timestamp(milliseconds: row.integer(4)),
                updatedAt: Timestamp(milliseconds: row.integer(5))),
            room: RoomID(row.text(6)), creator: UserID(row.text(7)),
            createdAt: Timestamp(milliseconds: row.integer(8)),
            own: row.optionalText(9).flatMap(Membership.init), others: row.optionalText(10).flatMap(Membership.init))
    }
}

enum BlockTable {
    static func isBlocked(_ blocked: Int64, by owner: Int64, _ connection: SQLiteConnection) throws -> Bool {
        try connection.exists(
            "SELECT 1 FROM blocks WHERE owner_id = ? AND blocked_id = ?", owner, blocked)
    }

    static func block(_ blocked: Int64, by owner: Int64, _ connection: SQLiteConnection) throws {
        try connection.run(
            "INSERT OR IGNORE INTO blocks (owner_id, blocked_id) VALUES (?, ?)", owner, blocked)
    }

    static func unblock(_ blocked: Int64, by owner: Int64, _ connection: SQLiteConnection) throws {
        try connection.run("DELETE FROM blocks WHERE owner_id = ? AND blocked_id = ?", owner, blocked)
    }
}
