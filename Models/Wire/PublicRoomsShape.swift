extension MatrixShapes {
    /// `GET /_matrix/client/v3/publicRooms`.
    public struct PublicRooms: Decodable, Equatable, Sendable {
        public var chunk: [PublicRoomEntry]
        /// Absent on the last page.
        public var next_batch: String?

        private enum Key: String, CodingKey { case chunk, next_batch }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            chunk = container.lenientArray(.chunk)
            next_batch = container.lenient(.next_batch)
        }
    }

    /// One room of the list. A Words server adds who made it.
    public struct PublicRoomEntry: Decodable, Equatable, Sendable {
        public var room: PublicRoom

        /// By which a Words server tells who made a listed room, and what they are called.
        public static let creatorKey = "org.words.creator"
        public static let creatorNameKey = "org.words.creator_name"

        private enum Key: String, CodingKey {
            case room_id, name, canonical_alias, num_joined_members
            case creator = "org.words.creator"
            case creatorName = "org.words.creator_name"
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            room = PublicRoom(
                id: try container.decode(RoomID.self, forKey: .room_id), name: container.lenient(.name),
                alias: container.lenient(.canonical_alias), joinedCount: container.lenient(.num_joined_members),
                creator: container.lenient(.creator), creatorName: container.lenient(.creatorName))
        }
    }

    /// `GET /_matrix/client/v3/directory/room/{roomAlias}`.
    public struct AliasAnswer: Decodable, Equatable, Sendable {
        public var room_id: RoomID
        public var servers: [String]

        private enum Key: String, CodingKey { case room_id, servers }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            room_id = try container.decode(RoomID.self, forKey: .room_id)
            servers = container.lenientArray(.servers)
        }
    }
}
