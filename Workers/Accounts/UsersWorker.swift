import Models

/// Accounts and contacts for the scenes: a store, and the session that its requests need.
public struct UsersWorker: UsersWorkerLogic {
    private let store: any UsersStore
    private let authenticator: Authenticator
    private let environment: Environment
    private let stores: any ClientStores
    /// How often somebody has begun to sign in: only the latest attempt may end in a session.
    private let attempts = Locked(0)
    /// The address of the account that was made, or may have been, and that nobody has got into yet.
    private let unfinished = Locked<String?>(nil)

    /// A limit that passes sooner than this is waited out, twice at most; a longer one is told.
    static let longestWait = Duration.seconds(30)

    init(
        store: any UsersStore, authenticator: Authenticator, environment: Environment,
        stores: any ClientStores = MemoryClientStores()
    ) {
        self.store = store
        self.authenticator = authenticator
        self.environment = environment
        self.stores = stores
    }

    public func resume() async -> ResumedSession {
        await environment.activity.during("resume") {
            let stored: Session
            do throws(SessionStore.Failure) {
                guard let found = try await authenticator.restore() else {
                    return try await authenticator.hasExpired() ? .expired : .none
                }
                stored = found
            } catch { return .unreadable(error.message) }
            do throws(UsersError) {
                let user = try await authenticator.perform { token throws(UsersError) in
                    try await store.currentUser(token)
                }
                if user != stored.user { try? await authenticator.update(user) }
                guard let session = await authenticator.session else {
                    await stores.wipe(stored.user.chatID)
                    return .ended
                }
                return .valid(session)
            } catch {
                let outcome = await Self.outcome(of: error, authenticator.session ?? stored)
                if outcome == .ended { await stores.wipe(stored.user.chatID) }
                return outcome
            }
        }
    }

    private static func outcome(of error: UsersError, _ session: Session) -> ResumedSession {
        switch error {
        case .unauthenticated, .noSession: .ended
        case .expired: .expired
        case .network(let fault): .offline(session, fault)
        case .limited(let retryAfter): .offline(session, .limited(retryAfter: retryAfter))
        case .storage(let message): .unreadable(message)
        case .invalid, .wrongCredentials, .refused: .offline(session, .serverFault(status: 400))
        }
    }

    public func identities() async -> AccountIdentities? {
        await environment.activity.during("discovery") { await store.identities() }
    }

    public func signup(name: String, email: String, password: Secret) async throws(UsersError) -> Session {
        do throws(UsersError) {
            try await patiently("signup") { () throws(UsersError) in
                _ = try await store.signup(name: name, email: email, password: password)
            }
        } catch {
            if error.leavesOpen { unfinished.withLock { $0 = email } }
            guard case .invalid(_, let fields) = error, fields["email"] != nil,
                unfinished.withLock({ $0 == email })
            else { throw error }
            // Taken by the try before this one, it seems; if so, this is its password.
            do { return try await login(identity: email, password: password) } catch {}
            throw error
        }
        unfinished.withLock { $0 = email }
        return try await login(identity: email, password: password)
    }

    public func login(identity: String, password: Secret) async throws(UsersError) -> Session {
        let attempt = attempts.withLock { attempts in
            attempts += 1
            return attempts
        }
        return try await patiently("login") { () throws(UsersError) in
            let device = await authenticator.device(for: identity)
            let token = try await store.login(identity: identity, password: password, device: device)
            let chatToken = try await store.chatToken(token)
            let user = try await store.currentUser(token)
            let session = Session(user: user, userToken: token, chatToken: chatToken)
            // Cancelled, and somebody signs in otherwise by now: that session is not to be replaced.
            guard attempts.withLock({ $0 }) == attempt else {
                try? await store.logout(token)
                throw .noSession
            }
            try await authenticator.begin(session)
            unfinished.withLock { $0 = nil }
            return session
        }
    }

