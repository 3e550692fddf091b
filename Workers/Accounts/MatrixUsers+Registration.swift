import Models

/// Making an account. Client-server API, "Account registration" and "User-Interactive Authentication API".
extension MatrixUsers {
    /// `email` is the user name that is wished for. What the server wants beyond a name and a password is told, and
    /// where to register then.
    public func signup(name: String, email: String, password: Secret) async throws(UsersError) -> User {
        let userName = try Self.userName(email, folds: true)
        let registered: MatrixShapes.LoginAnswer
        do throws(UsersError) { registered = try await register(userName, password) } catch {
            // Whether it was made is not known: its name is given once somebody gets into it.
            let isOpen = error == .network(.interrupted) || error == .network(.timedOut)
            if isOpen { memory.withLock { $0.newcomer = Newcomer(userName: userName, name: name) } }
            throw error
        }
        memory.withLock { memory in
            memory.newcomer = Newcomer(
                userName: registered.user_id.localPart, name: name, grant: (password, registered))
        }
        return User(id: 0, name: RemoteText(name), email: nil, chatID: registered.user_id)
    }

    private func register(
        _ userName: String, _ password: Secret
    ) async throws(UsersError) -> MatrixShapes.LoginAnswer {
        var body: [String: JSONValue] = [
            "username": .string(userName), "password": .string(password.reveal()),
            "initial_device_display_name": .string(Self.deviceName), "refresh_token": true,
        ]
        var response = try await answer(call(.signup, "POST", ["register"], .object(body)))
        if response.status == 401, failure(of: response)?.errcode == nil {
            let challenge: MatrixShapes.Challenge = try read(response, expecting: 401)
            guard challenge.flows.contains(where: { $0.stages == ["m.login.dummy"] }) else {
                throw .refused(wants(challenge))
            }
            body["auth"] = ["type": "m.login.dummy", "session": .string(challenge.session ?? "")]
            response = try await answer(call(.signup, "POST", ["register"], .object(body)))
        }
        guard !(200..<300).contains(response.status) else { return try read(response) }
        throw refusal(of: response)
    }

    private func refusal(of response: TransportResponse) -> UsersError {
        let failure = failure(of: response)
        let words = failure?.error ?? "The server refuses it."
        switch failure?.errcode {
        case "M_USER_IN_USE"?, "M_EXCLUSIVE"?:
            return .invalid(message: words, fields: ["email": ["There is an account with this user name already."]])
        case "M_INVALID_USERNAME"?: return .invalid(message: words, fields: ["email": [words]])
        case "M_WEAK_PASSWORD"?, "M_PASSWORD_TOO_SHORT"?: return .invalid(message: words, fields: ["password": [words]])
        case "M_FORBIDDEN"?, "M_UNRECOGNIZED"?:
            return .refused("This server makes no accounts for apps. \(registerElsewhere)")
        default: return error(for: response)
        }
    }

    private var registerElsewhere: RemoteText {
        """
        Register at \(RemoteText(connection.endpoint.identity)) in a browser, or with another Matrix app; then log in \
        here.
        """
    }

    /// What is asked of a newcomer that only they can do elsewhere, by the flow that asks least.
    private func wants(_ challenge: MatrixShapes.Challenge) -> RemoteText {
        let stages = challenge.flows.map(\.stages).min { $0.count < $1.count } ?? []
        let wishes = stages.filter { $0 != "m.login.dummy" }.map(Self.wish)
        let what = wishes.isEmpty ? "what Words does not know" : wishes.joined(separator: ", ")
        return
            "This server asks a newcomer for more than a name and a password: \(RemoteText(what)). \(registerElsewhere)"
    }

    private static func wish(of stage: String) -> String {
        switch stage {
        case "m.login.recaptcha": "a CAPTCHA"
        case "m.login.email.identity": "an e-mail address"
        case "m.login.msisdn": "a telephone number"
        case "m.login.terms": "consent to its terms"
        case "m.login.registration_token": "a registration token"
        case "m.login.sso": "a sign-in in the browser"
        default: stage
        }
    }
}
