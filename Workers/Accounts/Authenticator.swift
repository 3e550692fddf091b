import Models

/// Holds the session, and renews its tokens: one renewal at a time, also between processes that share a home.
///
/// A token is present as long as nobody has refused it; it is valid when the server has just taken it. Only the server's
/// own word ends a session: no fault of the network does.
actor Authenticator {
    let store: any UsersStore
    let sessions: SessionStore
    private let server: ServerIdentity
    let clock: any WallClock
    private var machine = RenewalMachine()
    var session: Session?
    /// Counts the sessions that began here, so that the end of one is not taken for that of the next.
    private var number = 0
    /// Whether the session goes on with what one before it has left here when it ran out.
    private(set) var continuesExpired = false
    private var renewal: SharedWork<Result<UserToken, UsersError>>?
    var chatRenewal: SharedWork<Result<Secret, UsersError>>?
    /// Refresh tokens that the server has refused, and how; never offered again.
    private var refusedCredentials: [Secret: UsersError] = [:]
    /// Renewed tokens that could not be stored are used all the same, once the request that renewed them has said so.
    private var storageFailure: UsersError?

    init(store: any UsersStore, sessions: SessionStore, server: ServerIdentity, clock: any WallClock) {
        self.store = store
        self.sessions = sessions
        self.server = server
        self.clock = clock
    }

    var key: SessionKey { server.key }

    /// Takes up the stored session, without asking the server about it; nil where there is none. Where the server has
    /// not said yet of what kind it is, the session says so.
    func restore() throws(SessionStore.Failure) -> Session? {
        guard let (kind, found) = try sessions.session(at: server.endpoint, of: server.kind) else { return nil }
        server.learn(kind)
        take(found)
        return found
    }

    /// Whether a session has run out here that goes on once its owner signs in again.
    func hasExpired() throws(SessionStore.Failure) -> Bool {
        try sessions.hasExpired(at: server.endpoint, of: server.kind)
    }

    /// The device that whoever goes by `identity` was last signed in on here. Client-server API, "Soft logout".
    func device(for identity: String) -> DeviceID? {
        try? sessions.device(for: identity, at: server.endpoint, of: server.kind)
    }

    /// Takes up a session that was just made, and stores it.
    func begin(_ new: Session) async throws(UsersError) {
        try await sessions.locked(failure: Self.storageError) { held throws(UsersError) in
            continuesExpired = try Self.storing { () throws(SessionStore.Failure) in
                let goesOn = try held.hasExpired(new.user.chatID, for: key)
                try held.save(new, for: key)
                return goesOn
            }
            // In the same step, so that whoever removes the session before it sees that this one is another.
            take(new)
        }
    }

    private func take(_ new: Session) {
        number += 1
        session = new
        _ = machine.handle(.signedIn(new.userToken, at: clock.now))
    }

    /// A session as somebody knew it who may want to end it later.
    struct Known: Sendable {
        fileprivate var number: Int
        var person: UserID
    }

    /// The session held now.
    var known: Known? { session.map { Known(number: number, person: $0.user.chatID) } }

    /// Forgets that session here and on disk; of one that has run out, by the server's `refusal`, whose it was stays on
    /// disk. One that has begun since goes on; false where it is the same person's.
    @discardableResult
    func end(_ ending: Known, refusal: UsersError? = nil) async -> Bool {
        if number == ending.number {
            session = nil
            _ = machine.handle(refusal.map { .sessionEnded($0) } ?? .signedOut)
        }
        await remove(ending.person, isExpired: refusal == .expired)
        return session?.user.chatID != ending.person
    }

    /// Why there is no session, where there is none.
    var absence: UsersError { if case .ended(let error) = machine.state { error } else { .noSession } }

    /// The person's own data have changed.
    func update(_ user: User) async throws(UsersError) {
        guard var changed = session else { return }
        changed.user = user
        session = changed
        try await save(changed)
    }

    /// Does `request` with a token that should be good; once more where the server does not take it and a renewal gives
    /// another. Throws `unauthenticated` or `expired` where the session is over; it is gone from disk then.
    func perform<Value: Sendable>(
        _ request: @Sendable (UserToken) async throws(UsersError) -> Value
    ) async throws(UsersError) -> Value {
        let token = try await token(after: .needed(at: clock.now))
        let known = known
        let refusal: UsersError
        do { return try await request(token) } catch {
            guard error.refusesToken else { throw error }
            refusal = error
        }
        // Whoever has signed in meanwhile has not asked for this.
        guard let known, known.number == number else { throw .noSession }
        let renewed = try await self.token(after: .refused(token.accessToken), refusal)
        do { return try await request(renewed) } catch {
            if error.refusesToken { await end(known, refusal: error) }
            throw error
        }
    }

    /// `refusal` is what ends the session where there is nothing to renew it with.
    func token(
        after event: RenewalMachine.Event, _ refusal: UsersError = .expired
    ) async throws(UsersError) -> UserToken {
        switch machine.handle(event).first {
        case .use(let token): return token
        case .fail(let error): throw error
        case .joinRenewal:
            guard let renewal else { throw .noSession }
            return try await renewal.joined.get()
        case .renew(let token):
            let task = SharedWork { await self.renewed(token, refusal) }
            renewal = task
            return try await task.value.get()
        case nil: throw .noSession
        }
    }

    private func renewed(_ token: UserToken, _ refusal: UsersError) async -> Result<UserToken, UsersError> {
        let event: RenewalMachine.Event
        do {
            event = .renewed(try await renewUnderLock(token, refusal), at: clock.now)
        } catch {
            let isOver = error.refusesToken || error == .noSession
            if isOver, let ending = session, ending.userToken.accessToken == token.accessToken { session = nil }
            event =
                isOver
                ? .renewalRefused(error == .expired ? .expired : .unauthenticated)
                : .renewalFailed(error, at: clock.now)
        }
        // Signed out, or in anew, while the answer was on its way.
        guard machine.state == .renewing(token) else { return .failure(.noSession) }
        // Over in the same step as the machine's: whoever comes next begins another, which nobody must take away again.
        renewal = nil
        switch machine.handle(event).first {
        case .use(let token):
            defer { storageFailure = nil }
            return storageFailure.map { .failure($0) } ?? .success(token)
        case .fail(let error): return .failure(error)
        default: return .failure(.noSession)
        }
    }

    private func renewUnderLock(
        _ token: UserToken, _ refusal: UsersError
    ) async throws(UsersError) -> UserToken {
        guard let person = session?.user.chatID else { throw .noSession }
        return try await sessions.locked(failure: Self.storageError) { held throws(UsersError) in
            let stored = try Self.storing { () throws(SessionStore.Failure) in
                try held.session(of: key, user: person)
            }
            // Another process has signed this person out, or seen the session run out.
            guard let stored else {
                let isExpired = try? held.hasExpired(person, for: key)
                throw isExpired == true ? UsersError.expired : .unauthenticated
            }
            if stored.userToken.accessToken != token.accessToken, stored.userToken.expiresAt > clock.now {
                adopt(stored)
                return stored.userToken
            }
            // Renewed tokens that could not be stored are newer than what is on disk.
            let newest = stored.userToken.expiresAt < token.expiresAt ? session ?? stored : stored
            do throws(UsersError) { return try await refresh(newest, held, refusal) } catch {
                if error.refusesToken { try? held.remove(person, for: key, isExpired: error == .expired) }
                throw error
            }
        }
    }

    private func refresh(
        _ stored: Session, _ held: SessionStore.Held, _ refusal: UsersError
    ) async throws(UsersError) -> UserToken {
        guard let credential = stored.userToken.refreshToken else { throw refusal }
        if let refused = refusedCredentials[credential] { throw refused }
        var renewed = stored
        do { renewed.userToken = try await askTwice(stored.userToken) } catch {
            guard error.refusesToken || error.isOfCredentials else { throw error }
            let end: UsersError = error == .expired ? .expired : .unauthenticated
            refusedCredentials[credential] = end
            throw end
        }
        renewed.userToken.deviceID = renewed.userToken.deviceID ?? stored.userToken.deviceID
        // Stored before it is used: its first use kills the old refresh token.
        adopt(renewed)
        do { try held.save(renewed, for: key) } catch { storageFailure = Self.storageError(error) }
        if let chatToken = try? await store.chatToken(renewed.userToken) {
            renewed.chatToken = chatToken
            adopt(renewed)
            try? held.save(renewed, for: key)
        }
        return renewed.userToken
    }

    /// A lost answer is asked for again: the server honours the old refresh token until the new access token is used.
    private func askTwice(_ token: UserToken) async throws(UsersError) -> UserToken {
        do { return try await store.refresh(token) } catch {
            guard error == .network(.interrupted) || error == .network(.timedOut) else { throw error }
            return try await store.refresh(token)
        }
    }

    /// Signed out meanwhile, it stays so.
    func adopt(_ renewed: Session) {
        guard session?.user.chatID == renewed.user.chatID else { return }
        session = renewed
    }

    func save(_ session: Session) async throws(UsersError) {
        try await sessions.locked(failure: Self.storageError) { held throws(UsersError) in
            try Self.storing { () throws(SessionStore.Failure) in try held.save(session, for: key) }
        }
    }

    private func remove(_ person: UserID, isExpired: Bool) async {
        _ = try? await sessions.locked(failure: Self.storageError) { held throws(UsersError) in
            guard session?.user.chatID != person else { return }
            try Self.storing { () throws(SessionStore.Failure) in
                try held.remove(person, for: key, isExpired: isExpired)
            }
        }
    }

    private static func storageError(_ failure: SessionStore.Failure) -> UsersError { .storage(failure.message) }

    private static func storing<Value>(
        _ body: () throws(SessionStore.Failure) -> Value
    ) throws(UsersError) -> Value {
        do { return try body() } catch { throw storageError(error) }
    }
}

extension UsersError {
    fileprivate var isOfCredentials: Bool { if case .wrongCredentials = self { true } else { false } }
}
