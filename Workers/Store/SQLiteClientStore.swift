import Foundation
import Models
import SQLite

/// Where faults of the disk are put between a store and its file.
struct StoreFaults: Sendable {
    /// Called before each statement that writes; what it throws counts as SQLite's own failure.
    var beforeWriting: @Sendable () throws(SQLiteError) -> Void = {}
}

/// A store in a file of SQLite.
///
/// The file is opened when it is first needed; while that fails, every call tries again. A file that turns out to be
/// damaged is set aside under another name, the unsent messages that can still be read from it are taken over, and
/// `load` says so.
actor SQLiteClientStore: ClientStore {
    nonisolated let file: StoreFile
    private let owner: String
    private let clock: any WallClock
    private let faults: StoreFaults
    private let executor = QueueExecutor("words.store")
    private var connection: SQLiteConnection?
    private var isWiped = false
    private var notice: String?
    private var isStartingAnew = false
    /// The numbers that stand for rooms in the file.
    var numbers: [RoomID: Int64] = [:]
    private var isSynchronousFull = true

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// `owner` is written into the file: one that belongs to somebody else is not used.
    init(file: StoreFile, owner: String, clock: any WallClock, faults: StoreFaults = StoreFaults()) {
        self.file = file
        self.owner = owner
        self.clock = clock
        self.faults = faults
    }

    func load() async throws(StoreFailure) -> StoredChat {
        var chat: StoredChat
        do { chat = try reading(readChat) } catch {
            guard error.kind == .damaged else { throw error }
            chat = try reading(readChat)
        }
        chat.notice = notice
        notice = nil
        return chat
    }

    func timeline(of room: RoomID) async throws(StoreFailure) -> StoredTimeline? {
        try reading { try readTimeline(of: room, $0) }
    }

    func items(in room: RoomID, above event: EventID, limit: Int) async throws(StoreFailure) -> StoredPage {
        try reading { try readItems(in: room, above: event, limit: limit, $0) }
    }

    func contacts() async throws(StoreFailure) -> [Contact]? {
        try reading(readContacts)
    }

    func save(_ changes: StoreChanges) async throws(StoreFailure) {
        guard !changes.isEmpty else { return }
        try writing(isDurable: changes.isDurable) { try write(changes, $0) }
    }

    func save(_ contacts: [Contact]) async throws(StoreFailure) {
        try writing(isDurable: false) { try write(contacts, $0) }
    }

    func wipe() async {
        isWiped = true
        connection = nil
        file.remove()
    }

    /// Every statement that writes goes through here.
    func run(
        _ connection: SQLiteConnection, _ text: StaticString, _ values: any SQLiteBindable...
    ) throws(SQLiteError) {
        try faults.beforeWriting()
        try connection.run(text, values: values)
    }
}

extension SQLiteClientStore {
    private func reading<Result>(_ body: (SQLiteConnection) throws -> Result) throws(StoreFailure) -> Result {
        let connection = try opened()
        do { return try body(connection) } catch { throw try handled(error) }
    }

    /// After damage the next call finds a new file.
    private func handled(_ error: any Error) throws(StoreFailure) -> StoreFailure {
        let failure = failure(error)
        if failure.kind == .damaged { try startAnew(after: failure) }
        return failure
    }

    private func writing(isDurable: Bool, _ body: (SQLiteConnection) throws -> Void) throws(StoreFailure) {
        let connection = try opened()
        let numbersBefore = numbers
        do {
            if isDurable != isSynchronousFull {
                try connection.execute(isDurable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
                isSynchronousFull = isDurable
            }
            try connection.transaction { try body(connection) }
        } catch {
            numbers = numbersBefore
            throw try handled(error)
        }
    }

    private func failure(_ error: any Error) -> StoreFailure {
        switch error {
        case let error as StoreFailure: error
        case let error as SQLiteError: file.failure(error)
        default: StoreFailure(kind: .unavailable, message: "Cannot use \(file.path): \(error)")
        }
    }

    private func opened() throws(StoreFailure) -> SQLiteConnection {
        if isWiped { throw StoreFailure(kind: .wiped, message: "The session is over") }
        if let connection { return connection }
        let fresh: SQLiteConnection
        do { fresh = try open() } catch {
            guard error.kind == .damaged, !isStartingAnew else { throw error }
            try startAnew(after: error)
            return try opened()
        }
        connection = fresh
        return fresh
    }

    private func open() throws(StoreFailure) -> SQLiteConnection {
        let fresh = try file.open()
        isSynchronousFull = true
        do {
            numbers = try Self.readNumbers(fresh)
            let found = try fresh.first("SELECT value FROM facts WHERE name = 'owner'") { $0.text(0) }
            if found == nil {
                try run(fresh, "INSERT INTO facts VALUES ('owner', ?)", owner)
            } else if found != owner {
                throw StoreFailure(
                    kind: .unavailable, message: "\(file.path) belongs to another session. Move it away to go on")
            }
        } catch { throw failure(error) }
        return fresh
    }

    /// Puts the damaged file aside, and takes over what it still tells of unsent messages.
    private func startAnew(after failure: StoreFailure) throws(StoreFailure) {
        isStartingAnew = true
        defer { isStartingAnew = false }
        connection = nil
        let aside = try file.setAside(at: clock.now)
        let fresh = try open()
        connection = fresh
        let rescued = Self.rescue(from: aside)
        if !rescued.isEmpty {
            try writing(isDurable: true) { connection in
                for message in rescued { try put(message, connection) }
            }
        }
        let unsent =
            switch rescued.count {
            case 0: "Messages that had not been sent may be lost"
            case 1: "One unsent message was found in it and is kept; others may be lost"
            default: "\(rescued.count) unsent messages were found in it and are kept; others may be lost"
            }
        notice = "\(failure.message). It was moved to \(aside), and a new one was begun. \(unsent)"
    }

    /// As many as can be read, in order.
    private static func rescue(from path: String) -> [StoredMessage] {
        guard let damaged = try? SQLiteConnection(path: path, mode: .readWrite) else { return [] }
        // Tables that cannot be read are passed over; the messages' own may be well.
        try? damaged.execute("PRAGMA writable_schema = ON")
        let found = Locked<[StoredMessage]>([])
        _ = try? damaged.rows(
            """
            SELECT room, transaction_id, body, content, created_at, state, event, reason FROM outbox ORDER BY number
            """
        ) { row in
            let message = StoreRows.message(row)
            found.withLock { $0.append(message) }
        }
        return found.withLock { $0 }
    }
}
