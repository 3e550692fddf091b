extension MatrixShapes {
    /// `GET /_matrix/client/v3/sync`.
    public struct Sync: Decodable, Equatable, Sendable {
        public var next_batch: String
        public var join: [String: JoinedRoom] = [:]
        public var invite: [String: InvitedRoom] = [:]
        public var leave: [String: LeftRoom] = [:]
        public var account_data: [MapEvent] = []
        public var presence: [Event] = []

        private enum Key: String, CodingKey {
            case next_batch, rooms, join, invite, leave, account_data, presence
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            next_batch = try container.decode(String.self, forKey: .next_batch)
            if let rooms = try? container.nestedContainer(keyedBy: Key.self, forKey: .rooms) {
                join = rooms.lenientObject(.join)
                invite = rooms.lenientObject(.invite)
                leave = rooms.lenientObject(.leave)
            }
            account_data = container.lenient(.account_data, as: Events<MapEvent>.self)?.events ?? []
            presence = container.lenient(.presence, as: Events<Event>.self)?.events ?? []
        }
    }

    public struct JoinedRoom: Decodable, Equatable, Sendable {
        public var timeline: TimelinePart
        public var state: [Event]
        /// `m.typing`, of the form of other events.
        public var ephemeral: [Event]
        /// `m.receipt`, whose content is a map.
        public var receipts: [MapEvent]
        public var heroes: [UserID]?
        public var joinedCount: Int?
        public var invitedCount: Int?
        public var notificationCount: Int?
        public var highlightCount: Int?

        private enum Key: String, CodingKey {
            case timeline, state, ephemeral, summary, unread_notifications
            case heroes = "m.heroes"
            case joined = "m.joined_member_count"
            case invited = "m.invited_member_count"
            case notification_count, highlight_count
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            timeline = container.lenient(.timeline) ?? TimelinePart()
            state = container.lenient(.state, as: Events<Event>.self)?.events ?? []
            ephemeral = container.lenient(.ephemeral, as: Events<Event>.self)?.events ?? []
            receipts =
                ephemeral.contains { $0.type == "m.receipt" }
                ? (container.lenient(.ephemeral, as: Events<MapEvent>.self)?.events ?? []).filter {
                    $0.type == "m.receipt"
                } : []
            let summary = try? container.nestedContainer(keyedBy: Key.self, forKey: .summary)
            heroes = summary?.lenient(.heroes)
            joinedCount = summary?.lenient(.joined)
            invitedCount = summary?.lenient(.invited)
            let unread = try? container.nestedContainer(keyedBy: Key.self, forKey: .unread_notifications)
            notificationCount = unread?.lenient(.notification_count)
            highlightCount = unread?.lenient(.highlight_count)
        }
    }

    public struct InvitedRoom: Decodable, Equatable, Sendable {
        /// Stripped state: only type, state key, sender and content.
        public var state: [Event]

        private enum Key: String, CodingKey { case invite_state }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            state = container.lenient(.invite_state, as: Events<Event>.self)?.events ?? []
        }
    }

    public struct LeftRoom: Decodable, Equatable, Sendable {
        public var timeline: TimelinePart
        public var state: [Event]

        private enum Key: String, CodingKey { case timeline, state }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            timeline = container.lenient(.timeline) ?? TimelinePart()
            state = container.lenient(.state, as: Events<Event>.self)?.events ?? []
        }
    }

    public struct TimelinePart: Decodable, Equatable, Sendable {
        public var events: [Event] = []
        /// More happened since the last batch than came.
        public var limited = false
        /// Where `/messages?dir=b` continues into older events.
        public var prev_batch: String?

        private enum Key: String, CodingKey { case events, limited, prev_batch }

        public init() {}

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            events = container.lenientArray(.events)
            limited = container.lenient(.limited) ?? false
            prev_batch = container.lenient(.prev_batch)
        }
    }

    /// `GET /_matrix/client/v3/rooms/{roomId}/messages`.
    public struct Messages: Decodable, Equatable, Sendable {
        public var chunk: [Event]
        public var state: [Event]
        public var start: String?
        /// Absent when there is nothing further in that direction.
        public var end: String?

        private enum Key: String, CodingKey { case chunk, state, start, end }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            chunk = container.lenientArray(.chunk)
            state = container.lenientArray(.state)
            start = container.lenient(.start)
            end = container.lenient(.end)
        }
    }

    private struct Events<Element: Decodable>: Decodable {
        var events: [Element]

        private enum Key: String, CodingKey { case events }

        init(from decoder: any Decoder) throws {
            events = try decoder.container(keyedBy: Key.self).lenientArray(.events)
        }
    }
}
