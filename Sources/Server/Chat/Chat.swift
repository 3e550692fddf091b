import Models
import SQLite

/// The chat service: rooms, events and people on one database, and everybody who waits for news of them.
final class Chat: Sendable {
    let database: Database
    let environment: Environment
    let serverName: String
    /// How long a poll is held at most.
    let pollHold: Duration
    let events = EventCache()
    let unread = Unread()
    let waitingRoom: WaitingRoom
    private let powerCache = PowerCache()
    private let filters = Locked<[String: SyncFilter]>([:])

    /// Reads what has to be in memory; `serverName` is the part of ids after the colon.
    init(
        database: Database, environment: Environment, serverName: String, pollHold: Duration = .seconds(30)
    ) throws(DatabaseError) {
        self.database = database
        self.environment = environment
        self.serverName = serverName
        self.pollHold = pollHold
        let board = try database.readAtOnce { try NewsBoard(recalledFrom: $0) }
        waitingRoom = WaitingRoom(board: board, activity: environment.activity)
    }

    /// Does `body` in a transaction; everybody whom it concerns has been told before this returns.
    @discardableResult
    func write<Result: Sendable>(
        _ body: @escaping @Sendable (ChatTransaction) throws -> Result
    ) async throws -> Result {
        let (serverName, environment, powerCache) = (serverName, environment, powerCache)
        return try await database.write { connection in
            let transaction = ChatTransaction(
                connection: connection, serverName: serverName, environment: environment, powerCache: powerCache)
            let result = try body(transaction)
            return (result, transaction.news)
        } published: { [self] in
            publish($0.1)
        }.0
    }

    func read<Result: Sendable>(_ body: @Sendable (EventReader) throws -> Result) async throws -> Result {
        try await database.read { connection in try body(events.reading(connection)) }
    }

    private func publish(_ news: News) {
        guard !news.isEmpty else { return }
        if news.changesEvents {
            events.forgetAll()
            unread.forgetAll()
        }
        waitingRoom.tell { $0.take(news) }
        for standing in news.standings where standing.record.membership != .join {
            handle(.stopped(standing.user, standing.room))
        }
    }

    func joinedRooms(of user: UserID) -> [RoomID] {
        waitingRoom.look { $0.rooms(of: user).filter { $0.value.membership == .join }.map(\.key) }
    }

    func record(of user: UserID, in room: RoomID) -> MembershipRecord? {
        waitingRoom.look { $0.record(of: user, in: room) }
    }

    func summary(of room: RoomID, for user: UserID) -> RoomSummary {
        waitingRoom.look { $0.summary(of: room, for: user) }
    }

    /// The filter of a sync or of a page: an id given by the server, or the filter itself.
    func filter(_ text: String?, of user: UserID) async throws -> SyncFilter {
        guard let text, !text.isEmpty else { return SyncFilter() }
        let isInline = text.hasPrefix("{")
        let key = isInline ? text : "\(user) \(text)"
        if let known = filters.withLock({ $0[key] }) { return known }
        let content: RawObject
        if isInline {
            content = try RawObject(matrix: .init(text.utf8), numbers: .any)
        } else {
            guard let id = Int64(text), let kept = try await read({ try $0.connection.filter(id, of: user) }) else {
                throw MatrixError.invalidParameter("There is no filter \(text).")
            }
            content = kept
        }
        let filter = try SyncFilter(content.value)
        filters.withLock { filters in
            if filters.count > 1_024 { filters.removeAll() }
            filters[key] = filter
        }
        return filter
    }
}

/// What the rest of the server asks of the chat.
extension Chat: ContactRooms {
    func enterDirectRoom(_ user: UserID, with other: UserID) async throws -> RoomID {
        try await write { try $0.openDirectRoom(by: user, with: other) }
    }

    func leaveDirectRoom(_ room: RoomID, _ user: UserID) async throws {
        try await write { transaction in
            try transaction.leave(room, by: user)
            try transaction.removeDirect(room, of: user)
        }
    }

    func rename(_ user: UserID, to name: String) async throws {
        try await write { try $0.rename(user, to: name) }
    }

    /// The session is over: its polls are answered with `M_UNKNOWN_TOKEN`. Call after its tokens are dead.
    func dropSession(of user: UserID, device: DeviceID) { waitingRoom.drop(user, device) }

    /// Answers all polls and holds none from now on.
    func stop() { waitingRoom.stop() }
}

extension NewsBoard {
    /// What a server that starts has to know.
    init(recalledFrom connection: SQLiteConnection) throws {
        let position = try connection.first("SELECT position FROM stream") { $0.integer(0) } ?? 0
        let boot = try connection.first("SELECT value FROM server WHERE name = 'boots'") { $0.integer(0) } ?? 0
        self.init(position: position, boot: boot)
        let standings = try connection.rows(
            """
            SELECT membership, position, invited_at, joined_at, left_at, is_forgotten, room_id, user_id
            FROM memberships
            """
        ) { News.Standing(room: RoomID($0.text(6)), user: UserID($0.text(7)), record: MembershipRecord($0)) }
        for standing in standings { recall(standing) }
        let rooms = try connection.rows(
            """
            SELECT room_id, (SELECT MAX(position) FROM events e WHERE e.room_id = r.room_id),
                (SELECT MAX(position) FROM receipts p WHERE p.room_id = r.room_id) FROM rooms r
            """
        ) { (RoomID($0.text(0)), $0.integer(1), $0.integer(2)) }
        for (room, event, receipt) in rooms {
            recall(newestEvent: event, of: room)
            recall(newestReceipt: receipt, of: room)
        }
        let data = try connection.rows("SELECT user_id, MAX(position) FROM account_data GROUP BY user_id") {
            (UserID($0.text(0)), $0.integer(1))
        }
        for (user, position) in data { recall(newestAccountData: position, of: user) }
        let people = try connection.rows("SELECT user_id, last_active_at, status_message FROM presence") {
            (UserID($0.text(0)), Timestamp(milliseconds: $0.integer(1)), $0.optionalText(2))
        }
        for (user, time, message) in people { presence.recall(user, lastActiveAt: time, message: message) }
    }
}
