import Models

/// The Words API: the tutorial's contract, kept compatible, and what a real client needs beside it.
struct WordsRoutes: Sendable {
    let accounts: Accounts
    let contacts: any ContactRooms
    let client: OAuthClient

    /// The client that may use the token endpoint.
    struct OAuthClient: Sendable {
        var id: Int
        /// Nil where none is asked for.
        var secret: Secret?
    }

    func add(to router: inout Router) {
        add(&router, "POST", "/api/users/signup") { try await signup($0) }
        add(&router, "POST", "/oauth/token") { try await token($0) }
        add(&router, "POST", "/api/chatkit/token") { try await chatToken($0) }
        add(&router, "GET", "/api/user") { try await currentUser($0) }
        add(&router, "PUT", "/api/user") { try await changeUser($0) }
        add(&router, "POST", "/api/logout") { try await logout($0) }
        addContacts(to: &router)
    }

    /// Puts the outcomes of accounts into the words of this API.
    func add(
        _ router: inout Router, _ method: String, _ pattern: String,
        _ handler: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) {
        add(&router, method, pattern) { request, _ in try await handler(request) }
    }

    func add(
        _ router: inout Router, _ method: String, _ pattern: String, _ handler: @escaping Router.Handler
    ) {
        router.add(method, pattern) { request, parameters in
            do { return try await handler(request, parameters) } catch let error as AccountError {
                throw WordsError(error)
            } catch let error as MatrixError {
                // The chat refuses in Matrix's words.
                throw WordsError(error.status, error.message)
            }
        }
    }

    func user(_ account: Account) -> WordsAPIShapes.User {
        WordsAPIShapes.User(
            id: Int(account.id), name: RemoteText(account.name), email: account.email.map { RemoteText($0) },
            chatkit_id: account.userID(on: accounts.serverName), created_at: account.createdAt.iso8601,
            updated_at: account.updatedAt.iso8601)
    }
}

/// One's own account.
extension WordsRoutes {
    private func signup(_ request: HTTPRequest) async throws -> HTTPResponse {
        let body = try WordsBody(request)
        let account = try await accounts.signup(
            name: try body.text("name"), email: try body.text("email"), password: try body.secret("password"),
            from: request.remoteAddress)
        return .json(201, user(account))
    }

    private func currentUser(_ request: HTTPRequest) async throws -> HTTPResponse {
        let who = try await accounts.authenticator.wordsUser(request)
        return .json(200, user(try await accounts.account(who.accountID)))
    }

    /// Changes name, password or both; where anything is wrong with one of them, neither.
    private func changeUser(_ request: HTTPRequest) async throws -> HTTPResponse {
        let who = try await accounts.authenticator.wordsUser(request)
        let body = try WordsBody(request)
        let name = body.has("name") ? try body.text("name") : nil
        let password = body.has("password") ? try body.secret("password") : nil
        var problems: [String: [String]] = [:]
        if let problem = name.flatMap(AccountRules.problem(name:)) { problems["name"] = [problem] }
        if let problem = password.flatMap(AccountRules.problem(password:)) { problems["password"] = [problem] }
        guard problems.isEmpty else { throw WordsError.invalid(problems) }
        var hash: String?
        if let password {
            let current = try body.secret("current_password")
            guard try await accounts.isPassword(current, ofAccount: who.accountID, from: request.remoteAddress) else {
                throw WordsError.invalid(["current_password": ["This is not the current password."]])
            }
            hash = try await accounts.hashed(password)
        }
        let trimmed = name.map(AccountRules.trimmed)
        let ended = try await contacts.rename(who.userID, to: trimmed) { [accounts, hash] connection in
            guard let hash else { return [EndedSession]() }
            return try accounts.store(hash, of: who.accountID, ending: .all(but: who.sessionID), connection)
        }
        accounts.over(ended, of: who.userID)
        return .json(200, user(try await accounts.account(who.accountID)))
    }

    private func logout(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await accounts.logout(try await accounts.authenticator.wordsUser(request))
        return .noContent
    }
}

/// Tokens.
extension WordsRoutes {
    /// RFC 6749, sections 4.3 and 6, with JSON beside forms.
    private func token(_ request: HTTPRequest) async throws -> HTTPResponse {
        let body = try WordsBody(request, takesForms: true)
        guard isClient(id: body.textOrNumber("client_id"), secret: body.textOrNumber("client_secret")) else {
            throw WordsError(401, "This client is not known here.", code: "invalid_client")
        }
        switch body.textOrNumber("grant_type") {
        case "password": return try await passwordGrant(request, body)
        case "refresh_token":
            let (tokens, who) = try await accounts.refresh(
                try body.secret("refresh_token"), kind: .oauth, from: request.remoteAddress)
            return Self.answer(tokens, who.deviceID)
        default:
            throw WordsError(400, "This way to get a token is not supported.", code: "unsupported_grant_type")
        }
    }

    private func passwordGrant(_ request: HTTPRequest, _ body: WordsBody) async throws -> HTTPResponse {
        let account = try await accounts.authenticate(
            .email(try body.text("username")), password: try body.secret("password"), from: request.remoteAddress)
        let device = try body.text("device_id")
        let session = try await accounts.openSession(
            account, kind: .oauth, device: device.isEmpty ? nil : DeviceID(device), from: request.remoteAddress)
        return Self.answer(session.tokens, session.device)
    }

    private func isClient(id: String?, secret: String?) -> Bool {
        guard id == String(client.id) else { return false }
        guard let expected = client.secret else { return true }
        return Sodium.isEqual(Secret(secret ?? ""), expected)
    }

    private static func answer(_ tokens: IssuedTokens, _ device: DeviceID) -> HTTPResponse {
        let seconds = (tokens.expiresIn ?? .zero).milliseconds / 1_000
        var response = HTTPResponse.json(
            200,
            WordsAPIShapes.Token(
                expires_in: seconds, access_token: tokens.access, refresh_token: tokens.refresh, device_id: device))
        response.headers.append(("Cache-Control", "no-store"))
        return response
    }

    private func chatToken(_ request: HTTPRequest) async throws -> HTTPResponse {
        let who = try await accounts.authenticator.wordsUser(request)
        let (token, expiresIn) = try await accounts.chatToken(who, from: request.remoteAddress)
        var response = HTTPResponse.json(
            200,
            WordsAPIShapes.ChatToken(
                access_token: token, expires_in: expiresIn.milliseconds / 1_000, user_id: who.userID))
        response.headers.append(("Cache-Control", "no-store"))
        return response
    }
}
