import Models
import SQLite

/// Sessions and their tokens.
extension Accounts {
    /// How much longer than they are good expired tokens are remembered, to tell their bearers that it is only they.
    private static let memory: Duration = .seconds(86_400)
    /// How long after it could last be renewed a session is remembered, for whoever comes back and goes on with it.
    static let sessionMemory: Duration = .seconds(365 * 86_400)
    /// So many sessions are cleared in one transaction.
    static let clearedAtOnce = 100

    /// Opens a session on a new device, or takes over the one of `device`.
    func openSession(
        _ account: Account, kind: Authenticated.SessionKind, device: DeviceID? = nil, displayName: String? = nil,
        isRenewable: Bool = true, from address: String
    ) async throws -> (tokens: IssuedTokens, device: DeviceID) {
        let device = device ?? DeviceID(environment.identifiers.next(length: 10).uppercased())
        let now = now
        let tokens = make(isRenewable: isRenewable)
        let session = try await database.write { [lifetimes] connection in
            let session = try SessionTable.open(
                account: account.id, device: device, kind: kind, displayName: displayName, at: now, from: address,
                connection)
            try Self.store(tokens, session.id, generation: 0, at: now, lifetimes, connection)
            return session
        }
        if session.isTakenOver {
            over([EndedSession(id: session.id, device: device)], of: account.userID(on: serverName))
        }
        return (tokens, device)
    }

    /// Renews the tokens of a session. The old refresh token stays good until one of the new tokens is used; a repeat
    /// makes the pair void that was never used. Throws `badRefreshToken` and `expiredRefreshToken`.
    func refresh(
        _ token: Secret, kind: Authenticated.SessionKind, from address: String
    ) async throws -> (IssuedTokens, Authenticated) {
        let now = now
        let tokens = make(isRenewable: true)
        let found = try await database.write { [lifetimes, serverName, limiters] connection in
            guard let found = try SessionTable.find(TokenHash(token), serverName: serverName, connection),
                found.who.tokenKind == .refresh, found.who.sessionKind == kind
            else { throw AccountError.badRefreshToken }
            guard !found.isExpired(at: now) else { throw AccountError.expiredRefreshToken }
            try limiters.takeRequest(account: found.who.accountID)
            try SessionTable.confirm(found, connection)
            try SessionTable.voidSuccessors(of: found, connection)
            try Self.dropExpired(session: found.who.sessionID, at: now, connection)
            try Self.store(
                tokens, found.who.sessionID, generation: found.generation + 1, at: now, lifetimes, connection)
            try SessionTable.touch(session: found.who.sessionID, at: now, from: address, connection)
            return found.who
        }
        authenticator.forget(sessions: [found.sessionID])
        return (tokens, found)
    }

    /// A token for the chat service, of the same device as the session.
    func chatToken(_ who: Authenticated, from address: String) async throws -> (token: Secret, expiresIn: Duration) {
        let token = Sodium.randomToken()
        let now = now
        try await database.write { [lifetimes] connection in
            try Self.dropExpired(session: who.sessionID, at: now, connection)
            try SessionTable.insert(
                token, session: who.sessionID, kind: .chat, expiresAt: now + lifetimes.chat, generation: 0, connection)
            try SessionTable.touch(session: who.sessionID, at: now, from: address, connection)
        }
        return (token, lifetimes.chat)
    }

    /// Ends the session and all its tokens.
    func logout(_ who: Authenticated) async throws {
        try await database.write { try SessionTable.end(session: who.sessionID, $0) }
        over([EndedSession(id: who.sessionID, device: who.deviceID)], of: who.userID)
    }

    /// Ends the sessions on those of the person's devices.
    func logout(_ devices: Set<DeviceID>, of who: Authenticated) async throws {
        let ended = try await database.write {
            try SessionTable.end(devices: devices, account: who.accountID, $0)
        }
        over(ended, of: who.userID)
    }

    /// Ends all sessions of the account.
    func logoutEverywhere(_ who: Authenticated) async throws {
        let ended = try await database.write {
            try SessionTable.endAll(account: who.accountID, except: nil, $0)
        }
        over(ended, of: who.userID)
    }

    /// Drops what has long been over: tokens, and sessions that have none left.
    func dropExpired() async throws {
        let now = now
        let limit = now + (.zero - Self.memory)
        try await inPortions(database.read { try SessionTable.expired(before: limit, $0) }) {
            try Self.dropExpired(session: $0, at: now, $1)
        }
        try await inPortions(database.read { try SessionTable.empty($0) }) {
            try SessionTable.dropEmpty(session: $0, $1)
        }
        authenticator.forgetAll()
    }

    private static func dropExpired(session: Int64, at now: Timestamp, _ connection: SQLiteConnection) throws {
        try SessionTable.dropExpired(
            session: session, before: now + (.zero - memory), lastBefore: now + (.zero - sessionMemory), connection)
    }

    /// Does it to each of the sessions, few in one transaction, since others wait for it.
    private func inPortions(
        _ sessions: [Int64], _ work: @escaping @Sendable (Int64, SQLiteConnection) throws -> Void
    ) async throws {
        for start in stride(from: 0, to: sessions.count, by: Self.clearedAtOnce) {
            let portion = sessions[start..<min(start + Self.clearedAtOnce, sessions.count)]
            try await database.write { connection in for session in portion { try work(session, connection) } }
        }
    }

    /// Makes the tokens of one kind expire now, in all sessions of the person with this address or Matrix id.
    func expireTokens(_ kind: Authenticated.TokenKind, of identity: String) async throws {
        let now = now
        let (account, sessions) = try await database.write { connection in
            let found =
                identity.hasPrefix("@")
                ? try AccountTable.find(localPart: UserID(identity).localPart, connection)
                : try AccountTable.find(email: AccountRules.folded(email: identity), connection)
            guard let account = found else { throw AccountError.noSuchAccount }
            return (account, try SessionTable.expire(kind, ofAccount: account.id, at: now, connection))
        }
        guard kind != .refresh else { return }
        over(sessions, of: account.userID(on: serverName))
    }

    private func make(isRenewable: Bool) -> IssuedTokens {
        IssuedTokens(
            access: Sodium.randomToken(), refresh: isRenewable ? Sodium.randomToken() : nil,
            expiresIn: isRenewable ? lifetimes.access : nil)
    }

    private static func store(
        _ tokens: IssuedTokens, _ session: Int64, generation: Int64, at now: Timestamp, _ lifetimes: TokenLifetimes,
        _ connection: SQLiteConnection
    ) throws {
        try SessionTable.insert(
            tokens.access, session: session, kind: .access, expiresAt: tokens.expiresIn.map { now + $0 },
            generation: generation, connection)
        guard let refresh = tokens.refresh else { return }
        try SessionTable.insert(
            refresh, session: session, kind: .refresh, expiresAt: now + lifetimes.refresh, generation: generation,
            connection)
    }
}
