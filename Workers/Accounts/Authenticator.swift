import Models

/// Where the chat's requests get their token.
protocol ChatTokenSource: Sendable {
    /// One that should be good. Throws `unauthenticated` or `noSession` where the session is over.
    func chatToken() async throws(UsersError) -> Secret
    /// Another one, since the server does not take `refused`.
    func chatToken(insteadOf refused: Secret) async throws(UsersError) -> Secret
    /// Another one, where there is one by now. The server says that with `refused` the session is over: where that is the
    /// session held here, nothing is offered for it any more, and `unauthenticated` is thrown.
    func chatToken(afterEndOf refused: Secret) async throws(UsersError) -> Secret
}

/// Holds the session, and renews its tokens: one renewal at a time, also between processes that share a home.
///
/// A token is present as long as nobody has refused it; it is valid when the server has just taken it. Only the server's
/// own word ends a session: no fault of the network does.
actor Authenticator {
    private let store: any UsersStore
    private let sessions: SessionStore
    private let server: ServerIdentity
    private let clock: any WallClock
    private var machine = RenewalMachine()
    private(set) var session: Session?
    /// Counts the sessions that began here, so that the end of one is not taken for that of the next.
    private var number = 0
    private var renewal: SharedWork<Result<UserToken, UsersError>>?
    private var chatRenewal: SharedWork<Result<Secret, UsersError>>?
    /// Refresh tokens that the server has refused; never offered again.
    private var refusedCredentials: Set<Secret> = []
    /// Renewed tokens that could not be stored are used all the same, once the request that renewed them has said so.
    private var storageFailure: UsersError?

    init(store: any UsersStore, sessions: SessionStore, server: ServerIdentity, clock: any WallClock) {
        self.store = store
        self.sessions = sessions
        self.server = server
        self.clock = clock
    }

    private var key: SessionKey { server.key }

    /// Takes up the stored session, without asking the server about it; nil where there is none. Where the server has
    /// not said yet of what kind it is, the session says so.
    func restore() throws(SessionStore.Failure) -> Session? {
        guard let (kind, found) = try sessions.session(at: server.endpoint, of: server.kind) else { return nil }
        server.learn(kind)
        take(found)
        return found
    }

    /// Takes up a session that was just made, and stores it.
    func begin(_ new: Session) async throws(UsersError) {
        try await sessions.locked(failure: Self.storageError) { held throws(UsersError) in
            try Self.storing { () throws(SessionStore.Failure) in try held.save(new, for: key) }
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

    /// Forgets that session here and on disk. One that has begun since goes on; false where it is the same person's.
    @discardableResult
    func end(_ ending: Known, byServer: Bool = false) async -> Bool {
        if number == ending.number {
            session = nil
            _ = machine.handle(byServer ? .sessionEnded : .signedOut)
        }
        await remove(ending.person)
        return session?.user.chatID != ending.person
    }

    /// The person's own data have changed.
    func update(_ user: User) async throws(UsersError) {
        guard var changed = session else { return }
        changed.user = user
        session = changed
        try await save(changed)
    }

    /// Does `request` with a token that should be good; once more where the server does not take it and a renewal gives
    /// another. Throws `unauthenticated` where the session is over; it is gone from disk then.
    func perform<Value: Sendable>(
        _ request: @Sendable (UserToken) async throws(UsersError) -> Value
    ) async throws(UsersError) -> Value {
        let token = try await token(after: .needed(at: clock.now))
        let known = known
        do { return try await request(token) } catch {
            guard error == .unauthenticated else { throw error }
        }
        // Whoever has signed in meanwhile has not asked for this.
        guard let known, known.number == number else { throw .noSession }
        let renewed = try await self.token(after: .refused(token.accessToken))
        do { return try await request(renewed) } catch {
            if error == .unauthenticated { await end(known, byServer: true) }
            throw error
        }
    }

    private func token(after event: RenewalMachine.Event) async throws(UsersError) -> UserToken {
        switch machine.handle(event).first {
        case .use(let token): return token
        case .fail(let error): throw error
        case .joinRenewal:
            guard let renewal else { throw .noSession }
            return try await renewal.joined.get()
        case .renew(let token):
            let task = SharedWork { await self.renewed(token) }
            renewal = task
            return try await task.value.get()
        case nil: throw .noSession
        }
    }

    private func renewed(_ token: UserToken) async -> Result<UserToken, UsersError> {
        let event: RenewalMachine.Event
        do {
            event = .renewed(try await renewUnderLock(token), at: clock.now)
        } catch {
            let isOver = error == .unauthenticated || error == .noSession
            if isOver, let ending = session, ending.userToken.accessToken == token.accessToken { session = nil }
            event = isOver ? .renewalRefused : .renewalFailed(error, at: clock.now)
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

    private func renewUnderLock(_ token: UserToken) async throws(UsersError) -> UserToken {
        guard let person = session?.user.chatID else { throw .noSession }
        return try await sessions.locked(failure: Self.storageError) { held throws(UsersError) in
            let stored = try Self.storing { () throws(SessionStore.Failure) in
                try held.session(of: key, user: person)
            }
            // Another process has signed this person out.
            guard let stored else { throw .unauthenticated }
            if stored.userToken.accessToken != token.accessToken, stored.userToken.expiresAt > clock.now {
                adopt(stored)
                return stored.userToken
            }
            // Renewed tokens that could not be stored are newer than what is on disk.
            let newest = stored.userToken.expiresAt < token.expiresAt ? session ?? stored : stored
            do throws(UsersError) { return try await refresh(newest, held) } catch {
                if error == .unauthenticated { try? held.remove(person, for: key) }
                throw error
            }
        }
    }

    private func refresh(_ stored: Session, _ held: SessionStore.Held) async throws(UsersError) -> UserToken {
        guard let credential = stored.userToken.refreshToken, !refusedCredentials.contains(credential) else {
            throw .unauthenticated
        }
        var renewed = stored
        do { renewed.userToken = try await askTwice(stored.userToken) } catch {
            switch error {
            case .unauthenticated, .wrongCredentials:
                refusedCredentials.insert(credential)
                throw .unauthenticated
            default: throw error
            }
        }
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
    private func adopt(_ renewed: Session) {
        guard session?.user.chatID == renewed.user.chatID else { return }
        session = renewed
    }

    private func save(_ session: Session) async throws(UsersError) {
        try await sessions.locked(failure: Self.storageError) { held throws(UsersError) in
            try Self.storing { () throws(SessionStore.Failure) in try held.save(session, for: key) }
        }
    }

    private func remove(_ person: UserID) async {
        _ = try? await sessions.locked(failure: Self.storageError) { held throws(UsersError) in
            guard session?.user.chatID != person else { return }
            try Self.storing { () throws(SessionStore.Failure) in try held.remove(person, for: key) }
        }
    }

    private static func storageError(_ failure: SessionStore.Failure) -> UsersError { .storage(failure.message) }

    private static func storing<Value>(
        _ body: () throws(SessionStore.Failure) -> Value
    ) throws(UsersError) -> Value {
        do { return try body() } catch { throw storageError(error) }
    }
}

extension Authenticator: ChatTokenSource {
    func chatToken() async throws(UsersError) -> Secret {
        guard let token = session?.chatToken else { throw .noSession }
        if token.expiresAt - clock.now > .seconds(30) { return token.accessToken }
        do { return try await chatToken(insteadOf: token.accessToken) } catch {
            // It may still be good: whether it is, is for the server to say.
            guard error.mayPass, clock.now < token.expiresAt else { throw error }
            return token.accessToken
        }
    }

    func chatToken(insteadOf refused: Secret) async throws(UsersError) -> Secret {
        if let chatRenewal { return try await chatRenewal.joined.get() }
        if let token = otherChatToken(than: refused) { return token }
        let task = SharedWork { await self.chatRenewed(insteadOf: refused) }
        chatRenewal = task
        return try await task.value.get()
    }

    func chatToken(afterEndOf refused: Secret) async throws(UsersError) -> Secret {
        if let chatRenewal { return try await chatRenewal.joined.get() }
        if let token = otherChatToken(than: refused) { return token }
        guard let known else { throw .noSession }
        // Another process of this home may have signed this person in again.
        if let stored = try? sessions.session(of: key), stored.user.chatID == known.person,
            stored.chatToken.accessToken != refused, stored.chatToken.expiresAt > clock.now
        {
            adopt(stored)
            return stored.chatToken.accessToken
        }
        await end(known, byServer: true)
        throw .unauthenticated
    }

    private func chatRenewed(insteadOf refused: Secret) async -> Result<Secret, UsersError> {
        defer { chatRenewal = nil }
        do { return .success(try await renewedChatToken(insteadOf: refused)) } catch { return .failure(error) }
    }

    private func otherChatToken(than refused: Secret) -> Secret? {
        guard let token = session?.chatToken, token.accessToken != refused, token.expiresAt > clock.now else {
            return nil
        }
        return token.accessToken
    }

    private func renewedChatToken(insteadOf refused: Secret) async throws(UsersError) -> Secret {
        guard let person = session?.user.chatID else { throw .noSession }
        // Another process of this home may have renewed it.
        if let stored = try? sessions.session(of: key), stored.user.chatID == person,
            stored.chatToken.accessToken != refused, stored.chatToken.expiresAt > clock.now,
            stored.userToken.accessToken == session?.userToken.accessToken
        {
            adopt(stored)
            return stored.chatToken.accessToken
        }
        let renewed = try await perform { token throws(UsersError) in
            // The renewal of the access token brings a chat token too.
            if let other = await self.session?.chatToken, other.accessToken != refused { return other }
            return try await self.store.chatToken(token)
        }
        guard var changed = session, changed.user.chatID == person else { throw .noSession }
        changed.chatToken = renewed
        session = changed
        // Where it cannot be stored, the next launch asks for another: nothing is lost.
        try? await save(changed)
        return renewed.accessToken
    }
}
