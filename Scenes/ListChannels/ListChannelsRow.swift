import Models
import Workers

extension ListChannels {
    /// One channel as the list shows it.
    public struct Row: Equatable, Sendable {
        public enum Kind: Equatable, Sendable { case joined, open, invited }

        public var id: RoomID
        /// From 1, in the order of the list.
        public var number: Int
        public var name: RemoteText
        public var kind: Kind
        public var isPrivate: Bool
        /// `joined`, `public`, `invited by Bob`, `private`.
        public var standingText: RemoteText
        /// `3 members`.
        public var membersText: String
        /// `by Alice`; nil where nobody knows.
        public var creatorText: RemoteText?
        public var unreadCount: Int

        public init(
            id: RoomID, number: Int, name: RemoteText, kind: Kind, isPrivate: Bool = false,
            standingText: RemoteText, membersText: String = "", creatorText: RemoteText? = nil, unreadCount: Int = 0
        ) {
            self.id = id
            self.number = number
            self.name = name
            self.kind = kind
            self.isPrivate = isPrivate
            self.standingText = standingText
            self.membersText = membersText
            self.creatorText = creatorText
            self.unreadCount = unreadCount
        }
    }

    /// One channel with all that is known of it.
    public struct ChannelStanding: Equatable, Sendable {
        public var id: RoomID
        /// Nil where there is neither a name nor people to name it by.
        public var name: RemoteText?
        public var kind: Row.Kind
        public var isPrivate: Bool
        public var isGeneral: Bool
        public var creator: UserID?
        public var inviter: UserID?
        public var memberCount: Int?
        public var unreadCount: Int

        public init(
            id: RoomID, name: RemoteText? = nil, kind: Row.Kind, isPrivate: Bool = false, isGeneral: Bool = false,
            creator: UserID? = nil, inviter: UserID? = nil, memberCount: Int? = nil, unreadCount: Int = 0
        ) {
            self.id = id
            self.name = name
            self.kind = kind
            self.isPrivate = isPrivate
            self.isGeneral = isGeneral
            self.creator = creator
            self.inviter = inviter
            self.memberCount = memberCount
            self.unreadCount = unreadCount
        }

        /// What it goes by.
        public var shownName: RemoteText { name ?? "(no name)" }
    }

    /// Which channel is meant by a row's number, a name or an id.
    public enum ChosenChannel: Equatable, Sendable {
        case found(ChannelStanding)
        case none(String)
        /// Several channels go by that name.
        case ambiguous(String, [RoomID])
        case noSuchRow(Int, count: Int)
    }

    /// Why no channel was made.
    public enum CreateFault: Equatable, Sendable {
        case missing
        case tooLong(limit: Int)
        /// The name of the channel that everybody is in.
        case reserved
        case taken
        case chat(ChatError)
    }

    /// Why what was asked for was not done with a channel.
    public enum ActFault: Equatable, Sendable {
        case notInvited
        case isInvited
        case notCreator
        case general
        case chat(ChatError)
    }
}
