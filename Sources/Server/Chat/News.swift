import Models

/// What one committed write means to people who wait for news.
struct News: Sendable {
    struct Standing: Sendable {
        var room: RoomID
        var user: UserID
        var record: MembershipRecord
    }

    /// The newest position that was given.
    var position: Int64 = 0
    /// The newest event of each room.
    var events: [RoomID: Int64] = [:]
    /// The newest receipt of each room.
    var receipts: [RoomID: Int64] = [:]
    var standings: [Standing] = []
    /// The newest account data of each person.
    var accountData: [UserID: Int64] = [:]
    /// People whose name or picture has changed.
    var renamed: Set<UserID> = []
    /// Whether stored events have changed, as by a redaction.
    var changesEvents = false

    var isEmpty: Bool { position == 0 && standings.isEmpty && renamed.isEmpty && !changesEvents }
}
