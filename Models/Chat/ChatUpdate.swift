/// News for the scenes: the whole state as it is now, and what has changed in it.
public struct ChatUpdate: Equatable, Sendable {
    /// What has become different, and where.
    public enum Change: Hashable, Sendable {
        case connection
        /// The first sync has been applied.
        case synced
        /// A room came, went, or changed its name, members, unread count or last message.
        case room(RoomID)
        case timeline(RoomID)
        case typing(RoomID)
        case presence(UserID)
        /// `m.direct` changed: contacts are to be fetched again.
        case contacts
        /// A public channel came or went that one need not be in: the public list is to be fetched again.
        case channels
        /// `storageFault` changed.
        case storage
        /// The server no longer honours the session; nothing of it stays here.
        case sessionEnded
        /// The session has run out; what is kept of it stays for its owner.
        case sessionExpired
    }

    public var state: ChatState
    public var changes: Set<Change>

    public init(state: ChatState, changes: Set<Change>) {
        self.state = state
        self.changes = changes
    }
}
