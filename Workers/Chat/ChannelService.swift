import Models

/// What the chat worker asks of a chat service about rooms that several people share. Every call is one request.
public protocol ChannelService: Sendable {
    func createRoom(_ room: NewRoom) async throws(ChatServiceError) -> RoomID
    /// The room that `alias` leads to; nil where it leads to none.
    func room(named alias: String) async throws(ChatServiceError) -> FoundRoom?
    /// One page of the public list; the first without `since`.
    func publicRooms(since: String?) async throws(ChatServiceError) -> MatrixShapes.PublicRooms
    func invite(_ user: UserID, to room: RoomID) async throws(ChatServiceError)
    func kick(_ user: UserID, from room: RoomID, reason: String) async throws(ChatServiceError)
    func forget(_ room: RoomID) async throws(ChatServiceError)
    func setState(_ type: String, to content: JSONValue, in room: RoomID) async throws(ChatServiceError)
    /// Takes the room out of the public list.
    func unlist(_ room: RoomID) async throws(ChatServiceError)
    func aliases(of room: RoomID) async throws(ChatServiceError) -> [String]
    /// One that is gone already is no failure.
    func removeAlias(_ alias: String) async throws(ChatServiceError)
    /// Those who are in the room or invited to it.
    func presentMembers(of room: RoomID) async throws(ChatServiceError) -> [UserID]
    /// Stores an event that no client shows.
    func announce(
        _ type: String, _ content: JSONValue, in room: RoomID, transaction: TransactionID
    ) async throws(ChatServiceError)
}

/// Where an alias leads.
public struct FoundRoom: Equatable, Sendable {
    public var id: RoomID
    /// Those that know the room.
    public var servers: [String]

    public init(id: RoomID, servers: [String] = []) {
        self.id = id
        self.servers = servers
    }
}

/// A room that is to be made.
public struct NewRoom: Hashable, Sendable {
    public var name: String
    /// The local part of its alias; nil where it is to have none.
    public var alias: String?
    /// Whether people see it, and come in, by invitation only.
    public var isPrivate: Bool

    public init(name: String, alias: String? = nil, isPrivate: Bool = false) {
        self.name = name
        self.alias = alias
        self.isPrivate = isPrivate
    }
}

/// The event by which those in General hear that the public list is another: nothing in Matrix tells people of a room
/// that they are not in.
enum ChannelAnnouncement {
    static let type = "org.words.channels"

    /// - Parameter deleted: The channel that is gone for good; nil where one was made.
    static func content(deleted room: RoomID?) -> JSONValue {
        .object(room.map { ["org.words.deleted_room": .string($0.raw)] } ?? [:])
    }
}

/// The alias of a public channel, made from its name, so that the server itself refuses a name that is taken.
enum ChannelAlias {
    static let general = "general"
    /// An alias may have 255 bytes with the server's name in it.
    private static let limit = 180

    /// `Tea  Time` and `tea time` have the same: `tea-time`.
    static func localPart(for name: String) -> String {
        let words = name.lowercased().split { $0.isWhitespace || $0 == ":" || $0 == "/" || $0 == "#" }
        var alias = ""
        for character in words.joined(separator: "-") {
            guard alias.utf8.count + character.utf8.count <= limit else { break }
            alias.append(character)
        }
        // General's own is never another's.
        if alias.isEmpty || alias == general { return alias + "-channel" }
        return alias
    }
}
