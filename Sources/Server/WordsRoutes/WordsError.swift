import Models

/// A failure as the Words API answers it.
struct WordsError: ResponseError, Equatable {
    var status: Int
    var message: String
    /// What is wrong with which field.
    var fields: [String: [String]]?
    /// The code of the token endpoint. RFC 6749, section 5.2.
    var code: String?
    /// Whether the token has only run out, and its session goes on with the next password.
    var isSoftLogout = false
    /// Sent as `Retry-After`, in whole seconds rounded up.
    var retryAfter: Duration?

    init(
        _ status: Int, _ message: String, fields: [String: [String]]? = nil, code: String? = nil,
        retryAfter: Duration? = nil
    ) {
        self.status = status
        self.message = message
        self.fields = fields
        self.code = code
        self.retryAfter = retryAfter
    }

    var response: HTTPResponse {
        let failure = WordsAPIShapes.Failure(
            message: RemoteText(message), errors: fields?.mapValues { $0.map { RemoteText($0) } }, error: code,
            error_description: code == nil ? nil : RemoteText(message), soft_logout: isSoftLogout ? true : nil)
        var response = HTTPResponse.json(status, failure)
        if let retryAfter {
            let seconds = (max(0, retryAfter.milliseconds) + 999) / 1_000
            response.headers.append(("Retry-After", String(max(1, seconds))))
        }
        return response
    }
}

extension WordsError {
    static let unauthenticated = WordsError(401, "Unauthenticated.")
    static let notJSON = WordsError(400, "The body is not JSON.")
    static let wrongContentType = WordsError(415, "The body must be JSON, and its Content-Type must say so.")

    static func invalid(_ fields: [String: [String]]) -> WordsError {
        WordsError(422, "The given data was invalid.", fields: fields)
    }

    static func limited(_ retryAfter: Duration) -> WordsError {
        let seconds = max(1, (retryAfter.milliseconds + 999) / 1_000)
        return WordsError(
            429, "Too many tries. Wait \(seconds) \(seconds == 1 ? "second" : "seconds") and try again.",
            retryAfter: retryAfter)
    }

    /// The code is added where the token endpoint answers.
    init(_ error: AccountError) {
        switch error {
        case .invalid(let fields): self = .invalid(fields)
        case .limited(let retryAfter): self = .limited(retryAfter)
        case .wrongCredentials:
            self = WordsError(400, "The e-mail address or the password is wrong.", code: "invalid_grant")
        case .badRefreshToken:
            self = WordsError(400, "The refresh token is not, or no longer, good. Log in again.", code: "invalid_grant")
        case .expiredRefreshToken:
            self = WordsError(400, "The refresh token has expired. Log in again.", code: "invalid_grant")
            isSoftLogout = true
        case .noSuchAccount: self = .unauthenticated
        case .localPartTaken: self = WordsError(409, "This name is taken.")
        }
    }
}
