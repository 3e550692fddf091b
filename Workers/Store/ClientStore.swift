import Models

/// What one session keeps on this machine: its unsent messages, what it knows of its rooms, and how far it has synced.
///
/// Each `save` holds as a whole or not at all, also when the process dies or the power fails in its midst. Calls are
/// done one after another, in the order in which they were made.
protocol ClientStore: Sendable {
    /// What lists need: every room with the newest message of each, without its timeline.
    func load() async throws(StoreFailure) -> StoredChat
    /// The newest part of one room's timeline, and what must be remembered to continue it; nil where none is stored.
    func timeline(of room: RoomID) async throws(StoreFailure) -> StoredTimeline?
    /// What is stored above `event`, oldest first, at most `limit` items.
    func items(in room: RoomID, above event: EventID, limit: Int) async throws(StoreFailure) -> StoredPage
    func save(_ changes: StoreChanges) async throws(StoreFailure)

    /// The list that was fetched last; nil where none ever was.
    func contacts() async throws(StoreFailure) -> [Contact]?
    func save(_ contacts: [Contact]) async throws(StoreFailure)

    /// Removes all of it; what is saved afterwards goes nowhere.
    func wipe() async
}

/// Why something could not be kept or read. For people: what happened, to what, what to do next.
struct StoreFailure: Error, Equatable, Sendable {
    enum Kind: Equatable, Sendable { case newer, full, damaged, wiped, unavailable }

    var kind: Kind
    var message: String
}

/// What was there at the start.
struct StoredChat: Equatable, Sendable {
    /// Where the last stored batch ended; nil before the first.
    var position: String?
    /// The timeline of each holds no more than its newest message.
    var rooms: [RoomState] = []
    /// Rooms that have gaps to be filled.
    var roomsWithGaps: [RoomID] = []
    var directRooms: [UserID: [RoomID]] = [:]
    var presences: [UserID: Presence] = [:]
    /// In the order of sending.
    var outbox: [StoredMessage] = []
    /// What has become of an older file, for the screen; nil where nothing has.
    var notice: String?
}

/// A message of one's own that the timeline does not bear yet.
struct StoredMessage: Equatable, Sendable {
    var room: RoomID
    var entry: Outbox.Entry
}

struct StoredTimeline: Equatable, Sendable {
    var items: [TimelineItem] = []
    /// Whether more is stored above `items`.
    var hasOlder = false
    var members: [Member] = []
    var ledger = RoomLedger()
}

struct StoredPage: Equatable, Sendable {
    var items: [TimelineItem]
    var hasOlder: Bool
}

/// What is to be kept, all of it or none.
struct StoreChanges: Equatable, Sendable {
    var outbox: [OutboxChange] = []
    var rooms: [RoomChanges] = []
    var directRooms: [UserID: [RoomID]]?
    var presences: [UserID: Presence] = [:]
    var position: PositionChange?
    /// Whether it has to be on the disk, and not only on its way there, before `save` returns.
    var isDurable = false

    enum PositionChange: Equatable, Sendable {
        case forget
        case move(to: String)
    }

    var isEmpty: Bool {
        outbox.isEmpty && rooms.isEmpty && directRooms == nil && presences.isEmpty && position == nil
    }
}

enum OutboxChange: Equatable, Sendable {
    case put(StoredMessage)
    case remove(TransactionID)
}

/// One room as it is now, and which of its lists are others than those stored.
struct RoomChanges: Equatable, Sendable {
    /// Its timeline and members are not looked at, but for the newest message.
    var room: RoomState
    /// Its sets are not looked at.
    var ledger: RoomLedger
    var members: [Member] = []
    var items: [ItemChange] = []
    var marks: [Mark] = []
    var edits: [RoomLedger.EditKey: Message] = [:]
    var gaps: [EventID: RoomLedger.Gap] = [:]
    var closedGaps: [EventID] = []

    /// A change to the stored timeline; they are made in order.
    enum ItemChange: Equatable, Sendable {
        case remove(EventID)
        case replace(TimelineItem)
        case append([TimelineItem])
        case prepend([TimelineItem])
        case insert([TimelineItem], below: EventID)
    }

    /// An event that shows as no line and has to be remembered all the same.
    struct Mark: Hashable, Sendable {
        enum Kind: Int64, Sendable { case seen = 0, redacted = 1, appliedState = 2 }

        var kind: Kind
        var event: EventID
    }
}

/// Where the stores of one home are found: one for each person on a server.
protocol ClientStores: Sendable {
    func store(of user: UserID) -> any ClientStore
    /// Removes what is kept of that person.
    func wipe(_ user: UserID) async
}
