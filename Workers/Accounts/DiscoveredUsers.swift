import Models

/// Accounts and contacts by whichever API the server turns out to have. A token is only shown to a server of the kind
/// that gave it.
struct DiscoveredUsers: UsersStore {
    let endpoint: any ServerEndpoint
    let server: ServerIdentity
    let words: any UsersStore
    let matrix: any UsersStore

    func identities() async -> AccountIdentities? {
        guard let kind = try? await endpoint.kind() else { return nil }
        return kind == .words ? .emailAddresses : .userNames
    }

    /// For what begins a session.
    private func found() async throws(UsersError) -> any UsersStore {
        let kind: SessionKey.Kind
        do { kind = try await endpoint.kind() } catch { throw .network(error) }
        server.learn(kind)
        return store(of: kind)
    }

    /// For what bears the token of one.
    private func known() async throws(UsersError) -> any UsersStore {
        let kind: SessionKey.Kind
        do { kind = try await endpoint.kind() } catch { throw .network(error) }
        guard server.kind == nil || server.kind == kind else { throw .unauthenticated }
        return store(of: kind)
    }

    private func store(of kind: SessionKey.Kind) -> any UsersStore { kind == .words ? words : matrix }

    func signup(name: String, email: String, password: Secret) async throws(UsersError) -> User {
        try await found().signup(name: name, email: email, password: password)
    }

    func login(identity: String, password: Secret, device: DeviceID?) async throws(UsersError) -> UserToken {
        try await found().login(identity: identity, password: password, device: device)
    }

    func refresh(_ token: UserToken) async throws(UsersError) -> UserToken { try await known().refresh(token) }

    func chatToken(_ token: UserToken) async throws(UsersError) -> ChatToken { try await known().chatToken(token) }

    func currentUser(_ token: UserToken) async throws(UsersError) -> User { try await known().currentUser(token) }

    func rename(_ token: UserToken, name: String) async throws(UsersError) -> User {
        try await known().rename(token, name: name)
    }

    func changePassword(_ token: UserToken, current: Secret, new: Secret) async throws(UsersError) {
        try await known().changePassword(token, current: current, new: new)
    }

    func contacts(_ token: UserToken) async throws(UsersError) -> [Contact] { try await known().contacts(token) }

    func addContact(_ token: UserToken, identity: String) async throws(UsersError) -> Contact {
        try await known().addContact(token, identity: identity)
    }

    func removeContact(_ token: UserToken, id: UserID) async throws(UsersError) {
        try await known().removeContact(token, id: id)
    }

    func block(_ token: UserToken, id: UserID) async throws(UsersError) { try await known().block(token, id: id) }

    func unblock(_ token: UserToken, id: UserID) async throws(UsersError) { try await known().unblock(token, id: id) }

    func logout(_ token: UserToken) async throws(UsersError) { try await known().logout(token) }
}