    public func rename(to name: String) async throws(UsersError) -> User {
        let user = try await signedIn("rename") { token throws(UsersError) in
            try await store.rename(token, name: name)
        }
        try await authenticator.update(user)
        return user
    }

    public func changePassword(current: Secret, new: Secret) async throws(UsersError) {
        try await signedIn("password") { token throws(UsersError) in
            try await store.changePassword(token, current: current, new: new)
        }
    }

    public func contacts() async throws(UsersError) -> [Contact] {
        let contacts = try await signedIn("contacts") { token throws(UsersError) in try await store.contacts(token) }
        // One that cannot be kept is fetched again.
        if let user = await authenticator.session?.user.chatID {
            await environment.activity.during("store") { try? await stores.store(of: user).save(contacts) }
        }
        return contacts
    }

    public func cachedContacts() async -> [Contact]? {
        guard let user = await authenticator.session?.user.chatID else { return nil }
        return await environment.activity.during("store") { try? await stores.store(of: user).contacts() }
    }

    public func addContact(_ identity: String) async throws(UsersError) -> Contact {
        try await signedIn("add") { token throws(UsersError) in
            try await store.addContact(token, identity: identity)
        }
    }

    public func removeContact(_ id: UserID) async throws(UsersError) {
        try await signedIn("remove") { token throws(UsersError) in try await store.removeContact(token, id: id) }
    }

    public func block(_ id: UserID) async throws(UsersError) {
        try await signedIn("block") { token throws(UsersError) in try await store.block(token, id: id) }
    }

    public func unblock(_ id: UserID) async throws(UsersError) {
        try await signedIn("unblock") { token throws(UsersError) in try await store.unblock(token, id: id) }
    }

    public func logout() async -> LogoutOutcome {
        await environment.activity.during("logout") {
            let outcome: LogoutOutcome
            let ending = await authenticator.known
            do throws(UsersError) {
                try await authenticator.perform { token throws(UsersError) in try await store.logout(token) }
                outcome = .complete
            } catch {
                // A session that the server does not honour is over there already.
                outcome = error.refusesToken || error == .noSession ? .complete : .localOnly
            }
            // Somebody may have signed in while the answer was on its way: that session goes on.
            if let ending, await authenticator.end(ending) { await stores.wipe(ending.person) }
            return outcome
        }
    }

    public func withdraw() async {
        guard let ending = await authenticator.known, await authenticator.continuesExpired else {
            _ = await logout()
            return
        }
        // Not ended at the server: that would end the device too, by which it knows what it has from here already.
        await environment.activity.during("logout") { _ = await authenticator.end(ending, refusal: .expired) }
    }
}

extension UsersWorker {
    private func signedIn<Value: Sendable>(
        _ cause: String, _ request: @Sendable (UserToken) async throws(UsersError) -> Value
    ) async throws(UsersError) -> Value {
        try await patiently(cause) { () throws(UsersError) in try await authenticator.perform(request) }
    }

    /// Does `body`, counted as activity, and again after a short wait that the server asked for.
    private func patiently<Value: Sendable>(
        _ cause: String, _ body: () async throws(UsersError) -> Value
    ) async throws(UsersError) -> Value {
        try await environment.activity.during(cause) { () throws(UsersError) in
            for _ in 0..<2 {
                do throws(UsersError) { return try await body() } catch {
                    guard case .limited(let wait?) = error, wait <= Self.longestWait else { throw error }
                    await rest(max(wait, .seconds(1)))
                }
            }
            return try await body()
        }
    }

    /// Waiting for the time to pass is no activity; what follows is, from the moment the timer fires.
    private func rest(_ wait: Duration) async {
        await withCheckedContinuation { continuation in
            let waiter = PausedContinuation(continuation)
            _ = environment.clock.schedule(after: wait) { waiter.resume() }
            waiter.pause()
        }
    }
}

extension UsersError {
    /// Whether the server may have done what was asked all the same.
    fileprivate var leavesOpen: Bool { self == .network(.interrupted) || self == .network(.timedOut) }
}
