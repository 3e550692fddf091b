import Models
import SQLite

/// A row of `accounts`.
struct Account: Equatable, Sendable {
    var id: Int64
    var localPart: String
    var name: String
    /// Folded. Absent where the account was made through Matrix.
    var email: String?
    var createdAt: Timestamp
    var updatedAt: Timestamp

    func userID(on serverName: String) -> UserID { UserID("@\(localPart):\(serverName)") }
}

/// Reading and writing of accounts, within a transaction.
enum AccountTable {
    static func find(id: Int64, _ connection: SQLiteConnection) throws -> Account? {
        try connection.first(
            "SELECT id, local_part, name, email, created_at, updated_at FROM accounts WHERE id = ?", id, read: read)
    }

    /// `email` is folded.
    static func find(email: String, _ connection: SQLiteConnection) throws -> Account? {
        try connection.first(
            "SELECT id, local_part, name, email, created_at, updated_at FROM accounts WHERE email = ?", email,
            read: read)
    }

    static func find(localPart: String, _ connection: SQLiteConnection) throws -> Account? {
        try connection.first(
            "SELECT id, local_part, name, email, created_at, updated_at FROM accounts WHERE local_part = ?",
            localPart, read: read)
    }

    static func passwordHash(id: Int64, _ connection: SQLiteConnection) throws -> String? {
        try connection.first("SELECT password_hash FROM accounts WHERE id = ?", id) { $0.optionalText(0) } ?? nil
    }

    /// Inserts the account and gives it its number. Rows are never deleted, so no id comes up twice.
    static func insert(
        localPart: String, name: String, email: String?, passwordHash: String, at now: Timestamp,
        _ connection: SQLiteConnection
    ) throws -> Account {
        try connection.run(
            """
            INSERT INTO accounts (local_part, name, email, password_hash, created_at, updated_at)
            VALUES (?, ?, ?, ?, ?, ?)
            """, localPart, name, email, passwordHash, now.milliseconds, now.milliseconds)
        return Account(
            id: connection.lastInsertedID, localPart: localPart, name: name, email: email, createdAt: now,
            updatedAt: now)
    }

    static func setPassword(
        id: Int64, hash: String, at now: Timestamp, _ connection: SQLiteConnection
    ) throws {
        try connection.run(
            "UPDATE accounts SET password_hash = ?, updated_at = ? WHERE id = ?", hash, now.milliseconds, id)
    }

    private static func read(_ row: borrowing SQLiteRow) -> Account {
        Account(
            id: row.integer(0), localPart: row.text(1), name: row.text(2), email: row.optionalText(3),
            createdAt: Timestamp(milliseconds: row.integer(4)), updatedAt: Timestamp(milliseconds: row.integer(5)))
    }
}
