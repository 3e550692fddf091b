import Models
import SQLite

/// What devices have done already, so that the same request again does nothing. Client-server API, "Transaction
/// identifiers".
///
/// A client asks again until it has an answer, also after a month in which its machine was off. So the last transactions
/// of a device are kept for as long as its session lives, however old they are. Older ones go `memory` after the device
/// has done something else: it had that long to ask again. Of a device that has signed out all go after that time.
enum TransactionTable {
    static let memory = Duration.seconds(30 * 86_400)
    /// So many are dropped in one transaction at most, since others wait for it.
    static let droppedAtOnce = 1_000

    static func event(
        of transaction: ClientTransaction, at endpoint: String, by user: UserID, _ connection: SQLiteConnection
    ) throws -> EventID? {
        try connection.first(
            """
            SELECT event_id FROM transactions
            WHERE user_id = ? AND device_id = ? AND endpoint = ? AND transaction_id = ?
            """, user.raw, transaction.device.raw, endpoint, transaction.id.raw
        ) { EventID($0.text(0)) }
    }

    static func insert(
        _ transaction: ClientTransaction, at endpoint: String, by user: UserID, event: EventID, now: Timestamp,
        _ connection: SQLiteConnection
    ) throws {
        try connection.run(
            "INSERT INTO transactions VALUES (?, ?, ?, ?, ?, ?)", user.raw, transaction.device.raw, endpoint,
            transaction.id.raw, event.raw, now.milliseconds)
    }

    /// A device's transactions that can go: those before `limit`.
    struct Outdated: Equatable, Sendable {
        var user: UserID
        var device: DeviceID
        var limit: Timestamp
    }

    static func outdated(at now: Timestamp, _ connection: SQLiteConnection) throws -> [Outdated] {
        let devices = try connection.rows(
            """
            SELECT user_id, device_id, MIN(created_at), MAX(created_at), EXISTS (
                SELECT 1 FROM sessions JOIN accounts ON accounts.id = account_id
                WHERE local_part = substr(user_id, 2, instr(user_id, ':') - 2)
                    AND sessions.device_id = transactions.device_id)
            FROM transactions GROUP BY user_id, device_id
            """
        ) { row in
            let newest = row.bool(4) ? Timestamp(milliseconds: row.integer(3)) : now
            return (
                oldest: Timestamp(milliseconds: row.integer(2)),
                outdated: Outdated(
                    user: UserID(row.text(0)), device: DeviceID(row.text(1)), limit: newest + (.zero - memory))
            )
        }
        return devices.filter { $0.oldest < $0.outdated.limit }.map(\.outdated)
    }

    /// Drops some; how many.
    static func drop(_ outdated: Outdated, _ connection: SQLiteConnection) throws -> Int {
        try connection.run(
            """
            DELETE FROM transactions WHERE user_id = ?1 AND device_id = ?2 AND (endpoint, transaction_id) IN (
                SELECT endpoint, transaction_id FROM transactions
                WHERE user_id = ?1 AND device_id = ?2 AND created_at < ?3 LIMIT ?4)
            """, outdated.user.raw, outdated.device.raw, outdated.limit.milliseconds, Int64(droppedAtOnce))
    }
}

extension Chat {
    /// Forgets the transactions that no client asks for again.
    func dropTransactions() async throws {
        let now = environment.clock.now
        for outdated in try await database.read({ try TransactionTable.outdated(at: now, $0) }) {
            while try await database.write({ try TransactionTable.drop(outdated, $0) })
                == TransactionTable.droppedAtOnce
            {}
        }
    }
}
