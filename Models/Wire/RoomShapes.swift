extension MatrixShapes {
    /// What a sync tells of a room that one is in.
    public struct JoinedRoom: JSONShape, Equatable, Sendable {
        public var timeline = TimelinePart()
        public var state: [Event] = []
        /// `m.typing`, of the form of other events.
        public var ephemeral: [Event] = []
        /// `m.receipt`, whose content is a map.
        public var receipts: [MapEvent] = []
        public var heroes: [UserID]?
        public var joinedCount: Int?
        public var invitedCount: Int?
        public var notificationCount: Int?
        public var highlightCount: Int?

        package enum Key: String, JSONKey {
            case timeline, state, ephemeral, summary, unread_notifications
            package static let names = JSONNames<Key>()
        }

        private enum SummaryKey: String, JSONKey {
            case heroes = "m.heroes"
            case joined = "m.joined_member_count"
            case invited = "m.invited_member_count"
            static let names = JSONNames<SummaryKey>()
        }

        private enum UnreadKey: String, JSONKey {
            case notification_count, highlight_count
            static let names = JSONNames<UnreadKey>()
        }

        package init() {}

        package mutating func take(_ key: Key, _ value: inout JSONReader) {
            switch key {
            case .timeline: timeline = value.read() ?? TimelinePart()
            case .state: state = value.read(Events<Event>.self)?.events ?? []
            case .ephemeral: readEphemeral(&value)
            case .summary: readSummary(&value)
            case .unread_notifications: readUnread(&value)
            }
        }

        private mutating func readEphemeral(_ reader: inout JSONReader) {
            var again = reader
            ephemeral = reader.read(Events<Event>.self)?.events ?? []
            guard ephemeral.contains(where: { $0.type == "m.receipt" }) else { return }
            receipts = (again.read(Events<MapEvent>.self)?.events ?? []).filter { $0.type == "m.receipt" }
        }

        private mutating func readSummary(_ reader: inout JSONReader) {
            reader.object { (key: SummaryKey, value) in
                switch key {
                case .heroes: heroes = value.elements()
                case .joined: joinedCount = value.read()
                case .invited: invitedCount = value.read()
                }
            }
        }

        private mutating func readUnread(_ reader: inout JSONReader) {
            reader.object { (key: UnreadKey, value) in
                switch key {
                case .notification_count: notificationCount = value.read()
                case .highlight_count: highlightCount = value.read()
                }
            }
        }
    }

    public struct InvitedRoom: JSONShape, Equatable, Sendable {
        /// Stripped state: only type, state key, sender and content.
        public var state: [Event] = []

        package enum Key: String, JSONKey {
            case invite_state
            package static let names = JSONNames<Key>()
        }

        package init() {}

        package mutating func take(_ key: Key, _ value: inout JSONReader) {
            state = value.read(Events<Event>.self)?.events ?? []
        }
    }

    public struct LeftRoom: JSONShape, Equatable, Sendable {
        public var timeline = TimelinePart()
        public var state: [Event] = []

        package enum Key: String, JSONKey {
            case timeline, state
            package static let names = JSONNames<Key>()
        }

        package init() {}

        package mutating func take(_ key: Key, _ value: inout JSONReader) {
            switch key {
            case .timeline: timeline = value.read() ?? TimelinePart()
            case .state: state = value.read(Events<Event>.self)?.events ?? []
            }
        }
    }

    public struct TimelinePart: JSONShape, Equatable, Sendable {
        public var events: [Event] = []
        /// More happened since the last batch than came.
        public var limited = false
        /// Where `/messages?dir=b` continues into older events.
        public var prev_batch: String?

        package enum Key: String, JSONKey {
            case events, limited, prev_batch
            package static let names = JSONNames<Key>()
        }

        package init() {}

        package mutating func take(_ key: Key, _ value: inout JSONReader) {
            switch key {
            case .events: events = value.elements() ?? []
            case .limited: limited = value.read() ?? false
            case .prev_batch: prev_batch = value.read()
            }
        }
    }

    /// `GET /_matrix/client/v3/rooms/{roomId}/messages`.
    public struct Messages: JSONShape, Equatable, Sendable {
        public var chunk: [Event] = []
        public var state: [Event] = []
        public var start: String?
        /// Absent when there is nothing further in that direction.
        public var end: String?

        package enum Key: String, JSONKey {
            case chunk, state, start, end
            package static let names = JSONNames<Key>()
        }

        package init() {}

        package mutating func take(_ key: Key, _ value: inout JSONReader) {
            switch key {
            case .chunk: chunk = value.elements() ?? []
            case .state: state = value.elements() ?? []
            case .start: start = value.read()
            case .end: end = value.read()
            }
        }
    }
}
