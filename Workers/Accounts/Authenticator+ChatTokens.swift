import Models

/// Where the chat's requests get their token.
protocol ChatTokenSource: Sendable {
    /// One that should be good. Throws `unauthenticated`, `expired` or `noSession` where the session is over.
    func chatToken() async throws(UsersError) -> Secret
    /// Another one, since the server does not take `refused`.
    func chatToken(insteadOf refused: Secret) async throws(UsersError) -> Secret
    /// Another one, where there is one by now. The server says that with `refused` the session is over: where that is the
    /// session held here, nothing is offered for it any more, and `unauthenticated` is thrown.
    func chatToken(afterEndOf refused: Secret) async throws(UsersError) -> Secret
}

extension Authenticator: ChatTokenSource {
    func chatToken() async throws(UsersError) -> Secret {
        guard let token = session?.chatToken else { throw absence }
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
        guard let known else { throw absence }
        // Another process of this home may have signed this person in again.
        if let stored = try? sessions.session(of: key), stored.user.chatID == known.person,
            stored.chatToken.accessToken != refused, stored.chatToken.expiresAt > clock.now
        {
            adopt(stored)
            return stored.chatToken.accessToken
        }
        await end(known, refusal: .unauthenticated)
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
        guard let person = session?.user.chatID else { throw absence }
        // Another process of this home may have renewed it.
        if let stored = try? sessions.session(of: key), stored.user.chatID == person,
            stored.chatToken.accessToken != refused, stored.chatToken.expiresAt > clock.now,
            stored.userToken.accessToken == session?.userToken.accessToken
        {
            adopt(stored)
            return stored.chatToken.accessToken
        }
        // Where one token serves for all, it is not offered for another one after it was refused.
        if session?.userToken.accessToken == refused { _ = try await token(after: .refused(refused)) }
        let renewed = try await perform { token throws(UsersError) in
            // The renewal of the access token brings a chat token too.
            if let other = await self.session?.chatToken, other.accessToken != refused { return other }
            return try await self.store.chatToken(token)
        }
        guard var changed = session, changed.user.chatID == person else { throw absence }
        changed.chatToken = renewed
        session = changed
        // Where it cannot be stored, the next launch asks for another: nothing is lost.
        try? await save(changed)
        return renewed.accessToken
    }
}
