/// A person's standing in a room. Matrix client-server API, `m.room.member`.
public enum Membership: String, Sendable, Codable { case join, invite, leave, ban, knock }

/// A person in one room, as they go there.
public struct Member: Equatable, Sendable {
    public var id: UserID
    /// As it came; may be absent, empty, or equal to somebody else's.
    public var displayName: RemoteText?
    public var membership: Membership

    public init(id: UserID, displayName: RemoteText?, membership: Membership) {
        self.id = id
        self.displayName = displayName
        self.membership = membership
    }
}
