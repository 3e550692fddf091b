import Foundation
import Models

/// The parts of the Matrix API that are about finding the server, logging in and out, and devices. Client-server API,
/// "Server Discovery", "Client Authentication", "Device Management".
struct SessionRoutes: Sendable {
    let accounts: Accounts
    /// Where clients are to find the server; nil where they call it.
    var publicURL: URL?

    func add(to router: inout Router) {
        router.add("GET", "/.well-known/matrix/client") { request, _ in wellKnown(request) }
        router.add("GET", "/_matrix/client/versions") { _, _ in .json(200, Self.versions) }
        add(&router, "GET", "/capabilities") { try await capabilities($0) }
        add(&router, "GET", "/login") { _ in .json(200, Self.loginFlows) }
        add(&router, "POST", "/login") { try await login($0) }
        add(&router, "POST", "/refresh") { try await refresh($0) }
        add(&router, "POST", "/logout") { try await logout($0) }
        add(&router, "POST", "/logout/all") { try await logoutEverywhere($0) }
        add(&router, "GET", "/account/whoami") { try await whoAmI($0) }
        addDevices(to: &router)
        RegistrationRoutes(accounts: accounts).add(to: &router)
    }

    /// Puts the outcomes of accounts into the words of this API.
    func add(
        _ router: inout Router, _ method: String, _ pattern: String,
        _ handler: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) {
        add(&router, method, pattern) { request, _ in try await handler(request) }
    }

    func add(_ router: inout Router, _ method: String, _ pattern: String, _ handler: @escaping Router.Handler) {
        router.addMatrix(method, pattern) { request, path in
            do { return try await handler(request, path) } catch let error as AccountError { throw MatrixError(error) }
        }
    }
}

extension MatrixError {
    init(_ error: AccountError) {
        switch error {
        case .wrongCredentials: self = .forbidden("The user name or the password is wrong.")
        case .limited(let wait):
            self.init(429, "M_LIMIT_EXCEEDED", "Too many tries. Wait and try again.", retryAfter: wait)
        case .badRefreshToken: self.init(401, "M_UNKNOWN_TOKEN", "The refresh token is not, or no longer, good.")
        case .expiredRefreshToken: self = .expiredRefreshToken
        case .localPartTaken: self.init(400, "M_USER_IN_USE", "This user name is taken.")
        case .noSuchAccount: self = .unknownToken
        case .invalid(let fields):
            self = .invalidParameter(fields.sorted { $0.key < $1.key }.flatMap(\.value).joined(separator: " "))
        }
    }
}

/// Finding the server.
extension SessionRoutes {
    private func wellKnown(_ request: HTTPRequest) -> HTTPResponse {
        let called = "http://\(request.headers["Host"] ?? "localhost")"
        let value: JSONValue = ["m.homeserver": ["base_url": .string(publicURL?.absoluteString ?? called)]]
        return .json(200, data: value.serialized())
    }

    private static let versions = MatrixShapes.Versions(
        versions: ["r0.6.1"] + (1...10).map { "v1.\($0)" },
        unstable_features: [MatrixShapes.Versions.wordsFeature: true])

    private func capabilities(_ request: HTTPRequest) async throws -> HTTPResponse {
        _ = try await accounts.authenticator.matrixUser(request)
        let value: JSONValue = [
            "capabilities": [
                "m.change_password": ["enabled": true],
                "m.room_versions": ["default": "10", "available": ["10": "stable"]],
                "m.set_displayname": ["enabled": true], "m.set_avatar_url": ["enabled": false],
                "m.3pid_changes": ["enabled": false],
            ]
        ]
        return .json(200, data: value.serialized())
    }
}

/// Logging in and out.
extension SessionRoutes {
    private static let passwordLogin = "m.login.password"
    private static let loginFlows: JSONValue = ["flows": [["type": "m.login.password"]]]

    private func login(_ request: HTTPRequest) async throws -> HTTPResponse {
        let body = try MatrixBody(request)
        guard let type = try body.text("type") else { throw MatrixError.missingParameter("type") }
        guard type == Self.passwordLogin else {
            throw MatrixError(400, "M_UNKNOWN", "This way to log in is not supported.")
        }
        let name = try Self.userName(body)
        let password = Secret(try body.requiredText("password"))
        let account = try await accounts.authenticate(
            .localPart(accounts.localPart(ofLogin: name) ?? ""), password: password, from: request.remoteAddress)
        let session = try await accounts.openSession(
            account, kind: .matrix, device: try body.text("device_id").map { DeviceID($0) },
            displayName: try body.text("initial_device_display_name"),
            isRenewable: try body.flag("refresh_token") ?? false, from: request.remoteAddress)
        return .json(200, LoginAnswer(account.userID(on: accounts.serverName), session))
    }

    /// The user of `identifier`, or that of old clients.
    private static func userName(_ body: MatrixBody) throws(MatrixError) -> String {
        guard let identifier = try body.object("identifier") else { return try body.requiredText("user") }
        guard try identifier.requiredText("type") == "m.id.user" else {
            throw MatrixError(400, "M_UNKNOWN", "This kind of identifier is not supported.")
        }
        return try identifier.requiredText("user")
    }

    private func refresh(_ request: HTTPRequest) async throws -> HTTPResponse {
        let token = try MatrixBody(request).requiredText("refresh_token")
        let (tokens, _) = try await accounts.refresh(
            Secret(token), kind: .matrix, from: request.remoteAddress)
        return .json(200, RefreshAnswer(tokens))
    }

    private func logout(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await accounts.logout(try await accounts.authenticator.matrixUser(request))
        return .emptyObject
    }

    private func logoutEverywhere(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await accounts.logoutEverywhere(try await accounts.authenticator.matrixUser(request))
        return .emptyObject
    }

    private func whoAmI(_ request: HTTPRequest) async throws -> HTTPResponse {
        let who = try await accounts.authenticator.matrixUser(request)
        let value: JSONValue = [
            "user_id": .string(who.userID.raw), "device_id": .string(who.deviceID.raw), "is_guest": false,
        ]
        return .json(200, data: value.serialized())
    }
}

/// `POST /login` and `POST /register`.
struct LoginAnswer: Encodable {
    var user_id: UserID
    var access_token: Secret
    var device_id: DeviceID
    var refresh_token: Secret?
    var expires_in_ms: Int64?

    init(_ user: UserID, _ session: (tokens: IssuedTokens, device: DeviceID)) {
        user_id = user
        device_id = session.device
        access_token = session.tokens.access
        refresh_token = session.tokens.refresh
        expires_in_ms = session.tokens.expiresIn?.milliseconds
    }
}

private struct RefreshAnswer: Encodable {
    var access_token: Secret
    var refresh_token: Secret?
    var expires_in_ms: Int64?

    init(_ tokens: IssuedTokens) {
        access_token = tokens.access
        refresh_token = tokens.refresh
        expires_in_ms = tokens.expiresIn?.milliseconds
    }
}
