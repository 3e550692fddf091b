import Foundation
import Models

/// The tutorial's REST contract: accounts, tokens and contacts of a Words server.
public struct WordsAPI: UsersStore {
    private let connection: ServerConnection
    private let clock: any WallClock
    private let clientID: Int
    private let clientSecret: Secret?

    init(connection: ServerConnection, clock: any WallClock, clientID: Int, clientSecret: Secret?) {
        self.connection = connection
        self.clock = clock
        self.clientID = clientID
        self.clientSecret = clientSecret
    }

    public func signup(name: String, email: String, password: Secret) async throws(UsersError) -> User {
        let body = WordsAPIShapes.Signup(name: name, email: email, password: password)
        return User(
            try await ask(
                ServerCall(
                    operation: .signup, method: "POST", segments: ["api", "users", "signup"], body: Body.encode(body)),
                as: WordsAPIShapes.User.self))
    }

    public func login(
        identity: String, password: Secret, device: DeviceID? = nil
    ) async throws(UsersError) -> UserToken {
        try await grant(
            .login,
            WordsAPIShapes.Grant(
                username: identity, password: password, client_id: clientID, client_secret: clientSecret,
                device_id: device))
    }

    public func refresh(_ token: UserToken) async throws(UsersError) -> UserToken {
        guard let refreshToken = token.refreshToken else { throw .unauthenticated }
        var renewed = try await grant(
            .refresh,
            WordsAPIShapes.Grant(
                refresh_token: refreshToken, client_id: clientID, client_secret: clientSecret))
        // RFC 6749, section 6: where no new refresh token is given, the old one goes on.
        renewed.refreshToken = renewed.refreshToken ?? refreshToken
        return renewed
    }

    private func grant(
        _ operation: Operation, _ body: WordsAPIShapes.Grant
    ) async throws(UsersError) -> UserToken {
        let token = try await ask(
            ServerCall(
                operation: operation, method: "POST", segments: ["oauth", "token"], body: Body.encode(body)),
            as: WordsAPIShapes.Token.self)
        return UserToken(
            accessToken: token.access_token, refreshToken: token.refresh_token,
            expiresAt: expiry(token.expires_in), deviceID: token.device_id)
    }

    public func chatToken(_ token: UserToken) async throws(UsersError) -> ChatToken {
        let answer = try await ask(
            call(.chatToken, "POST", ["api", "chatkit", "token"], token, body: Data("{}".utf8)),
            as: WordsAPIShapes.ChatToken.self)
        return ChatToken(
            accessToken: answer.access_token, userID: answer.user_id, expiresAt: expiry(answer.expires_in))
    }

    public func currentUser(_ token: UserToken) async throws(UsersError) -> User {
        User(try await ask(call(.user, "GET", ["api", "user"], token), as: WordsAPIShapes.User.self))
    }

    public func rename(_ token: UserToken, name: String) async throws(UsersError) -> User {
        let body = Body.encode(WordsAPIShapes.UserChange(name: name))
        return User(
            try await ask(call(.rename, "PUT", ["api", "user"], token, body: body), as: WordsAPIShapes.User.self))
    }

    public func changePassword(
        _ token: UserToken, current: Secret, new: Secret
    ) async throws(UsersError) {
        let body = Body.encode(WordsAPIShapes.UserChange(password: new, current_password: current))
        try await tell(call(.password, "PUT", ["api", "user"], token, body: body))
    }

    public func contacts(_ token: UserToken) async throws(UsersError) -> [Contact] {
        let contacts = try await ask(
            call(.contacts, "GET", ["api", "contacts"], token), as: [WordsAPIShapes.Contact].self)
        return contacts.map(Contact.init)
    }

    public func addContact(_ token: UserToken, identity: String) async throws(UsersError) -> Contact {
        let body = Body.encode(WordsAPIShapes.NewContact(user_id: identity))
        return Contact(
            try await ask(
                call(.add, "POST", ["api", "contacts"], token, body: body), as: WordsAPIShapes.Contact.self))
    }

    public func removeContact(_ token: UserToken, id: UserID) async throws(UsersError) {
        try await tell(call(.remove, "DELETE", ["api", "contacts", id.raw], token))
    }

    public func block(_ token: UserToken, id: UserID) async throws(UsersError) {
        try await tell(call(.block, "PUT", ["api", "blocks", id.raw], token, body: Data("{}".utf8)))
    }

    public func unblock(_ token: UserToken, id: UserID) async throws(UsersError) {
        try await tell(call(.unblock, "DELETE", ["api", "blocks", id.raw], token))
    }

    public func logout(_ token: UserToken) async throws(UsersError) {
        try await tell(call(.logout, "POST", ["api", "logout"], token, body: Data("{}".utf8)))
    }

    private func call(
        _ operation: Operation, _ method: String, _ segments: [String], _ token: UserToken, body: Data? = nil
    ) -> ServerCall {
        ServerCall(
            operation: operation, method: method, segments: segments, body: body, token: token.accessToken)
    }

    private func expiry(_ seconds: Int64) -> Timestamp {
        clock.now + .seconds(min(max(seconds, 0), 315_360_000))
    }
}

extension WordsAPI {
    /// Sends `call`; any 2xx will do, whatever its body.
    private func tell(_ call: ServerCall) async throws(UsersError) {
        _ = try await accepted(call)
    }

    /// Sends `call` and reads its answer. An answer of another shape is a fault of the server.
    private func ask<Value: Decodable>(
        _ call: ServerCall, as type: Value.Type
    ) async throws(UsersError) -> Value {
        let response = try await accepted(call)
        guard let value = Body.decode(type, from: response.body) else {
            throw .network(.serverFault(status: response.status))
        }
        return value
    }

    private func accepted(_ call: ServerCall) async throws(UsersError) -> TransportResponse {
        let response: TransportResponse
        do { response = try await connection.answer(to: call) } catch { throw .network(error) }
        if (200..<300).contains(response.status) { return response }
        throw Self.error(for: response, now: clock.now)
    }

    /// What a failure means. A 4xx counts only with a body of the Words API: a page of some proxy on the way is no word
    /// of the server, and must not log anyone out.
    static func error(for response: TransportResponse, now: Timestamp) -> UsersError {
        if response.status == 429 {
            return .limited(retryAfter: RetryAfter.duration(response.header("Retry-After"), now: now))
        }
        guard (400..<500).contains(response.status),
            let failure = Body.decode(WordsAPIShapes.Failure.self, from: response.body),
            let words = failure.message ?? failure.error_description ?? failure.error.map({ RemoteText($0) })
        else { return .network(.serverFault(status: response.status)) }
        return switch (response.status, failure.error) {
        case (422, _): .invalid(message: words, fields: failure.errors ?? [:])
        case (400, "invalid_grant") where failure.soft_logout == true: .expired
        case (400, "invalid_grant"): .wrongCredentials(words)
        case (401, nil): .unauthenticated
        default: .refused(words)
        }
    }
}
