import Models

/// A failure as the Matrix API answers it. Client-server API, "Standard error response".
struct MatrixError: ResponseError, Equatable {
    var status: Int
    var code: String
    var message: String
    /// Sent as `Retry-After`, in whole seconds rounded up, and as `retry_after_ms`.
    var retryAfter: Duration?
    /// The access token is over but the session is not.
    var isSoftLogout: Bool

    init(
        _ status: Int, _ code: String, _ message: String, retryAfter: Duration? = nil,
        isSoftLogout: Bool = false
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
        self.isSoftLogout = isSoftLogout
    }

    var response: HTTPResponse {
        let milliseconds = retryAfter.map { max(0, $0.milliseconds) }
        let failure = MatrixShapes.Failure(
            errcode: code, error: RemoteText(message), retry_after_ms: milliseconds,
            soft_logout: isSoftLogout ? true : nil)
        var response = HTTPResponse.json(status, failure)
        if let milliseconds {
            response.headers.append(("Retry-After", String(max(1, (milliseconds + 999) / 1_000))))
        }
        return response
    }
}

extension MatrixError {
    static let missingToken = MatrixError(401, "M_MISSING_TOKEN", "This needs an access token.")
    static let contradictingTokens = MatrixError(
        401, "M_MISSING_TOKEN", "Give one access token, in the Authorization header.")
    static let unknownToken = MatrixError(401, "M_UNKNOWN_TOKEN", "The access token is not known.")
    static let expiredToken = MatrixError(
        401, "M_UNKNOWN_TOKEN", "The access token has expired.", isSoftLogout: true)
    static let expiredRefreshToken = MatrixError(
        401, "M_UNKNOWN_TOKEN", "The refresh token has expired. Log in again.", isSoftLogout: true)
    static let notJSON = MatrixError(400, "M_NOT_JSON", "The body is not JSON.")
    static func badJSON(_ message: String) -> MatrixError { MatrixError(400, "M_BAD_JSON", message) }
    static func missingParameter(_ name: String) -> MatrixError {
        MatrixError(400, "M_MISSING_PARAM", "The parameter \(name) is missing.")
    }
    static func invalidParameter(_ message: String) -> MatrixError {
        MatrixError(400, "M_INVALID_PARAM", message)
    }
    static func forbidden(_ message: String) -> MatrixError { MatrixError(403, "M_FORBIDDEN", message) }
    static func notFound(_ message: String) -> MatrixError { MatrixError(404, "M_NOT_FOUND", message) }
}
