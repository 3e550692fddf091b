import Models

/// Who a request comes from, as its token proves.
struct Authenticated: Equatable, Sendable {
    enum TokenKind: String, Sendable { case access, refresh, chat }
    enum SessionKind: String, Sendable { case oauth, matrix }

    var accountID: Int64
    var userID: UserID
    /// One per session, borne by all its tokens.
    var deviceID: DeviceID
    var sessionID: Int64
    var sessionKind: SessionKind
    var tokenKind: TokenKind
}

/// Tells whose a token is.
protocol Authenticating: Sendable {
    /// Who asks for a part of the Matrix API: the token of the `Authorization` header or, for old clients, of the query
    /// parameter `access_token`; a chat token, or an access token of a Matrix login.
    ///
    /// Throws `M_MISSING_TOKEN`, or `M_UNKNOWN_TOKEN` with `soft_logout` where the token has only expired, and
    /// `M_LIMIT_EXCEEDED` where the account asks too much.
    func matrixUser(_ request: HTTPRequest) async throws -> Authenticated
    /// Who asks for a part of the Words API: an OAuth access token of the `Authorization` header. Throws 401, and 429
    /// where the account asks too much.
    func wordsUser(_ request: HTTPRequest) async throws -> Authenticated
}

extension Authenticating {
    /// Who asks for a part of the Matrix API that anybody may ask for; nil where no token is given. Throws as
    /// `matrixUser` does.
    func matrixUserOrStranger(_ request: HTTPRequest) async throws -> Authenticated? {
        do { return try await matrixUser(request) } catch let error as MatrixError where error == .missingToken {
            return nil
        }
    }
}
