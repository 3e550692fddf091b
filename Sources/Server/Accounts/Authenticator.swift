import Models
import SQLite

/// Tells whose a token is. What it has found out it remembers, so that most requests cost no look at the database; it is
/// told of every session that ends.
final class Authenticator: Authenticating {
    private struct Entry: Sendable {
        var who: Authenticated
        var expiresAt: Timestamp?
    }

    private struct Memory {
        var entries: [TokenHash: Entry] = [:]
        /// Counts what was forgotten: what was read before then is not remembered after.
        var changes = 0
    }

    private static let limit = 20_000

    private let database: Database
    private let serverName: String
    private let clock: any WallClock
    private let limiters: Limiters
    private let memory = Locked(Memory())

    init(database: Database, serverName: String, clock: any WallClock, limiters: Limiters) {
        self.database = database
        self.serverName = serverName
        self.clock = clock
        self.limiters = limiters
    }

    func matrixUser(_ request: HTTPRequest) async throws -> Authenticated {
        let given =
            [request.bearerToken].compactMap { $0 } + request.query.filter { $0.name == "access_token" }.map(\.value)
        guard let token = given.first else { throw MatrixError.missingToken }
        // Which of two would be meant is anybody's guess. RFC 6750, section 2.
        guard given.allSatisfy({ $0 == token }) else { throw MatrixError.contradictingTokens }
        switch try await find(Secret(token)) {
        case .none: throw MatrixError.unknownToken
        case .expired(let who) where Self.isForMatrix(who): throw MatrixError.expiredToken
        case .valid(let who) where Self.isForMatrix(who):
            do { try limiters.takeRequest(account: who.accountID) } catch { throw MatrixError(error) }
            return who
        case .valid, .expired: throw MatrixError.unknownToken
        }
    }

    func wordsUser(_ request: HTTPRequest) async throws -> Authenticated {
        guard let token = request.bearerToken, case .valid(let who) = try await find(Secret(token)),
            who.sessionKind == .oauth, who.tokenKind == .access
        else { throw WordsError.unauthenticated }
        do { try limiters.takeRequest(account: who.accountID) } catch { throw WordsError(error) }
        return who
    }

    private static func isForMatrix(_ who: Authenticated) -> Bool {
        switch who.sessionKind {
        case .oauth: who.tokenKind == .chat
        case .matrix: who.tokenKind == .access
        }
    }

    /// Forgets what was known of the sessions.
    func forget(sessions: Set<Int64>) {
        memory.withLock { memory in
            memory.changes += 1
            memory.entries = memory.entries.filter { !sessions.contains($0.value.who.sessionID) }
        }
    }

    func forgetAll() {
        memory.withLock { memory in
            memory.changes += 1
            memory.entries = [:]
        }
    }

    private enum Finding: Sendable {
        case none
        case expired(Authenticated)
        case valid(Authenticated)
    }

    private func find(_ token: Secret) async throws -> Finding {
        let hash = TokenHash(token)
        let now = clock.now
        let (known, changes) = memory.withLock { ($0.entries[hash], $0.changes) }
        if let known { return finding(known, now) }
        guard
            let found = try await database.read({ [serverName] in
                try SessionTable.find(hash, serverName: serverName, $0)
            })
        else { return .none }
        if found.isPending, !found.isExpired(at: now) {
            let isStillThere = try await confirm(hash)
            if !isStillThere { return .none }
        }
        let entry = Entry(who: found.who, expiresAt: found.expiresAt)
        memory.withLock { memory in
            // Where the token was confirmed, forgetting its predecessors has been counted too.
            guard memory.changes == changes + (found.isPending ? 1 : 0) else { return }
            if memory.entries.count >= Self.limit { memory.entries = [:] }
            memory.entries[hash] = entry
        }
        return finding(entry, now)
    }

    private func finding(_ entry: Entry, _ now: Timestamp) -> Finding {
        if let expiresAt = entry.expiresAt, expiresAt <= now { return .expired(entry.who) }
        return .valid(entry.who)
    }

    /// The first use of a token of a new pair: the pair before it dies. False where the token has died meanwhile.
    private func confirm(_ hash: TokenHash) async throws -> Bool {
        let session = try await database.write { [serverName] connection -> Int64? in
            guard let found = try SessionTable.find(hash, serverName: serverName, connection) else { return nil }
            try SessionTable.confirm(found, connection)
            return found.who.sessionID
        }
        guard let session else { return false }
        forget(sessions: [session])
        return true
    }
}
