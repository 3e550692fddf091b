import Models

/// Making accounts and changing passwords, with user-interactive authentication. Client-server API, "Account
/// registration", "Current account information".
struct RegistrationRoutes: Sendable {
    let accounts: Accounts

    func add(to router: inout Router) {
        let routes = SessionRoutes(accounts: accounts)
        routes.add(&router, "POST", "/register") { try await register($0) }
        routes.add(&router, "GET", "/register/available") { try await available($0) }
        routes.add(&router, "POST", "/account/password") { try await changePassword($0) }
    }

    private func register(_ request: HTTPRequest) async throws -> HTTPResponse {
        let body = try MatrixBody(request)
        if let kind = request.query("kind"), kind != "user" {
            throw MatrixError.forbidden("There are no guests here.")
        }
        let localPart = try await wantedName(try body.text("username"))
        let password = try body.text("password").map { Secret($0) }
        if let password { try Self.check(password) }
        guard let auth = try body.object("auth"), try auth.text("type") == Stage.dummy.rawValue else {
            throw Challenge(.dummy, problem: try Challenge.problem(body, .dummy))
        }
        guard let password else { throw MatrixError.missingParameter("password") }
        let account = try await accounts.register(
            localPart: localPart, password: password, from: request.remoteAddress)
        let user = account.userID(on: accounts.serverName)
        if try body.flag("inhibit_login") == true { return .json(200, ["user_id": user]) }
        let session = try await accounts.openSession(
            account, kind: .matrix, device: try body.text("device_id").map { DeviceID($0) },
            displayName: try body.text("initial_device_display_name"),
            isRenewable: try body.flag("refresh_token") ?? false, from: request.remoteAddress)
        return .json(200, LoginAnswer(user, session))
    }

    /// The name as it will be, or a new one where none is wished for. Throws `M_INVALID_USERNAME` and `M_USER_IN_USE`.
    private func wantedName(_ wish: String?) async throws -> String {
        guard let wish else { return LocalPart.make(from: "", accounts.environment.identifiers) }
        let name = wish.lowercased()
        guard LocalPart.isValid(name, serverName: accounts.serverName) else {
            throw MatrixError(
                400, "M_INVALID_USERNAME",
                "A user name is made of the letters a to z, digits and the signs . _ = - / +.")
        }
        if try await accounts.database.read({ try AccountTable.find(localPart: name, $0) }) != nil {
            throw AccountError.localPartTaken
        }
        return name
    }

    private func available(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let name = request.query("username") else { throw MatrixError.missingParameter("username") }
        _ = try await wantedName(name)
        return .json(200, ["available": true])
    }

    private func changePassword(_ request: HTTPRequest) async throws -> HTTPResponse {
        let who = try await accounts.authenticator.matrixUser(request)
        let body = try MatrixBody(request)
        let password = Secret(try body.requiredText("new_password"))
        try Self.check(password)
        try await Challenge.requirePassword(in: body, of: who, from: request.remoteAddress, accounts)
        let endsOthers = try body.flag("logout_devices") ?? true
        try await accounts.setPassword(
            password, ofAccount: who.accountID, ending: endsOthers ? .all(but: who.sessionID) : .none)
        return .emptyObject
    }

    private static func check(_ password: Secret) throws(MatrixError) {
        if let problem = AccountRules.problem(password: password) {
            throw MatrixError(400, "M_WEAK_PASSWORD", problem)
        }
    }
}
