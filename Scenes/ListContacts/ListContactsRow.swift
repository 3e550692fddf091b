import Models
import Workers

extension ListContacts {
    /// One contact as the list shows them.
    public struct Row: Equatable, Sendable {
        public enum PresenceKind: Equatable, Sendable { case online, unavailable, offline }

        /// The newest message of the room, in short.
        public struct Preview: Equatable, Sendable {
            /// One line.
            public var text: RemoteText
            public var isOwn: Bool
            public var timeText: String

            public init(text: RemoteText, isOwn: Bool, timeText: String) {
                self.text = text
                self.isOwn = isOwn
                self.timeText = timeText
            }
        }

        public var id: UserID
        /// From 1, in the order of the list.
        public var number: Int
        /// Shows the id as well where it could pass for somebody else's.
        public var name: RemoteText
        public var initials: RemoteText
        public var presence: PresenceKind
        /// `online`, `last seen …` or `offline`.
        public var presenceText: String
        public var isTyping: Bool
        public var unreadCount: Int
        public var lastMessage: Preview?
        /// They are not in the room any more; nothing can be sent to them.
        public var hasLeft: Bool

        public init(
            id: UserID, number: Int, name: RemoteText, initials: RemoteText,
            presence: PresenceKind = .offline,
            presenceText: String = "offline", isTyping: Bool = false, unreadCount: Int = 0,
            lastMessage: Preview? = nil, hasLeft: Bool = false
        ) {
            self.id = id
            self.number = number
            self.name = name
            self.initials = initials
            self.presence = presence
            self.presenceText = presenceText
            self.isTyping = isTyping
            self.unreadCount = unreadCount
            self.lastMessage = lastMessage
            self.hasLeft = hasLeft
        }
    }

    /// One contact with all that the chat knows of them.
    public struct ContactStanding: Equatable, Sendable {
        /// The newest message of a room.
        public struct Newest: Equatable, Sendable {
            public var message: Message
            public var isOwn: Bool
            /// Nil where the time cannot be read.
            public var timestamp: Timestamp?

            public init(message: Message, isOwn: Bool, timestamp: Timestamp?) {
                self.message = message
                self.isOwn = isOwn
                self.timestamp = timestamp
            }
        }

        public var contact: Contact
        /// Nil where nothing has been told of it.
        public var presence: Presence?
        public var isTyping: Bool
        public var unreadCount: Int
        public var newest: Newest?
        /// Their standing in the shared room; nil where it is not known (yet).
        public var membership: Membership?
        /// By which they go in the shared room.
        public var displayName: RemoteText?

        public init(
            contact: Contact, presence: Presence? = nil, isTyping: Bool = false, unreadCount: Int = 0,
            newest: Newest? = nil, membership: Membership? = nil, displayName: RemoteText? = nil
        ) {
            self.contact = contact
            self.presence = presence
            self.isTyping = isTyping
            self.unreadCount = unreadCount
            self.newest = newest
            self.membership = membership
            self.displayName = displayName
        }

        public var id: UserID { contact.user.chatID }
        /// The account's name where that of the room says nothing.
        public var name: RemoteText {
            guard let displayName, Visible.hasAnything(displayName.unsanitised) else { return contact.user.name }
            return displayName
        }
        /// They are not in the shared room any more.
        public var hasLeft: Bool { membership == .leave || membership == .ban }
    }

    /// Who is meant by a row's number, a name, an id or an address.
    public enum ChosenContact: Equatable, Sendable {
        /// The person, the room shared with them where there is one, and all names among which theirs is to be told apart.
        case found(UserID, RoomID?, people: [UserID: RemoteText])
        /// Nobody goes by that text.
        case nobody(String)
        /// Several people go by that name.
        case ambiguous(String, [UserID])
        case noSuchRow(Int, count: Int)
    }

    /// Why nobody was added.
    public enum CreateFault: Equatable, Sendable {
        /// Nothing was typed that could be seen.
        case missing
        case users(UsersError)
    }

    /// Why one's own account was not changed.
    public enum AccountFault: Equatable, Sendable {
        case unfit(FieldFault)
        case users(UsersError)
    }
}
