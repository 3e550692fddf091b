/// The JSON shapes of the Words API, shared by the client and the embedded server.
public enum WordsAPIShapes {
    public struct User: Codable, Equatable, Sendable {
        public var id: Int
        public var name: RemoteText
        public var email: RemoteText?
        public var chatkit_id: UserID
        public var created_at: String?
        public var updated_at: String?

        public init(
            id: Int, name: RemoteText, email: RemoteText?, chatkit_id: UserID, created_at: String? = nil,
            updated_at: String? = nil
        ) {
            self.id = id
            self.name = name
            self.email = email
            self.chatkit_id = chatkit_id
            self.created_at = created_at
            self.updated_at = updated_at
        }
    }

    public struct Room: Codable, Equatable, Sendable {
        public var id: RoomID
        public var name: RemoteText?
        public var created_by_id: UserID?
        public var `private`: Bool?
        public var created_at: String?
        public var updated_at: String?

        public init(
            id: RoomID, name: RemoteText?, created_by_id: UserID?, private isPrivate: Bool,
            created_at: String? = nil, updated_at: String? = nil
        ) {
            self.id = id
            self.name = name
            self.created_by_id = created_by_id
            self.private = isPrivate
            self.created_at = created_at
            self.updated_at = updated_at
        }
    }

    public struct Contact: Codable, Equatable, Sendable {
        public var id: Int
        public var name: RemoteText
        public var email: RemoteText?
        public var chatkit_id: UserID
        public var room: Room

        public init(id: Int, name: RemoteText, email: RemoteText?, chatkit_id: UserID, room: Room) {
            self.id = id
            self.name = name
            self.email = email
            self.chatkit_id = chatkit_id
            self.room = room
        }
    }

    public struct Signup: Codable, Sendable {
        public var name: String
        public var email: String
        public var password: Secret

        public init(name: String, email: String, password: Secret) {
            self.name = name
            self.email = email
            self.password = password
        }
    }

    /// The body of `POST /oauth/token`; RFC 6749, sections 4.3 and 6.
    public struct Grant: Codable, Sendable {
        public var grant_type: String
        public var username: String?
        public var password: Secret?
        public var refresh_token: Secret?
        public var client_id: Int
        public var client_secret: Secret?
        /// With a password: the device whose session is to go on; without it the session is on one of its own.
        public var device_id: DeviceID?

        public init(
            username: String, password: Secret, client_id: Int, client_secret: Secret?, device_id: DeviceID? = nil
        ) {
            grant_type = "password"
            self.username = username
            self.password = password
            self.device_id = device_id
            self.client_id = client_id
            self.client_secret = client_secret
        }

        public init(refresh_token: Secret, client_id: Int, client_secret: Secret?) {
            grant_type = "refresh_token"
            self.refresh_token = refresh_token
            self.client_id = client_id
            self.client_secret = client_secret
        }
    }

    /// The answer of `POST /oauth/token`; RFC 6749, section 5.1. `expires_in` is in seconds.
    public struct Token: Codable, Equatable, Sendable {
        public var token_type: String
        public var expires_in: Int64
        public var access_token: Secret
        public var refresh_token: Secret?
        /// The device that the session is on; not of RFC 6749, so other servers leave it out.
        public var device_id: DeviceID?

        public init(expires_in: Int64, access_token: Secret, refresh_token: Secret?, device_id: DeviceID? = nil) {
            token_type = "Bearer"
            self.expires_in = expires_in
            self.access_token = access_token
            self.refresh_token = refresh_token
            self.device_id = device_id
        }
    }

    /// The answer of `POST /api/chatkit/token`. `expires_in` is in seconds.
    public struct ChatToken: Codable, Equatable, Sendable {
        public var access_token: Secret
        public var token_type: String
        public var expires_in: Int64
        public var user_id: UserID

        public init(access_token: Secret, expires_in: Int64, user_id: UserID) {
            self.access_token = access_token
            token_type = "Bearer"
            self.expires_in = expires_in
            self.user_id = user_id
        }
    }

    /// The body of `PUT /api/user`.
    public struct UserChange: Codable, Sendable {
        public var name: String?
        public var password: Secret?
        public var current_password: Secret?

        public init(name: String? = nil, password: Secret? = nil, current_password: Secret? = nil) {
            self.name = name
            self.password = password
            self.current_password = current_password
        }
    }

    /// The body of `POST /api/contacts`: an e-mail address or a Matrix user id.
    public struct NewContact: Codable, Sendable {
        public var user_id: String

        public init(user_id: String) { self.user_id = user_id }
    }

    /// Every failure: `message` always, `errors` by field on 422, `error` from the token endpoint.
    public struct Failure: Codable, Equatable, Sendable {
        public var message: RemoteText?
        public var errors: [String: [RemoteText]]?
        public var error: String?
        public var error_description: RemoteText?
        /// Of a refresh token: it has run out, but its session goes on with the next password, as in the Matrix API.
        public var soft_logout: Bool?

        public init(
            message: RemoteText?, errors: [String: [RemoteText]]? = nil, error: String? = nil,
            error_description: RemoteText? = nil, soft_logout: Bool? = nil
        ) {
            self.message = message
            self.errors = errors
            self.error = error
            self.error_description = error_description
            self.soft_logout = soft_logout
        }
    }
}
