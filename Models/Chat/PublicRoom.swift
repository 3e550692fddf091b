/// A room of the public list, which people need not be in to see it.
public struct PublicRoom: Equatable, Sendable {
    public var id: RoomID
    public var name: RemoteText?
    public var alias: String?
    public var joinedCount: Int?
    /// Who made it, where the server tells.
    public var creator: UserID?
    public var creatorName: RemoteText?

    public init(
        id: RoomID, name: RemoteText? = nil, alias: String? = nil, joinedCount: Int? = nil, creator: UserID? = nil,
        creatorName: RemoteText? = nil
    ) {
        self.id = id
        self.name = name
        self.alias = alias
        self.joinedCount = joinedCount
        self.creator = creator
        self.creatorName = creatorName
    }
}

extension ChatState {
    /// Whether `room` is the channel that everybody is in.
    public func isGeneral(_ room: RoomState) -> Bool {
        general.map { $0 == room.id } ?? (room.canonicalAlias == generalAlias)
    }

    /// The channel that everybody is in, where one is in it.
    public var generalRoom: RoomState? {
        if let general { return rooms[general].flatMap { $0.membership == .join ? $0 : nil } }
        return rooms.values.first { $0.membership == .join && $0.canonicalAlias == generalAlias }
    }
}

extension Identifier where Kind == UserKind {
    /// The part behind the first `:`; empty where the form is another.
    public var serverName: String {
        raw.firstIndex(of: ":").map { String(raw[raw.index(after: $0)...]) } ?? ""
    }
}
