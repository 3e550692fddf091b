import Models
import SQLite

/// Accounts and sessions: what both APIs do with them. Each API puts the outcomes into its own words.
final class Accounts: Sendable {
    let database: Database
    let serverName: String
    let environment: Environment
    let lifetimes: TokenLifetimes
    let passwords: PasswordHasher
    let authenticator: Authenticator
    let limiters: Limiters
    /// Told of each session that has ended, so that what waits in its name can be let go.
    let sessionEnded: @Sendable (UserID, DeviceID) -> Void

    init(
        database: Database, serverName: String, environment: Environment, passwordCost: PasswordCost,
        limits: RateLimits, lifetimes: TokenLifetimes = TokenLifetimes(),
        sessionEnded: @escaping @Sendable (UserID, DeviceID) -> Void
    ) {
        self.database = database
        self.serverName = serverName
        self.environment = environment
        self.lifetimes = lifetimes
        self.sessionEnded = sessionEnded
        passwords = PasswordHasher(cost: passwordCost)
        limiters = Limiters(limits, clock: environment.clock)
        authenticator = Authenticator(
            database: database, serverName: serverName, clock: environment.clock, limiters: limiters)
    }

    var now: Timestamp { environment.clock.now }

    /// The local part that somebody means who logs in by it or by a whole id; nil for an id of another server.
    func localPart(ofLogin name: String) -> String? {
        let name = name.lowercased()
        guard name.hasPrefix("@") else { return name }
        return name.hasSuffix(":\(serverName.lowercased())") ? UserID(name).localPart : nil
    }
}

/// Why an account could not be used as asked.
enum AccountError: Error, Equatable, Sendable {
    /// What is wrong with which field.
    case invalid([String: [String]])
    case wrongCredentials
    case limited(retryAfter: Duration)
    /// The token to renew is unknown, over, or none of those that can be renewed.
    case badRefreshToken
    /// The token to renew has run out; its session is still there.
    case expiredRefreshToken
    case localPartTaken
    case noSuchAccount
}

/// Making accounts.
extension Accounts {
    /// Makes an account for the Words API. Throws `invalid` and `limited`.
    func signup(name: String, email: String, password: Secret, from address: String) async throws -> Account {
        var problems: [String: [String]] = [:]
        if let problem = AccountRules.problem(name: name) { problems["name"] = [problem] }
        if let problem = AccountRules.problem(email: email) { problems["email"] = [problem] }
        if let problem = AccountRules.problem(password: password) { problems["password"] = [problem] }
        guard problems.isEmpty else { throw AccountError.invalid(problems) }
        try limiters.takeSignup(from: address)
        let folded = AccountRules.folded(email: email)
        let taken = AccountError.invalid(["email": ["There is an account with this e-mail address already."]])
        if try await database.read({ try AccountTable.find(email: folded, $0) }) != nil { throw taken }
        let hash = try await hashed(password)
        let name = AccountRules.trimmed(name)
        return try await database.write { [environment] connection in
            guard try AccountTable.find(email: folded, connection) == nil else { throw taken }
            var localPart = LocalPart.make(from: name, environment.identifiers)
            while try AccountTable.find(localPart: localPart, connection) != nil {
                localPart = LocalPart.make(from: name, environment.identifiers)
            }
            return try AccountTable.insert(
                localPart: localPart, name: name, email: folded, passwordHash: hash, at: environment.clock.now,
                connection)
        }
    }

    /// Makes an account that has no e-mail address. Throws `localPartTaken` and `limited`; `localPart` and `password` have
    /// been looked at.
    func register(localPart: String, password: Secret, from address: String) async throws -> Account {
        try limiters.takeSignup(from: address)
        let hash = try await hashed(password)
        return try await database.write { [environment] connection in
            guard try AccountTable.find(localPart: localPart, connection) == nil else {
                throw AccountError.localPartTaken
            }
            return try AccountTable.insert(
                localPart: localPart, name: localPart, email: nil, passwordHash: hash, at: environment.clock.now,
                connection)
        }
    }

    func hashed(_ password: Secret) async throws -> String {
        do { return try await passwords.hash(password) } catch is PasswordHasher.Busy {
            throw AccountError.limited(retryAfter: .seconds(1))
        }
    }
}

/// Proving who one is.
extension Accounts {
    /// How somebody who logs in names their account.
    enum Login: Sendable {
        case email(String)
        case localPart(String)

