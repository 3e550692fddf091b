import Models
import SQLite

/// How long tokens are good for, by the product's clock.
struct TokenLifetimes: Equatable, Sendable {
    var access: Duration = .seconds(3_600)
    var chat: Duration = .seconds(3_600)
    var refresh: Duration = .seconds(30 * 86_400)
}

/// A token and, where it can be renewed, the one to do so with.
struct IssuedTokens: Sendable {
    var access: Secret
    var refresh: Secret?
    /// Nil where the access token does not expire.
    var expiresIn: Duration?
}

/// A token as it is found in the database.
struct FoundToken: Sendable {
    var who: Authenticated
    var expiresAt: Timestamp?
    var generation: Int64
    /// The generation of the session; a token of a later one has not been used yet.
    var sessionGeneration: Int64

    var isPending: Bool { generation > sessionGeneration }

    func isExpired(at now: Timestamp) -> Bool { expiresAt.map { $0 <= now } ?? false }
}

/// Sessions and their tokens, within a transaction.
///
/// Each renewal makes a pair of tokens of the next generation. The session stays at its generation until one of the new
/// pair is used: only then has the client got the answer, and only then the old pair dies. A client that has not got it
/// repeats the renewal with its old refresh token; the pair that never arrived is then void, and another is made.
enum SessionTable {
    struct Device: Equatable, Sendable {
        var id: DeviceID
        var displayName: String?
        var lastSeenAt: Timestamp
        /// The peer's numeric address; nil for sessions of before it was kept.
        var lastSeenAddress: String?
    }

    struct Opened: Sendable {
        var id: Int64
        /// Whether there was one on the device before.
        var isTakenOver: Bool
    }

