import Models

/// Where accounts and contacts live. `WordsAPI` is the tutorial's REST contract; a Matrix homeserver is another.
public protocol UsersStore: Sendable {
    func signup(name: String, email: String, password: Secret) async throws(UsersError) -> User
    /// `identity` is an e-mail address on a Words server, a user name or full id on a plain homeserver. `device` is the
    /// one whose session goes on with it; nil for another device.
    func login(identity: String, password: Secret, device: DeviceID?) async throws(UsersError) -> UserToken
    /// Throws `expired` or `unauthenticated` where the server does not take the refresh token.
    func refresh(_ token: UserToken) async throws(UsersError) -> UserToken
    func chatToken(_ token: UserToken) async throws(UsersError) -> ChatToken
    func currentUser(_ token: UserToken) async throws(UsersError) -> User
    func rename(_ token: UserToken, name: String) async throws(UsersError) -> User
    func changePassword(_ token: UserToken, current: Secret, new: Secret) async throws(UsersError)
    func contacts(_ token: UserToken) async throws(UsersError) -> [Contact]
    func addContact(_ token: UserToken, identity: String) async throws(UsersError) -> Contact
    func removeContact(_ token: UserToken, id: UserID) async throws(UsersError)
    func block(_ token: UserToken, id: UserID) async throws(UsersError)
    func unblock(_ token: UserToken, id: UserID) async throws(UsersError)
    func logout(_ token: UserToken) async throws(UsersError)
    /// What its accounts go by; nil where the server has not said yet of what kind it is.
    func identities() async -> AccountIdentities?
}

extension UsersStore {
    public func identities() async -> AccountIdentities? { .emailAddresses }
}

/// What accounts go by, and what a form for one asks for.
public enum AccountIdentities: Equatable, Sendable { case emailAddresses, userNames }

/// Why an account or contact call failed. Closed: one file of the scenes turns each into words.
public enum UsersError: Error, Equatable, Sendable {
    /// What is wrong with which field, in the server's words; field names as in the Words API.
    case invalid(message: RemoteText, fields: [String: [RemoteText]])
    case wrongCredentials(RemoteText)
    /// The token is not, or no longer, honoured, and nothing says that its session is.
    case unauthenticated
    /// The token has run out; the server keeps its session for whoever signs in again on the same device. Client-server
    /// API, "Soft logout".
    case expired
    /// The server understood and says no.
    case refused(RemoteText)
    /// Too many tries.
    case limited(retryAfter: Duration?)
    case network(NetworkFault)
    /// Nobody is signed in here.
    case noSession
    /// The session file could not be read or written; what happened and to which file.
    case storage(String)
}
