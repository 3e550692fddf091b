import Models
import Workers

/// A `UsersWorker` that records what is asked of it and answers as it is told.
@MainActor
final class UsersWorkerSpy: UsersWorkerLogic {
    enum Call: Equatable {
        case resume, contacts, logout, withdraw
        case signup(name: String, email: String, password: Secret)
        case login(identity: String, password: Secret)
        case rename(String)
        case changePassword(current: Secret, new: Secret)
        case addContact(String)
        case removeContact(UserID)
        case block(UserID)
        case unblock(UserID)
    }

    var calls: [Call] = []
    var resumed = ResumedSession.none
    /// Answers to signup and login, in order; the last one repeats.
    var sessions: [Result<Session, UsersError>] = [.success(Fixture.session())]
    /// Answers to `contacts`, in order; the last one repeats.
    var lists: [Result<[Contact], UsersError>] = [.success([])]
    /// What is kept on this machine.
    var cached: [Contact]?
    var added: Result<Contact, UsersError> = .failure(.noSession)
    var renamed: Result<User, UsersError> = .failure(.noSession)
    /// What every other change ends with.
    var failure: UsersError?
    var loggedOut = LogoutOutcome.complete
    var names: AccountIdentities? = .emailAddresses
    /// Happens while a request is under way.
    var meanwhile: (@MainActor (Call) async -> Void)?

    private func record(_ call: Call) async {
        calls.append(call)
        await meanwhile?(call)
    }

    private func next<Value>(_ answers: inout [Result<Value, UsersError>]) throws(UsersError) -> Value {
        let answer = answers.count > 1 ? answers.removeFirst() : answers.first ?? .failure(.noSession)
        return try answer.get()
    }

    private func end() throws(UsersError) {
        if let failure { throw failure }
    }

    func identities() async -> AccountIdentities? { names }

    func resume() async -> ResumedSession {
        await record(.resume)
        return resumed
    }

    func signup(name: String, email: String, password: Secret) async throws(UsersError) -> Session {
        await record(.signup(name: name, email: email, password: password))
        return try next(&sessions)
    }

    func login(identity: String, password: Secret) async throws(UsersError) -> Session {
        await record(.login(identity: identity, password: password))
        return try next(&sessions)
    }

    func rename(to name: String) async throws(UsersError) -> User {
        await record(.rename(name))
        return try renamed.get()
    }

    func changePassword(current: Secret, new: Secret) async throws(UsersError) {
        await record(.changePassword(current: current, new: new))
        try end()
    }

    func cachedContacts() async -> [Contact]? { cached }

    func contacts() async throws(UsersError) -> [Contact] {
        // What is answered is decided when it is asked for, however long the answer takes.
        let answer = Result { () throws(UsersError) in try next(&lists) }
        await record(.contacts)
        return try answer.get()
    }

    func addContact(_ identity: String) async throws(UsersError) -> Contact {
        await record(.addContact(identity))
        return try added.get()
    }

    func removeContact(_ id: UserID) async throws(UsersError) {
        await record(.removeContact(id))
        try end()
    }

    func block(_ id: UserID) async throws(UsersError) {
        await record(.block(id))
        try end()
    }

    func unblock(_ id: UserID) async throws(UsersError) {
        await record(.unblock(id))
        try end()
    }

    func logout() async -> LogoutOutcome {
        await record(.logout)
        return loggedOut
    }

    func withdraw() async { await record(.withdraw) }
}