    /// Opens a session on the device. One that has the device already is taken over and its tokens die.
    static func open(
        account: Int64, device: DeviceID, kind: Authenticated.SessionKind, displayName: String?, at now: Timestamp,
        from address: String, _ connection: SQLiteConnection
    ) throws -> Opened {
        let known = try connection.first(
            "SELECT id FROM sessions WHERE account_id = ? AND device_id = ?", account, device.raw
        ) { $0.integer(0) }
        if let known {
            try connection.run("DELETE FROM tokens WHERE session_id = ?", known)
            try connection.run(
                """
                UPDATE sessions SET kind = ?, generation = 0, last_seen_at = ?, last_seen_address = ?,
                display_name = coalesce(?, display_name) WHERE id = ?
                """, kind.rawValue, now.milliseconds, address, displayName, known)
            return Opened(id: known, isTakenOver: true)
        }
        try connection.run(
            """
            INSERT INTO sessions
                (account_id, device_id, kind, display_name, created_at, last_seen_at, last_seen_address)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, account, device.raw, kind.rawValue, displayName, now.milliseconds, now.milliseconds, address)
        return Opened(id: connection.lastInsertedID, isTakenOver: false)
    }

    static func insert(
        _ token: Secret, session: Int64, kind: Authenticated.TokenKind, expiresAt: Timestamp?, generation: Int64,
        _ connection: SQLiteConnection
    ) throws {
        try connection.run(
            "INSERT INTO tokens (hash, session_id, kind, expires_at, generation) VALUES (?, ?, ?, ?, ?)",
            TokenHash(token).bytes, session, kind.rawValue, expiresAt?.milliseconds, generation)
    }

    static func find(_ hash: TokenHash, serverName: String, _ connection: SQLiteConnection) throws -> FoundToken? {
        try connection.first(
            """
            SELECT accounts.id, local_part, device_id, sessions.id, sessions.kind, tokens.kind, expires_at,
            tokens.generation, sessions.generation
            FROM tokens JOIN sessions ON sessions.id = session_id JOIN accounts ON accounts.id = account_id
            WHERE hash = ?
            """, hash.bytes
        ) { row in
            FoundToken(
                who: Authenticated(
                    accountID: row.integer(0), userID: UserID("@\(row.text(1)):\(serverName)"),
                    deviceID: DeviceID(row.text(2)), sessionID: row.integer(3),
                    sessionKind: Authenticated.SessionKind(rawValue: row.text(4)) ?? .oauth,
                    tokenKind: Authenticated.TokenKind(rawValue: row.text(5)) ?? .refresh),
                expiresAt: row.optionalInteger(6).map(Timestamp.init(milliseconds:)), generation: row.integer(7),
                sessionGeneration: row.integer(8))
        }
    }

    /// A token of a new pair has been used: the pair holds, and the one before it dies. True where that changed anything.
    @discardableResult
    static func confirm(_ token: FoundToken, _ connection: SQLiteConnection) throws -> Bool {
        guard token.isPending else { return false }
        try connection.run(
            "UPDATE sessions SET generation = ? WHERE id = ?", token.generation, token.who.sessionID)
        try connection.run(
            "DELETE FROM tokens WHERE session_id = ? AND generation < ? AND kind <> 'chat'", token.who.sessionID,
            token.generation)
        return true
    }

    /// Forgets the pair that was made from `token` and never used.
    static func voidSuccessors(of token: FoundToken, _ connection: SQLiteConnection) throws {
        try connection.run(
            "DELETE FROM tokens WHERE session_id = ? AND generation > ? AND kind <> 'chat'", token.who.sessionID,
            token.generation)
    }

    static func touch(
        session: Int64, at now: Timestamp, from address: String, _ connection: SQLiteConnection
    ) throws {
        try connection.run(
            "UPDATE sessions SET last_seen_at = ?, last_seen_address = ? WHERE id = ?", now.milliseconds, address,
            session)
    }

    /// Drops tokens of the session that expired before `limit`. Those that expired lately are kept, so that their bearer
    /// can be told that only the token is over; the last of its kind until the last refresh token expired before
    /// `lastLimit`.
    static func dropExpired(
        session: Int64, before limit: Timestamp, lastBefore lastLimit: Timestamp, _ connection: SQLiteConnection
    ) throws {
        try connection.run(
            """
            DELETE FROM tokens WHERE session_id = ?3 AND expires_at < ?1 AND (
                EXISTS (SELECT 1 FROM tokens other WHERE other.session_id = ?3 AND other.kind = tokens.kind
                    AND (other.expires_at, other.rowid) > (tokens.expires_at, tokens.rowid))
                OR NOT EXISTS (SELECT 1 FROM tokens other WHERE other.session_id = ?3 AND other.kind = 'refresh'
                    AND other.expires_at >= ?2))
            """, limit.milliseconds, lastLimit.milliseconds, session)
    }

    /// Sessions with tokens that expired before `limit`.
    static func expired(before limit: Timestamp, _ connection: SQLiteConnection) throws -> [Int64] {
        // With DISTINCT, SQLite would rather look at all tokens, in the order of the sessions.
        let sessions = try connection.rows(
            "SELECT session_id FROM tokens WHERE expires_at < ?", limit.milliseconds
        ) { $0.integer(0) }
        return Set(sessions).sorted()
    }

    /// Sessions without any token.
    static func empty(_ connection: SQLiteConnection) throws -> [Int64] {
        try connection.rows(
            "SELECT id FROM sessions WHERE NOT EXISTS (SELECT 1 FROM tokens WHERE session_id = sessions.id)"
        ) { $0.integer(0) }
    }

    /// Drops the session if it has no token by now.
    static func dropEmpty(session: Int64, _ connection: SQLiteConnection) throws {
        try connection.run(
            "DELETE FROM sessions WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM tokens WHERE session_id = ?1)", session)
    }
}

/// Ends and devices.
extension SessionTable {
    /// Ends the session with all its tokens.
    static func end(session: Int64, _ connection: SQLiteConnection) throws {
        try connection.run("DELETE FROM tokens WHERE session_id = ?", session)
        try connection.run("DELETE FROM sessions WHERE id = ?", session)
    }

    /// Ends all sessions of the account but `kept`; which they were.
    static func endAll(
        account: Int64, except kept: Int64?, _ connection: SQLiteConnection
    ) throws -> [EndedSession] {
        try end(account: account, connection) { $0.id != kept }
    }

    /// Ends the sessions of the account on those devices; which they were.
    static func end(
        devices: Set<DeviceID>, account: Int64, _ connection: SQLiteConnection
    ) throws -> [EndedSession] {
        try end(account: account, connection) { devices.contains($0.device) }
    }

    private static func end(
        account: Int64, _ connection: SQLiteConnection, where isToEnd: (EndedSession) -> Bool
    ) throws -> [EndedSession] {
        let ended = try connection.rows("SELECT id, device_id FROM sessions WHERE account_id = ?", account) {
            EndedSession(id: $0.integer(0), device: DeviceID($0.text(1)))
        }.filter(isToEnd)
        for session in ended { try end(session: session.id, connection) }
        return ended
    }

    /// Makes the tokens of one kind expire now; the sessions that bear such.
    static func expire(
        _ kind: Authenticated.TokenKind, ofAccount account: Int64, at now: Timestamp, _ connection: SQLiteConnection
    ) throws -> [EndedSession] {
        try connection.run(
            """
            UPDATE tokens SET expires_at = min(coalesce(expires_at, ?), ?)
            WHERE kind = ? AND session_id IN (SELECT id FROM sessions WHERE account_id = ?)
            """, now.milliseconds, now.milliseconds, kind.rawValue, account)
        return try connection.rows("SELECT id, device_id FROM sessions WHERE account_id = ?", account) {
            EndedSession(id: $0.integer(0), device: DeviceID($0.text(1)))
        }
    }

    static func devices(account: Int64, _ connection: SQLiteConnection) throws -> [Device] {
        try connection.rows(
            """
            SELECT device_id, display_name, last_seen_at, last_seen_address FROM sessions
            WHERE account_id = ? ORDER BY id
            """, account
        ) { row in
            Device(
                id: DeviceID(row.text(0)), displayName: row.optionalText(1),
                lastSeenAt: Timestamp(milliseconds: row.integer(2)), lastSeenAddress: row.optionalText(3))
        }
    }

    /// Without a name the device keeps the one it has. False where the account has no such device.
    static func rename(
        device: DeviceID, account: Int64, to name: String?, _ connection: SQLiteConnection
    ) throws -> Bool {
        try connection.run(
            "UPDATE sessions SET display_name = coalesce(?, display_name) WHERE account_id = ? AND device_id = ?", name,
            account, device.raw) == 1
    }
}

/// A session that is over, for those who hold something of it.
struct EndedSession: Equatable, Sendable {
    var id: Int64
    var device: DeviceID
}
