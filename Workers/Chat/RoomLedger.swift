import Models

/// What the client must remember of a room beside what is shown of it.
struct RoomLedger: Equatable, Sendable {
    /// Every event that has been through here, shown or not, so that none is taken twice.
    var known: Set<EventID> = []
    /// Where `/messages` goes on into events older than the first known one; nil where there are none.
    var olderPosition: String?
    /// State events that were worked in, as state or in the timeline: a batch that comes again, perhaps with other news,
    /// must not undo what followed them.
    var appliedState: Set<EventID> = []
    /// What the newest edit of each message says.
    var edits: [EditKey: Message] = [:]
    /// What was taken back before it came.
    var redacted: Set<EventID> = []
    /// Gaps that are still to be filled, by the id of their timeline item.
    var gaps: [EventID: Gap] = [:]
    /// One's own read receipt, as far as is known.
    var readUpTo: EventID?
    /// Set by an invitation to a room for two that one had not left before.
    var directInviter: UserID?
    /// Whether only what lists need has been read from the store: news may not be worked in before the rest is here.
    var isPartial = false
    /// Whether the store has more above the first item.
    var hasStoredOlder = false

    /// Only its sender may edit a message, so an edit of somebody else's changes nothing.
    struct EditKey: Hashable, Sendable {
        var target: EventID
        var sender: UserID
    }

    /// Events between `end` and `position` are missing; filled from `position` backwards.
    struct Gap: Equatable, Sendable {
        var position: String
        /// The position up to which all was known; nil where only known events tell.
        var end: String?
        /// So much is missing that the rest waits until older events are asked for.
        var isDeferred = false
    }
}

/// The chat as the client knows it: what is shown, and what must be remembered to keep it right.
///
/// Reduction is pure: the same batch gives the same state, and a batch applied twice changes nothing.
struct ChatLedger: Equatable, Sendable {
    var state: ChatState
    var rooms: [RoomID: RoomLedger] = [:]
    /// What is not stored yet, as it is stored.
    var unsaved = UnsavedChat()
    /// Presences as they were stored: true again once the first batch has told what has changed since.
    var storedPresences: [UserID: Presence] = [:]
    /// Those in `state.deletionsAnnounced`, the newest last.
    var announcedDeletions: [RoomID] = []
    /// More than anybody deletes; made-up ones would have no end.
    static let announcedDeletionsKept = 1_000
    /// In bytes. Matrix, "Identifier Grammar".
    static let longestID = 255

    init(ownID: UserID) { state = ChatState(ownID: ownID) }

    /// Nobody's typing is known any more, and whether people are there is what it was.
    mutating func goOffline(_ connection: Connection) -> Set<ChatUpdate.Change> {
        var changes: Set<ChatUpdate.Change> = []
        if state.connection != connection {
            state.connection = connection
            changes.insert(.connection)
        }
        for (id, room) in state.rooms where !room.typing.isEmpty {
            state.rooms[id]?.typing = []
            changes.insert(.typing(id))
        }
        return changes
    }
}
