import Foundation
import Models

/// Accounts and contacts of a plain Matrix homeserver: people go by user names and ids, and a contact is whoever shares
/// a direct chat.
public struct MatrixUsers: UsersStore {
    let connection: ServerConnection
    let clock: any WallClock
    /// What the chat knows by now; nil where it does not run. Spares requests for names and standings.
    let chat: @Sendable () async -> ChatState?
    /// Held by whoever reads, changes and writes back what the account keeps.
    let turn: Turn
    let memory = Locked(Memory())

    static let deviceName = "Words"

    /// What is remembered for as long as the process runs.
    struct Memory {
        /// Whose each token is, of those used last.
        var owners: [Secret: UserID] = [:]
        /// The account that was made last, or may have been, until somebody has got into it.
        var newcomer: Newcomer?
        var names: [UserID: RemoteText] = [:]
        /// Rooms that were made for two and do not stand among the direct chats yet.
        var unlisted: [UserID: RoomID] = [:]
    }

    struct Newcomer {
        var userName: String
        var name: String
        /// The session that came with the account.
        var grant: (password: Secret, answer: MatrixShapes.LoginAnswer)?
    }

    init(
        connection: ServerConnection, clock: any WallClock, turn: Turn = Turn(),
        chat: @escaping @Sendable () async -> ChatState? = { nil }
    ) {
        self.connection = connection
        self.clock = clock
        self.turn = turn
        self.chat = chat
    }

    public func identities() async -> AccountIdentities? { .userNames }

    /// `identity` is a user name or a full id; an address is refused here, as nobody goes by one.
    public func login(
        identity: String, password: Secret, device: DeviceID? = nil
    ) async throws(UsersError) -> UserToken {
        let name = try Self.userName(identity, folds: false)
        let granted = memory.withLock { memory -> MatrixShapes.LoginAnswer? in
            guard let grant = memory.newcomer?.grant, grant.password == password,
                memory.newcomer?.userName == UserID(name).localPart.lowercased()
            else { return nil }
            memory.newcomer?.grant = nil
            return grant.answer
        }
        if let granted { return token(granted) }
        var body: [String: JSONValue] = [
            "type": "m.login.password", "identifier": ["type": "m.id.user", "user": .string(name)],
            "password": .string(password.reveal()), "initial_device_display_name": .string(Self.deviceName),
            "refresh_token": true,
        ]
        if let device { body["device_id"] = .string(device.raw) }
        let response = try await answer(call(.login, "POST", ["login"], .object(body)))
        switch (response.status, failure(of: response)?.errcode) {
        case (200..<300, _): return await loggedIn(try read(response))
        case (_, "M_FORBIDDEN"?): throw .wrongCredentials("The user name or the password is wrong")
        case (_, "M_UNKNOWN"?), (_, "M_UNRECOGNIZED"?): throw try await withoutPasswords() ?? error(for: response)
        default: throw error(for: response)
        }
    }

    /// Goes to where the server asks its client to be. Client-server API, "Login", `well_known`.
    private func loggedIn(_ answer: MatrixShapes.LoginAnswer) async -> UserToken {
        if let base = answer.base_url { await connection.endpoint.isToMove(to: base) }
        return token(answer)
    }

    /// What to say where the server takes no passwords; nil where it does.
    private func withoutPasswords() async throws(UsersError) -> UsersError? {
        let flows: JSONValue = try await ask(call(.login, "GET", ["login"]))
        let types = (flows["flows"]?.array ?? []).compactMap { $0["type"]?.string }
        guard !types.contains("m.login.password") else { return nil }
        let offered = types.isEmpty ? "nothing that Words knows" : types.joined(separator: ", ")
        return .refused("This server takes no passwords from apps. It offers \(RemoteText(offered)).")
    }

    public func refresh(_ token: UserToken) async throws(UsersError) -> UserToken {
        guard let refreshToken = token.refreshToken else { throw .unauthenticated }
        let body: JSONValue = ["refresh_token": .string(refreshToken.reveal())]
        let response = try await answer(call(.refresh, "POST", ["refresh"], body))
        // Of one that has been used up Synapse says that it is forbidden.
        if failure(of: response)?.errcode == "M_FORBIDDEN" { throw .unauthenticated }
        var renewed: MatrixShapes.LoginAnswer = try read(response)
        renewed.refresh_token = renewed.refresh_token ?? refreshToken
        return self.token(renewed)
    }

