import Models

/// A step of proving who one is.
enum Stage: String {
    case dummy = "m.login.dummy"
    case password = "m.login.password"
}

/// The answer that says which stages are to be gone through. Client-server API, "User-interactive API in the REST API".
/// The session in it is for the client's books: nothing is kept between the two requests.
struct Challenge: ResponseError {
    private let stage: Stage
    private let problem: MatrixError?

    init(_ stage: Stage, problem: MatrixError?) {
        self.stage = stage
        self.problem = problem
    }

    var response: HTTPResponse {
        var value: [String: JSONValue] = [
            "session": .string(Sodium.randomToken().reveal()), "params": [:],
            "flows": [["stages": [.string(stage.rawValue)]]],
        ]
        if let problem {
            value["errcode"] = .string(problem.code)
            value["error"] = .string(problem.message)
            value["completed"] = []
        }
        return .json(401, data: JSONValue.object(value).serialized())
    }
}

extension Challenge {
    /// What to say where `auth` was given but names another stage.
    static func problem(_ body: MatrixBody, _ stage: Stage) throws(MatrixError) -> MatrixError? {
        guard let type = try body.object("auth")?.text("type"), type != stage.rawValue else { return nil }
        return MatrixError(401, "M_UNRECOGNIZED", "This stage is not part of the way to go here.")
    }

    /// Throws unless `body` bears the password of `who`, and the limit of wrong ones.
    static func requirePassword(
        in body: MatrixBody, of who: Authenticated, from address: String, _ accounts: Accounts
    ) async throws {
        guard let auth = try body.object("auth"), try auth.text("type") == Stage.password.rawValue,
            let password = try auth.text("password")
        else { throw Challenge(.password, problem: try problem(body, .password)) }
        let name = try auth.object("identifier")?.text("user") ?? auth.text("user")
        let isOwn = name.map { accounts.localPart(ofLogin: $0) == who.userID.localPart } ?? true
        let isRight = try await accounts.isPassword(Secret(password), ofAccount: who.accountID, from: address)
        guard isOwn, isRight else {
            throw Challenge(.password, problem: .forbidden("The user name or the password is wrong."))
        }
    }
}
