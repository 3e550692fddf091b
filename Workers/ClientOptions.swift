import Models

/// How a client is put together.
public struct ClientOptions: Sendable {
    /// Whether the server runs in this process and tells the shared activity which polls it holds.
    public enum PollAccounting: Sendable { case counted, uncounted }

    /// The OAuth client of the tutorial's contract.
    public var clientID: Int
    public var clientSecret: Secret?
    /// Whether plain http may be spoken to hosts other than this machine.
    public var allowsInsecure: Bool
    public var polls: PollAccounting
    /// How long the server is asked to hold a poll that has no news.
    public var pollHold: Duration
    /// Whether people of a homeserver that is not Words' own join its channel `general` too, and make it where there is
    /// none. On a Words server they always do.
    public var generalChannel: Bool
    /// How much text of a batch's rooms is read, worked in and stored at a time, in bytes.
    public var partSize = MatrixShapes.Sync.partSize
    /// What that channel is called.
    public var general = GeneralChannel()
    /// How many characters, as people see them, a message in a channel may have; at least 1. Messages to a contact have
    /// no such limit.
    public var messageLimit: Int

    public init(
        clientID: Int = 2, clientSecret: Secret? = nil, allowsInsecure: Bool = false,
        polls: PollAccounting = .uncounted, pollHold: Duration = .seconds(30),
        generalChannel: Bool = false, messageLimit: Int = 256
    ) {
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.allowsInsecure = allowsInsecure
        self.polls = polls
        self.pollHold = pollHold
        self.generalChannel = generalChannel
        self.messageLimit = messageLimit
    }
}

/// The channel that everybody is in.
public struct GeneralChannel: Equatable, Sendable {
    /// The local part of its alias.
    public var alias: String
    public var name: String

    public init(alias: String = "general", name: String = "General Channel") {
        self.alias = alias
        self.name = name
    }
}

/// One person's client: what scenes are given, and what only the host of the process may tell it.
public struct Client: Sendable {
    public let users: any UsersWorkerLogic
    public let chat: any ChatWorkerLogic
    /// Told when the network may be back: what waits for a back-off is tried now.
    public let networkReturned: @Sendable () async -> Void
    /// Returns once all that the server knew before the call has been applied and shown, and says whether that took a
    /// request. One at a time of each account.
    public let fence: @Sendable () async -> Bool
    /// Who is signed in.
    public let person: @Sendable () async -> User?
    /// Makes a request as another client of the same person would.
    public let request: @Sendable (MatrixRequest) async throws(ChatServiceError) -> MatrixAnswer
}
