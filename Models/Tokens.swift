/// What `POST /oauth/token` gives: the right to use the Words API.
public struct UserToken: Equatable, Sendable, Codable {
    public var accessToken: Secret
    public var refreshToken: Secret?
    /// When the access token stops being good, by this machine's clock.
    public var expiresAt: Timestamp
    /// The device that the session is on; nil where the server does not say.
    public var deviceID: DeviceID?

    public init(accessToken: Secret, refreshToken: Secret?, expiresAt: Timestamp, deviceID: DeviceID? = nil) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresAt = expiresAt
        self.deviceID = deviceID
    }
}

/// What `POST /api/chatkit/token` gives: the right to use the Matrix API as `userID`.
public struct ChatToken: Equatable, Sendable, Codable {
    public var accessToken: Secret
    public var userID: UserID
    /// When the access token stops being good, by this machine's clock.
    public var expiresAt: Timestamp

    public init(accessToken: Secret, userID: UserID, expiresAt: Timestamp) {
        self.accessToken = accessToken
        self.userID = userID
        self.expiresAt = expiresAt
    }
}

/// A signed-in account on one server, as the session file keeps it.
public struct Session: Equatable, Sendable {
    public var user: User
    public var userToken: UserToken
    public var chatToken: ChatToken

    public init(user: User, userToken: UserToken, chatToken: ChatToken) {
        self.user = user
        self.userToken = userToken
        self.chatToken = chatToken
    }
}
