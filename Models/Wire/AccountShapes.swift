/// What a homeserver answers about accounts and people.
extension MatrixShapes {
    /// `POST /login`, `POST /register` and `POST /refresh`; the last says nothing of whom.
    public struct LoginAnswer: Decodable, Equatable, Sendable {
        public var user_id: UserID
        public var access_token: Secret
        public var refresh_token: Secret?
        /// Absent where the token does not end by itself.
        public var expires_in_ms: Int64?
        public var device_id: DeviceID?
        /// Where the server asks to be reached from now on: `m.homeserver` of its `well_known`.
        public var base_url: String?

        private enum Key: String, CodingKey {
            case user_id, access_token, refresh_token, expires_in_ms, device_id, well_known, base_url
            case homeserver = "m.homeserver"
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            let place = try? container.nestedContainer(keyedBy: Key.self, forKey: .well_known)
                .nestedContainer(keyedBy: Key.self, forKey: .homeserver)
            base_url = place?.lenient(.base_url)
            user_id = container.lenient(.user_id) ?? UserID("")
            access_token = try container.decode(Secret.self, forKey: .access_token)
            refresh_token = container.lenient(.refresh_token)
            expires_in_ms = container.lenient(.expires_in_ms)
            device_id = container.lenient(.device_id)
        }
    }

    /// The 401 by which a server asks for one more thing. Client-server API, "User-Interactive Authentication API".
    public struct Challenge: Decodable, Equatable, Sendable {
        public struct Flow: Decodable, Equatable, Sendable {
            public var stages: [String]
        }

        public var session: String?
        public var flows: [Flow]

        private enum Key: String, CodingKey { case session, flows }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            session = container.lenient(.session)
            flows = container.lenientArray(.flows)
        }
    }

    /// `GET /account/whoami`.
    public struct WhoAmI: Decodable, Equatable, Sendable { public var user_id: UserID }

    /// `GET /profile/{userId}`.
    public struct Profile: Decodable, Equatable, Sendable {
        public var displayname: RemoteText?

        private enum Key: String, CodingKey { case displayname }

        public init(from decoder: any Decoder) throws {
            displayname = try decoder.container(keyedBy: Key.self).lenient(.displayname)
        }
    }

    /// `POST /user_directory/search`.
    public struct UserDirectory: Decodable, Equatable, Sendable {
        public struct Entry: Decodable, Equatable, Sendable {
            public var user_id: UserID
            public var display_name: RemoteText?

            private enum Key: String, CodingKey { case user_id, display_name }

            public init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Key.self)
                user_id = try container.decode(UserID.self, forKey: .user_id)
                display_name = container.lenient(.display_name)
            }
        }

        public var results: [Entry]
        /// Whether more matched than came.
        public var limited: Bool

        private enum Key: String, CodingKey { case results, limited }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            results = container.lenientArray(.results)
            limited = container.lenient(.limited) ?? false
        }
    }

    /// `GET /joined_rooms`.
    public struct JoinedRooms: Decodable, Equatable, Sendable {
        public var joined_rooms: [RoomID]

        private enum Key: String, CodingKey { case joined_rooms }

        public init(from decoder: any Decoder) throws {
            joined_rooms = try decoder.container(keyedBy: Key.self).lenientArray(.joined_rooms)
        }
    }
}
