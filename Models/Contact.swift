/// A person one chats with, and the one private room shared with them.
public struct Contact: Equatable, Sendable {
    public var user: User
    public var room: Room

    public init(user: User, room: Room) {
        self.user = user
        self.room = room
    }
}

/// A chat room as the Words API lists it.
public struct Room: Equatable, Sendable {
    public var id: RoomID
    public var name: RemoteText?
    public var createdByID: UserID?
    public var isPrivate: Bool
    public var createdAt: Timestamp?
    public var updatedAt: Timestamp?

    public init(
        id: RoomID, name: RemoteText? = nil, createdByID: UserID? = nil, isPrivate: Bool = true,
        createdAt: Timestamp? = nil, updatedAt: Timestamp? = nil
    ) {
        self.id = id
        self.name = name
        self.createdByID = createdByID
        self.isPrivate = isPrivate
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}
