/// All that one signed-in person's client knows of the chat: a value, replaced by each batch of news.
public struct ChatState: Equatable, Sendable {
    public var ownID: UserID
    public var connection: Connection
    /// Whether the first sync of this run, or a stored one, has been applied.
    public var hasSynced: Bool
    public var rooms: [RoomID: RoomState]
    public var presences: [UserID: Presence]
    /// `m.direct`: the rooms shared with one person each.
    public var directRooms: [UserID: [RoomID]]
    /// The channel that everybody is in, once the server has said which room that is.
    public var general: RoomID?
    /// The alias of that channel.
    public var generalAlias: String
    /// Channels that somebody has announced as deleted in this run, and who: true only of whoever made the channel.
    public var deletionsAnnounced: [RoomID: UserID] = [:]
    /// What of this cannot be kept on this machine, or could not be found again, for the screen; nil where all is well.
    public var storageFault: String?

    public init(ownID: UserID) {
        self.ownID = ownID
        generalAlias = "#general:\(ownID.serverName)"
        connection = .connecting
        hasSynced = false
        rooms = [:]
        presences = [:]
        directRooms = [:]
    }
}

/// Whether the news is current.
public enum Connection: Equatable, Sendable {
    case connecting
    case online
    /// The server cannot be reached or asks to wait; tried again at `retryAt`.
    case offline(reason: NetworkFault, retryAt: Timestamp?)
    /// The session is over; nothing is tried any more.
    case ended
}

/// Why a request got no usable answer.
public enum NetworkFault: Error, Equatable, Sendable {
    /// Nobody answers there: connection refused, no such host, no route.
    case unreachable
    case timedOut
    /// The connection broke before the answer was whole.
    case interrupted
    /// The server asks to wait this long.
    case limited(retryAfter: Duration?)
    /// An answer that is none of the service's: a proxy's page, broken JSON, a 5xx.
    case serverFault(status: Int)
    /// The encrypted connection could not be trusted; `cause` is the system's word for it.
    case untrusted(cause: RemoteText)
    /// Somebody answers there who is no chat server; `what` says who and how.
    case noChatServer(RemoteText)
}
