import Models

/// What the owner's tools ask of a server that runs. They prove themselves with a key that stands in the 0600 file
/// `endpoint`; to all others these addresses do not exist.
struct OwnerRoutes: Sendable {
    static let passwordPath = "/.words/owner/password"

    let accounts: Accounts
    let key: Secret

    struct NewPassword: Codable, Sendable {
        var email: String
        var password: Secret
    }

    func add(to router: inout Router) {
        router.add("PUT", Self.passwordPath) { request, _ in try await setPassword(request) }
    }

    private func setPassword(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let token = request.bearerToken, Sodium.isEqual(Secret(token), key) else {
            return Router.notFound(request)
        }
        let body = try WordsBody(request)
        do {
            try await accounts.setPassword(try body.secret("password"), ofEmail: try body.text("email"))
            return .noContent
        } catch AccountError.noSuchAccount {
            throw WordsError(404, ServerError.noSuchAccount.description)
        } catch let error as AccountError {
            throw WordsError(error)
        }
    }
}
