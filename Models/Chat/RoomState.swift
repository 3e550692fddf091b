/// One room as this client knows it.
public struct RoomState: Equatable, Sendable {
    /// How far a channel has been taken away for good.
    public enum Deletion: Int64, Sendable {
        case none
        /// Its creator has said so.
        case marked
        /// One has left it, and the server has forgotten that one was there.
        case forgotten
    }

    public var id: RoomID
    /// One's own standing in the room.
    public var membership: Membership
    /// `m.room.name`, where set and not empty.
    public var name: RemoteText?
    public var canonicalAlias: String?
    public var joinRule: String?
    public var creator: UserID?
    public var inviter: UserID?
    /// Those known so far, in every standing.
    public var members: [UserID: Member]
    public var heroes: [UserID]
    public var joinedCount: Int?
    public var invitedCount: Int?
    public var timeline: Timeline
    /// Others who are typing now.
    public var typing: Set<UserID>
    /// By the server's count.
    public var unreadCount: Int
    /// Whether it is, or an invitation said that it was to be, a room shared with one person.
    public var isDirect: Bool
    /// What is said there is encrypted from now on, and Words cannot read or write that.
    public var isEncrypted: Bool
    /// The room that has taken this one's place.
    public var replacement: RoomID?
    public var deletion: Deletion
    /// It is in no list any more.
    public var isDeleted: Bool { deletion != .none }

    public init(id: RoomID, membership: Membership) {
        self.id = id
        self.membership = membership
        members = [:]
        heroes = []
        timeline = Timeline()
        typing = []
        unreadCount = 0
        isDirect = false
        isEncrypted = false
        deletion = .none
    }
}

/// What happened in a room, in the server's order, and what of one's own is still on its way.
public struct Timeline: Equatable, Sendable {
    /// Oldest first, in server order; no event twice.
    public var items: [TimelineItem]
    /// One's own messages that the server has not confirmed, in the order of sending. They stand below `items`.
    public var outgoing: [OutgoingMessage]
    /// Whether the server has older events than the first of `items`.
    public var hasOlder: Bool

    /// What a list shows of the room.
    public var newestMessage: TimelineItem? {
        items.last { item in
            if case .message = item.content { return true }
            return false
        }
    }

    public init(items: [TimelineItem] = [], outgoing: [OutgoingMessage] = [], hasOlder: Bool = false) {
        self.items = items
        self.outgoing = outgoing
        self.hasOlder = hasOlder
    }
}

/// One line of a conversation: what an event shows, or a gap.
public struct TimelineItem: Equatable, Sendable {
    public enum Content: Equatable, Sendable {
        case message(Message)
        case joined(UserID)
        case left(UserID)
        /// Events between the two neighbours are missing and could not be fetched yet.
        case gap
    }

    /// The event's id; of a gap, the id of the event below it with a mark.
    public var id: EventID
    public var sender: UserID
    /// By the server's clock; nil where the event bears no readable time.
    public var timestamp: Timestamp?
    public var content: Content
    /// Set on one's own events sent from this device.
    public var transactionID: TransactionID?

    public init(
        id: EventID, sender: UserID, timestamp: Timestamp?, content: Content, transactionID: TransactionID? = nil
    ) {
        self.id = id
        self.sender = sender
        self.timestamp = timestamp
        self.content = content
        self.transactionID = transactionID
    }
}

/// What a message says.
public struct Message: Equatable, Sendable {
    /// `encrypted` says nothing that could be shown; its body is empty.
    public enum Kind: Equatable, Sendable { case text, emote, notice, media, encrypted }

    public var kind: Kind
    public var body: RemoteText

    public init(kind: Kind = .text, body: RemoteText) {
        self.kind = kind
        self.body = body
    }
}

/// A message of one's own between the key press and the server's event id.
public struct OutgoingMessage: Equatable, Sendable {
    /// How far it has come; only the server's event id makes it sent.
    public enum State: Equatable, Sendable {
        /// Its first attempt is under way.
        case sending
        /// An attempt failed in a way that may pass; another follows.
        case waiting
        /// It will not be tried again unless asked to.
        case failed(SendFailure)
        /// The server has it; its event has not come by yet.
        case sent(EventID)
    }

    public var transactionID: TransactionID
    public var body: RemoteText
    public var createdAt: Timestamp
    public var state: State

    public init(transactionID: TransactionID, body: RemoteText, createdAt: Timestamp, state: State) {
        self.transactionID = transactionID
        self.body = body
        self.createdAt = createdAt
        self.state = state
    }
}

/// Why a message will not be sent.
public enum SendFailure: Error, Equatable, Sendable {
    case tooLarge
    /// The server refuses; its own words.
    case refused(RemoteText)
    case notMember
    case sessionEnded
}