        /// What tries are counted by: the account, whichever way in somebody tries, or the name where there is none.
        func key(_ found: Int64?) -> String {
            if let found { return Self.key(ofAccount: found) }
            return switch self {
            case .email(let email): "email " + AccountRules.folded(email: email)
            case .localPart(let name): "local " + name
            }
        }

        static func key(ofAccount id: Int64) -> String { "id \(id)" }

        func find(_ connection: SQLiteConnection) throws -> Account? {
            switch self {
            case .email(let email): try AccountTable.find(email: AccountRules.folded(email: email), connection)
            case .localPart(let name): try AccountTable.find(localPart: name, connection)
            }
        }
    }

    /// The account that `login` names, if `password` is its password. Throws `wrongCredentials` and `limited`; neither
    /// words nor time tell whether there is such an account.
    func authenticate(_ login: Login, password: Secret, from address: String) async throws -> Account {
        let found = try await database.read { connection -> (Account, String?)? in
            guard let account = try login.find(connection) else { return nil }
            return (account, try AccountTable.passwordHash(id: account.id, connection))
        }
        let tries = try limiters.takeLogin(account: login.key(found?.0.id), address: address)
        let isTooLong = password.reveal().utf8.count > AccountRules.passwordLength.upperBound
        let isRight: Bool
        do {
            isRight = try await passwords.verify(isTooLong ? Secret("") : password, against: found?.1)
        } catch is PasswordHasher.Busy {
            throw AccountError.limited(retryAfter: .seconds(1))
        }
        guard isRight, let account = found?.0 else { throw AccountError.wrongCredentials }
        tries.giveBack()
        try limiters.takeRequest(account: account.id)
        return account
    }

    /// Whether `password` is that of the account. Throws `limited`.
    func isPassword(_ password: Secret, ofAccount id: Int64, from address: String) async throws -> Bool {
        let tries = try limiters.takeLogin(account: Login.key(ofAccount: id), address: address)
        let stored = try await database.read { try AccountTable.passwordHash(id: id, $0) }
        do {
            guard try await passwords.verify(password, against: stored) else { return false }
        } catch is PasswordHasher.Busy {
            throw AccountError.limited(retryAfter: .seconds(1))
        }
        tries.giveBack()
        return true
    }
}

/// Changing accounts.
extension Accounts {
    func account(_ id: Int64) async throws -> Account {
        guard let account = try await database.read({ try AccountTable.find(id: id, $0) }) else {
            throw AccountError.noSuchAccount
        }
        return account
    }

    /// Which sessions end with a new password.
    enum Ending: Sendable {
        case none
        case all(but: Int64?)
    }

    /// Sets a password that has been looked at, and ends sessions of the account. Nothing of it is done where any of it
    /// fails.
    func setPassword(_ password: Secret, ofAccount id: Int64, ending: Ending) async throws {
        let hash = try await hashed(password)
        let (account, ended) = try await database.write { [self] connection in
            let ended = try store(hash, of: id, ending: ending, connection)
            guard let account = try AccountTable.find(id: id, connection) else { throw AccountError.noSuchAccount }
            return (account, ended)
        }
        over(ended, of: account.userID(on: serverName))
    }

    /// Stores the hash of a new password, and ends sessions; which they were. The caller calls `over` with them.
    func store(
        _ hash: String, of id: Int64, ending: Ending, _ connection: SQLiteConnection
    ) throws -> [EndedSession] {
        try AccountTable.setPassword(id: id, hash: hash, at: now, connection)
        guard case .all(let kept) = ending else { return [] }
        return try SessionTable.endAll(account: id, except: kept, connection)
    }

    /// Sets the password of the account with this address. Throws `noSuchAccount` and `invalid`.
    func setPassword(_ password: Secret, ofEmail email: String) async throws {
        if let problem = AccountRules.problem(password: password) {
            throw AccountError.invalid(["password": [problem]])
        }
        let folded = AccountRules.folded(email: email)
        guard let account = try await database.read({ try AccountTable.find(email: folded, $0) }) else {
            throw AccountError.noSuchAccount
        }
        try await setPassword(password, ofAccount: account.id, ending: .all(but: nil))
    }

    /// Forgets what is known of sessions that have ended, and tells.
    func over(_ sessions: [EndedSession], of user: UserID) {
        authenticator.forget(sessions: Set(sessions.map(\.id)))
        for session in sessions { sessionEnded(user, session.device) }
    }
}
