/// A room that several people share, as one scene tells another of it.
public struct Channel: Equatable, Sendable {
    public var id: RoomID
    public var name: RemoteText

    public init(id: RoomID, name: RemoteText) {
        self.id = id
        self.name = name
    }
}