    /// The same token, of whom the server says that it is.
    public func chatToken(_ token: UserToken) async throws(UsersError) -> ChatToken {
        ChatToken(accessToken: token.accessToken, userID: try await whoAmI(token), expiresAt: token.expiresAt)
    }

    public func currentUser(_ token: UserToken) async throws(UsersError) -> User {
        let id = try await whoAmI(token)
        let name = try await displayName(of: id, token)
        let wanted = memory.withLock { $0.newcomer?.userName == id.localPart ? $0.newcomer?.name : nil }
        if let wanted, name?.unsanitised != wanted { _ = try await rename(token, name: wanted) }
        memory.withLock { memory in
            if memory.newcomer?.userName == id.localPart { memory.newcomer = nil }
        }
        return User(
            id: 0, name: wanted.map { RemoteText($0) } ?? name ?? RemoteText(id.localPart), email: nil, chatID: id)
    }

    public func rename(_ token: UserToken, name: String) async throws(UsersError) -> User {
        let id = try await ownID(token)
        try await tell(
            call(.rename, "PUT", ["profile", id.raw, "displayname"], ["displayname": .string(name)], token))
        return User(id: 0, name: RemoteText(name), email: nil, chatID: id)
    }

    /// Ends all other sessions, as a Words server does.
    public func changePassword(_ token: UserToken, current: Secret, new: Secret) async throws(UsersError) {
        var body: [String: JSONValue] = ["new_password": .string(new.reveal()), "logout_devices": true]
        let segments = ["account", "password"]
        var response = try await answer(call(.password, "POST", segments, .object(body), token))
        if response.status == 401, failure(of: response)?.errcode == nil {
            let challenge: MatrixShapes.Challenge = try read(response, expecting: 401)
            let id = try await ownID(token)
            body["auth"] = [
                "type": "m.login.password", "identifier": ["type": "m.id.user", "user": .string(id.raw)],
                "password": .string(current.reveal()), "session": .string(challenge.session ?? ""),
            ]
            response = try await answer(call(.password, "POST", segments, .object(body), token))
        }
        guard !(200..<300).contains(response.status) else { return }
        let failure = failure(of: response)
        switch failure?.errcode {
        case "M_FORBIDDEN"? where response.status == 401:
            throw .invalid(message: "", fields: ["current_password": ["This is not the current password."]])
        case "M_WEAK_PASSWORD"?, "M_PASSWORD_TOO_SHORT"?:
            throw .invalid(message: "", fields: ["password": [failure?.error ?? "The server takes no such password."]])
        default: throw error(for: response)
        }
    }

    public func logout(_ token: UserToken) async throws(UsersError) {
        try await tell(call(.logout, "POST", ["logout"], [:], token))
        memory.withLock { $0.owners[token.accessToken] = nil }
    }
}

extension MatrixUsers {
    /// Asks the server, which thereby says whether the token still holds.
    private func whoAmI(_ token: UserToken) async throws(UsersError) -> UserID {
        let answer: MatrixShapes.WhoAmI = try await ask(call(.user, "GET", ["account", "whoami"], nil, token))
        memory.withLock { memory in
            if memory.owners.count > 8 { memory.owners = [:] }
            memory.owners[token.accessToken] = answer.user_id
        }
        return answer.user_id
    }

    func ownID(_ token: UserToken) async throws(UsersError) -> UserID {
        if let known = memory.withLock({ $0.owners[token.accessToken] }) { return known }
        return try await whoAmI(token)
    }

    func token(_ answer: MatrixShapes.LoginAnswer) -> UserToken {
        // One that does not end is taken to do so in ten years.
        let longest: Int64 = 315_360_000_000
        let life = min(max(answer.expires_in_ms ?? longest, 0), longest)
        return UserToken(
            accessToken: answer.access_token, refreshToken: answer.refresh_token,
            expiresAt: clock.now + .milliseconds(life), deviceID: answer.device_id)
    }

    static let wantsUserName: RemoteText =
        "This server uses user names: a name like alice, or a whole id like @alice:example.org."

    /// A user name or an id, as it is typed; `folds` makes a new account's name of it.
    static func userName(_ identity: String, folds: Bool) throws(UsersError) -> String {
        let trimmed = identity.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.dropFirst().contains("@") else {
            throw .invalid(message: wantsUserName, fields: ["email": [wantsUserName]])
        }
        return folds ? UserID(trimmed).localPart.lowercased() : trimmed
    }
}
