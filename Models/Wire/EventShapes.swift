extension MatrixShapes {
    /// One event in client format, of any type. "Client events" in the client-server API.
    public struct Event: JSONReadable, Equatable, Sendable {
        public var event_id: EventID?
        public var type: String
        public var sender: UserID?
        public var state_key: String?
        public var origin_server_ts: Timestamp?
        public var content = Content()
        public var transaction_id: TransactionID?
        public var age: Int64?
        /// What a redaction takes back; older room versions put it here, newer ones into the content.
        public var redacts: EventID?
        /// The content of the state event that this one replaced.
        public var prev_content: PreviousContent?

        private enum Key: String, JSONKey {
            case event_id, type, sender, state_key, origin_server_ts, content, unsigned, redacts
            static let names = JSONNames<Key>()
        }

        private enum UnsignedKey: String, JSONKey {
            case transaction_id, age, prev_content
            static let names = JSONNames<UnsignedKey>()
        }

        package init(type: String) { self.type = type }

        package init?(from reader: inout JSONReader) {
            self.init(type: "")
            var type: String?
            reader.object { (key: Key, value) in
                switch key {
                case .event_id: event_id = value.read()
                case .type: type = value.read()
                case .sender: sender = value.read()
                case .state_key: state_key = value.read()
                case .origin_server_ts: origin_server_ts = value.read()
                case .content: content = value.read() ?? Content()
                case .unsigned: readUnsigned(&value)
                case .redacts: redacts = value.read()
                }
            }
            guard let type else { return nil }
            self.type = type
            if redacts == nil { redacts = content.redacts }
        }

        private mutating func readUnsigned(_ reader: inout JSONReader) {
            reader.object { (key: UnsignedKey, value) in
                switch key {
                case .transaction_id: transaction_id = value.read()
                case .age: age = value.read()
                case .prev_content: prev_content = value.read()
                }
            }
        }
    }

    public struct PreviousContent: JSONShape, Equatable, Sendable {
        public var membership: Membership?

        package enum Key: String, JSONKey {
            case membership
            package static let names = JSONNames<Key>()
        }

        package init() {}

        package mutating func take(_ key: Key, _ value: inout JSONReader) { membership = value.read() }
    }

    /// `m.relates_to`: what an event says about an earlier one.
    public struct Relation: JSONShape, Equatable, Sendable {
        public var rel_type: String?
        public var event_id: EventID?

        package enum Key: String, JSONKey {
            case rel_type, event_id
            package static let names = JSONNames<Key>()
        }

        package init() {}

        package mutating func take(_ key: Key, _ value: inout JSONReader) {
            switch key {
            case .rel_type: rel_type = value.read()
            case .event_id: event_id = value.read()
            }
        }
    }

    /// `m.new_content`: what an edited message says now.
    public struct NewContent: JSONShape, Equatable, Sendable {
        public var msgtype: String?
        public var body: RemoteText?

        package enum Key: String, JSONKey {
            case msgtype, body
            package static let names = JSONNames<Key>()
        }

        package init() {}

        package mutating func take(_ key: Key, _ value: inout JSONReader) {
            switch key {
            case .msgtype: msgtype = value.read()
            case .body: body = value.read()
            }
        }
    }

    /// The fields of all event contents that Words reads; each absent where missing or mistyped.
    public struct Content: JSONShape, Equatable, Sendable {
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

        package enum Key: String, JSONKey {
            case relates_to = "m.relates_to"
            case new_content = "m.new_content"
            case is_deleted = "org.words.deleted"
            case deleted_room = "org.words.deleted_room"
            case redacts
            case msgtype, body, membership, displayname, is_direct, name, alias, topic, join_rule, creator,
                replacement_room
            case user_ids, presence, last_active_ago, currently_active
            package static let names = JSONNames<Key>()
        }

        package init() {}

        package mutating func take(_ key: Key, _ value: inout JSONReader) {
            switch key {
            case .msgtype: msgtype = value.read()
            case .body: body = value.read()
            case .membership: membership = value.read()
            case .displayname: displayname = value.read()
            case .is_direct: is_direct = value.read()
            case .name: name = value.read()
            case .alias: alias = value.read()
            case .topic: topic = value.read()
            case .join_rule: join_rule = value.read()
            case .creator: creator = value.read()
            case .is_deleted: is_deleted = value.read()
            case .replacement_room: replacement_room = value.read()
            case .deleted_room: deleted_room = value.read()
            case .user_ids: user_ids = value.elements() ?? []
            case .presence: presence = value.read()
            case .last_active_ago: last_active_ago = value.read()
            case .currently_active: currently_active = value.read()
            case .relates_to: relates_to = value.read()
            case .new_content: new_content = value.read()
            case .redacts: redacts = value.read()
            }
        }
    }

    /// Account data and receipts, whose contents are maps: kept whole.
    public struct MapEvent: JSONReadable, Equatable, Sendable {
        public var type: String
        public var content: JSONValue

        private enum Key: String, JSONKey {
            case type, content
            static let names = JSONNames<Key>()
        }

        package init(type: String, content: JSONValue) {
            self.type = type
            self.content = content
        }

        package init?(from reader: inout JSONReader) {
            var (type, content): (String?, JSONValue?)
            reader.object { (key: Key, value) in
                switch key {
                case .type: type = value.read()
                case .content: content = value.value()
                }
            }
            guard let type, let content else { return nil }
            self.init(type: type, content: content)
        }
    }

    /// `{"events": […]}`.
    struct Events<Element: JSONReadable>: JSONReadable {
        var events: [Element] = []

        init?(from reader: inout JSONReader) {
            guard reader.object({ (_: EventsKey, value) in events = value.elements() ?? [] }) else { return nil }
        }
    }

    enum EventsKey: String, JSONKey {
        case events
        static let names = JSONNames<EventsKey>()
    }
}
