import Foundation
import Models

/// What the chat worker asks of a chat service. Every call is one request; none tries again by itself, except once
/// after a token that had run out was renewed.
public protocol ChatService: ChannelService {
    /// Client-server API, "Syncing".
    func sync(_ request: SyncRequest) async throws(ChatServiceError) -> MatrixShapes.Sync
    /// Stores a message event. The same transaction id gives the same event, however often it is asked.
    func send(
        _ content: Data, to room: RoomID, transaction: TransactionID
    ) async throws(ChatServiceError) -> EventID
    /// Older events from `position` back, newest first, stopping at `end` where given.
    func messages(
        in room: RoomID, from position: String, to end: String?, limit: Int
    ) async throws(ChatServiceError) -> MatrixShapes.Messages
    /// `servers` are asked for a room that one's own does not know. Client-server API, "Routing".
    func join(_ room: RoomID, via servers: [String]) async throws(ChatServiceError)
    func leave(_ room: RoomID) async throws(ChatServiceError)
    /// `timeout` is how long the server believes it without a repetition.
    func setTyping(_ isTyping: Bool, in room: RoomID, timeout: Duration) async throws(ChatServiceError)
    /// Moves both the read receipt and the "fully read" marker to `event`.
    func markRead(_ event: EventID, in room: RoomID) async throws(ChatServiceError)
    /// Moves the receipt that only one's own server sees.
    func markReadPrivately(_ event: EventID, in room: RoomID) async throws(ChatServiceError)
    func setPresence(_ presence: Presence.State) async throws(ChatServiceError)
    /// Nil where the person has no name.
    func displayName(of user: UserID) async throws(ChatServiceError) -> RemoteText?
    func joinedMembers(of room: RoomID) async throws(ChatServiceError) -> [Member]
    /// One's own account data; nil where nothing is set.
    func accountData(_ type: String) async throws(ChatServiceError) -> JSONValue?
    func setAccountData(_ type: String, to content: JSONValue) async throws(ChatServiceError)
}

/// One request for news.
public struct SyncRequest: Equatable, Sendable {
    /// Where the last applied batch ended; nil for everything.
    public var since: String?
    /// How long the server may hold the request while there is no news.
    public var hold: Duration
    /// The longest the whole exchange may take.
    public var deadline: Duration
    /// By which a server in the same process finds the poll in the shared activity.
    public var pollID: String?

    public init(since: String?, hold: Duration, deadline: Duration, pollID: String? = nil) {
        self.since = since
        self.hold = hold
        self.deadline = deadline
        self.pollID = pollID
    }
}

/// Why a request to the chat service failed, by what can be done about it.
public enum ChatServiceError: Error, Equatable, Sendable {
    /// It may work later: nobody answered, the server had a fault of its own or asks to wait.
    case network(NetworkFault)
    /// The token is refused and cannot be renewed.
    case sessionEnded
    /// The same, but the server keeps the session for whoever signs in again on the same device. Client-server API, "Soft
    /// logout".
    case sessionExpired
    /// Not a member, not allowed; the server's words.
    case forbidden(RemoteText)
    case notFound(RemoteText)
    case tooLarge
    /// The name is another's; the server's words.
    case taken(RemoteText)
    /// Any other refusal that will not pass by itself; the server's words.
    case refused(RemoteText)
}
