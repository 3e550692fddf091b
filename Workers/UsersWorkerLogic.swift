import Models

/// What scenes ask of accounts and contacts. Tokens stay below: no scene ever sees one.
public protocol UsersWorkerLogic: Sendable {
    /// The stored session, if it still holds.
    func resume() async -> ResumedSession
    /// Makes the account, signs in and stores the session.
    func signup(name: String, email: String, password: Secret) async throws(UsersError) -> Session
    /// Signs in and stores the session. Throws `noSession` where another attempt has begun meanwhile: that one counts.
    func login(identity: String, password: Secret) async throws(UsersError) -> Session
    func rename(to name: String) async throws(UsersError) -> User
    func changePassword(current: Secret, new: Secret) async throws(UsersError)
    func contacts() async throws(UsersError) -> [Contact]
    /// The list that was fetched last, from this machine; nil where there is none.
    func cachedContacts() async -> [Contact]?
    func addContact(_ identity: String) async throws(UsersError) -> Contact
    func removeContact(_ id: UserID) async throws(UsersError)
    func block(_ id: UserID) async throws(UsersError)
    func unblock(_ id: UserID) async throws(UsersError)
    /// Ends the session on the server and on disk. On disk in any case.
    func logout() async -> LogoutOutcome
    /// Takes back a sign-in that nobody wants any more. What was on this machine before it is there again.
    func withdraw() async
    /// What accounts of this server go by; nil where it has not said yet.
    func identities() async -> AccountIdentities?
}

extension UsersWorkerLogic {
    public func cachedContacts() async -> [Contact]? { nil }
    public func identities() async -> AccountIdentities? { .emailAddresses }
}

/// What has become of the stored session.
public enum ResumedSession: Equatable, Sendable {
    case none
    /// The server honours it.
    case valid(Session)
    /// The server could not be asked; the session is kept.
    case offline(Session, NetworkFault)
    /// It was there and the server refuses it; it is gone, with all that was kept of it.
    case ended
    /// It has run out, and so is gone; what was kept of it stays for its owner. Client-server API, "Soft logout".
    case expired
    /// The session file could not be read; what happened and to which file.
    case unreadable(String)
}

/// Where the session has ended.
public enum LogoutOutcome: Equatable, Sendable {
    case complete
    /// Gone here; the server could not be told and holds it until it expires.
    case localOnly
}
