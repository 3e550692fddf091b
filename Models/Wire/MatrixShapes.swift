/// The JSON shapes of the Matrix client-server API as far as Words reads them: slim, and lenient about what others wrote.
public enum MatrixShapes {
    /// Client-server API, "Standard error response".
    public struct Failure: Codable, Equatable, Sendable {
        public var errcode: String?
        public var error: RemoteText?
        public var retry_after_ms: Int64?
        public var soft_logout: Bool?

        public init(
            errcode: String, error: RemoteText, retry_after_ms: Int64? = nil, soft_logout: Bool? = nil
        ) {
            self.errcode = errcode
            self.error = error
            self.retry_after_ms = retry_after_ms
            self.soft_logout = soft_logout
        }
    }

    /// `GET /_matrix/client/versions`.
    public struct Versions: Codable, Equatable, Sendable {
        public var versions: [String]
        public var unstable_features: [String: Bool]?

        /// The key in `unstable_features` by which a Words server makes itself known.
        public static let wordsFeature = "org.words.api"

        public init(versions: [String], unstable_features: [String: Bool]) {
            self.versions = versions
            self.unstable_features = unstable_features
        }
    }

    public struct EventIDAnswer: Codable, Equatable, Sendable {
        public var event_id: EventID
        public init(event_id: EventID) { self.event_id = event_id }
    }

    public struct RoomIDAnswer: Codable, Equatable, Sendable {
        public var room_id: RoomID
        public init(room_id: RoomID) { self.room_id = room_id }
    }

    /// One event in client format, of any type. "Client events" in the client-server API.
    public struct Event: Decodable, Equatable, Sendable {
        public var event_id: EventID?
        public var type: String
        public var sender: UserID?
        public var state_key: String?
        public var origin_server_ts: Timestamp?
        public var content: Content
        public var transaction_id: TransactionID?
        public var age: Int64?
        /// What a redaction takes back; older room versions put it here, newer ones into the content.
        public var redacts: EventID?
        /// The content of the state event that this one replaced.
        public var prev_content: PreviousContent?

        private enum Key: String, CodingKey {
            case event_id, type, sender, state_key, origin_server_ts, content, unsigned, redacts
            case transaction_id, age, prev_content
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            type = try container.decode(String.self, forKey: .type)
            event_id = container.lenient(.event_id)
            sender = container.lenient(.sender)
            state_key = container.lenient(.state_key)
            origin_server_ts = container.lenient(.origin_server_ts)
            content = container.lenient(.content) ?? Content()
            let unsigned = try? container.nestedContainer(keyedBy: Key.self, forKey: .unsigned)
            transaction_id = unsigned?.lenient(.transaction_id)
            age = unsigned?.lenient(.age)
            prev_content = unsigned?.lenient(.prev_content)
            redacts = container.lenient(.redacts) ?? content.redacts
        }
    }

    public struct PreviousContent: Decodable, Equatable, Sendable {
        public var membership: Membership?

        private enum Key: String, CodingKey { case membership }

        public init(from decoder: any Decoder) throws {
            membership = try decoder.container(keyedBy: Key.self).lenient(.membership)
        }
    }

    /// `m.relates_to`: what an event says about an earlier one.
    public struct Relation: Decodable, Equatable, Sendable {
        public var rel_type: String?
        public var event_id: EventID?

        private enum Key: String, CodingKey { case rel_type, event_id }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            rel_type = container.lenient(.rel_type)
            event_id = container.lenient(.event_id)
        }
    }

    /// `m.new_content`: what an edited message says now.
    public struct NewContent: Decodable, Equatable, Sendable {
        public var msgtype: String?
        public var body: RemoteText?

        private enum Key: String, CodingKey { case msgtype, body }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            msgtype = container.lenient(.msgtype)
            body = container.lenient(.body)
        }
    }

    /// The fields of all event contents that Words reads; each absent where missing or mistyped.
    public struct Content: Decodable, Equatable, Sendable {
        public var msgtype: String?
        public var body: RemoteText?
        public var membership: Membership?
        public var displayname: RemoteText?
        public var is_direct: Bool?
        public var name: RemoteText?
        public var alias: String?
        public var topic: RemoteText?
        public var join_rule: String?
        public var creator: UserID?
        /// `org.words.deleted` in a tombstone: the room is gone for good, and not upgraded.
        public var is_deleted: Bool?
        /// `org.words.deleted_room` in an announcement: the channel that its sender has deleted.
        public var deleted_room: RoomID?
        /// Of a tombstone: the room that has taken this one's place.
        public var replacement_room: RoomID?
        public var user_ids: [UserID]?
        public var presence: Presence.State?
        public var last_active_ago: Int64?
        public var currently_active: Bool?
        public var relates_to: Relation?
        public var new_content: NewContent?
        public var redacts: EventID?

        private enum Key: String, CodingKey {
            case relates_to = "m.relates_to"
            case new_content = "m.new_content"
            case is_deleted = "org.words.deleted"
            case deleted_room = "org.words.deleted_room"
            case redacts
            case msgtype, body, membership, displayname, is_direct, name, alias, topic, join_rule, creator,
                replacement_room
            case user_ids, presence, last_active_ago, currently_active
        }

        public init() {}

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            msgtype = container.lenient(.msgtype)
            body = container.lenient(.body)
            membership = container.lenient(.membership)
            displayname = container.lenient(.displayname)
            is_direct = container.lenient(.is_direct)
            name = container.lenient(.name)
            alias = container.lenient(.alias)
            topic = container.lenient(.topic)
            join_rule = container.lenient(.join_rule)
            creator = container.lenient(.creator)
            is_deleted = container.lenient(.is_deleted)
            replacement_room = container.lenient(.replacement_room)
            deleted_room = container.lenient(.deleted_room)
            user_ids = container.contains(.user_ids) ? container.lenientArray(.user_ids) : nil
            presence = container.lenient(.presence)
            last_active_ago = container.lenient(.last_active_ago)
            currently_active = container.lenient(.currently_active)
            relates_to = container.lenient(.relates_to)
            new_content = container.lenient(.new_content)
            redacts = container.lenient(.redacts)
        }
    }

    /// Account data and receipts, whose contents are maps: kept whole.
    public struct MapEvent: Decodable, Equatable, Sendable {
        public var type: String
        public var content: JSONValue
    }
}
