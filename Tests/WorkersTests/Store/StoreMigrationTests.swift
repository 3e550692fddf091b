import Foundation
import Models
import SQLite
import Testing

@testable import Workers

/// Files of the first version of the store, which knew no deleted channels.
@Suite("A store of an older version")
struct StoreMigrationTests {
    /// As version 1 made them. Not to be changed: such files are out there.
    private static let firstTables = """
        CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE rooms (
            number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, membership TEXT NOT NULL, name TEXT, alias TEXT,
            join_rule TEXT, creator TEXT, inviter TEXT, heroes TEXT NOT NULL, joined INTEGER, invited INTEGER,
            unread INTEGER NOT NULL, known_members INTEGER NOT NULL, older_position TEXT, read_up_to TEXT,
            direct_inviter TEXT, newest_id TEXT, newest_sender TEXT, newest_at INTEGER, newest_kind INTEGER,
            newest_text TEXT, newest_transaction TEXT);
        CREATE TABLE members (
            room INTEGER NOT NULL, id TEXT NOT NULL, name TEXT, membership TEXT NOT NULL,
            PRIMARY KEY (room, id)) WITHOUT ROWID;
        CREATE TABLE items (
            room INTEGER NOT NULL, id TEXT NOT NULL, ordinal INTEGER NOT NULL, sender TEXT NOT NULL, at INTEGER,
            kind INTEGER NOT NULL, text TEXT NOT NULL, transaction_id TEXT, PRIMARY KEY (room, id)) WITHOUT ROWID;
        CREATE INDEX items_by_order ON items (room, ordinal);
        CREATE TABLE marks (
            room INTEGER NOT NULL, kind INTEGER NOT NULL, event TEXT NOT NULL,
            PRIMARY KEY (room, kind, event)) WITHOUT ROWID;
        CREATE TABLE edits (
            room INTEGER NOT NULL, target TEXT NOT NULL, sender TEXT NOT NULL, kind INTEGER NOT NULL,
            text TEXT NOT NULL, PRIMARY KEY (room, target, sender)) WITHOUT ROWID;
        CREATE TABLE gaps (
            room INTEGER NOT NULL, id TEXT NOT NULL, position TEXT NOT NULL, ending TEXT, is_deferred INTEGER NOT NULL,
            PRIMARY KEY (room, id)) WITHOUT ROWID;
        CREATE TABLE direct_rooms (
            user TEXT NOT NULL, place INTEGER NOT NULL, room TEXT NOT NULL, PRIMARY KEY (user, place)) WITHOUT ROWID;
        CREATE TABLE presences (id TEXT PRIMARY KEY, state TEXT NOT NULL, last_active_at INTEGER) WITHOUT ROWID;
        CREATE TABLE outbox (
            number INTEGER PRIMARY KEY AUTOINCREMENT, transaction_id TEXT NOT NULL UNIQUE, room TEXT NOT NULL,
            body TEXT NOT NULL, content BLOB NOT NULL, created_at INTEGER NOT NULL, state INTEGER NOT NULL,
            event TEXT, reason TEXT);
        CREATE TABLE contacts (
            place INTEGER PRIMARY KEY, id INTEGER NOT NULL, name TEXT NOT NULL, email TEXT, chat_id TEXT NOT NULL,
            room TEXT NOT NULL, room_name TEXT, room_creator TEXT, is_private INTEGER NOT NULL,
            created_at INTEGER, updated_at INTEGER);
        """

    /// In the order of the tables; the columns of each are in the order of version 1 in both.
    private static let names = [
        "facts", "members", "items", "marks", "edits", "gaps", "direct_rooms", "presences", "outbox", "contacts",
    ]
    private static let firstRoomColumns = """
        number, id, membership, name, alias, join_rule, creator, inviter, heroes, joined, invited, unread,
        known_members, older_position, read_up_to, direct_inviter, newest_id, newest_sender, newest_at, newest_kind,
        newest_text, newest_transaction
        """

    /// All that a client of the first version could keep, and what it reads back of it.
    private struct Kept: Equatable {
        var chat: StoredChat
        var timeline: StoredTimeline?
        var contacts: [Contact]?
    }

    private func kept(_ client: StoredClient) async throws -> Kept {
        let store = client.stores.store(of: alice)
        return Kept(
            chat: try await store.load(), timeline: try await store.timeline(of: lobby),
            contacts: try await store.contacts())
    }

    /// A home with something in every table.
    private func filled() async throws -> StoredClient {
        let client = StoredClient()
        let run = try await client.run(
            batch(
                "s1", timeline: [event("$1", "hi"), event("$2", "ho")],
                state: [member("$0", bob, "join", name: "Bob"), member("$00", alice, "join", name: "Alice")],
                more: #","unread_notifications":{"notification_count":2}"#,
                top: """
                    ,"account_data":{"events":[{"type":"m.direct","content":{"@bob:words.test":["!lobby:words.test"]}}]}
                    """))
        run.service.answer(.failure(.network(.unreachable)))
        await run.activity.idle()
        let store = client.stores.store(of: alice)
        let message = OutgoingMessage(
            transactionID: TransactionID("t1"), body: "unsent", createdAt: start, state: .waiting)
        try await store.save(
            StoreChanges(
                outbox: [
                    .put(
                        StoredMessage(
                            room: lobby,
                            entry: Outbox.Entry(message: message, content: Data(#"{"body":"unsent"}"#.utf8))))
                ], presences: [bob: Presence(state: .online, lastActiveAt: start)], isDurable: true))
        try await store.save([
            Contact(
                user: User(id: 2, name: "Bob", email: "bob@words.test", chatID: bob),
                room: Room(id: lobby, name: "Lobby"))
        ])
        return client
    }

    /// Makes the file of `client` one of version 1, with all that stands in it.
    private func makeFirst(_ client: StoredClient) throws {
        let path = client.file.path
        let old = path + ".old"
        try FileManager.default.moveItem(atPath: path, toPath: old)
        for suffix in ["-wal", "-shm"] {
            try? FileManager.default.moveItem(atPath: path + suffix, toPath: old + suffix)
        }
        #expect(FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]))
        let copies = Self.names.map { "INSERT INTO main.\($0) SELECT * FROM old.\($0);" }.joined(separator: " ")
        try SQLiteFiles.execute(
            """
            PRAGMA journal_mode = WAL; \(Self.firstTables) PRAGMA user_version = 1; ATTACH '\(old)' AS old; \(copies)
            INSERT INTO main.rooms SELECT \(Self.firstRoomColumns) FROM old.rooms;
            """, path)
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: old + suffix) }
    }

    private func version(_ client: StoredClient) throws -> Int64? {
        try SQLiteConnection(path: client.file.path, mode: .readWrite).first("PRAGMA user_version") { $0.integer(0) }
    }

    @Test("a file of version 1 opens with nothing lost, and is of this version from then on")
    func migrates() async throws {
        let client = try await filled()
        let before = try await kept(client)
        try makeFirst(client)
        #expect(try version(client) == 1)

        let after = try await kept(client)

        #expect(after == before)
        #expect(before.chat.position == "s1" && before.chat.rooms.count == 1 && before.chat.outbox.count == 1)
        #expect(before.timeline?.items.count == 2 && before.contacts?.count == 1)
        #expect(after.chat.rooms.first?.deletion == RoomState.Deletion.none)
        #expect(try version(client) == Int64(StoreSchema.version))
        #expect(try await kept(client) == before)
    }

    @Test("what only this version keeps is kept in such a file, too")
    func keepsNewThings() async throws {
        let client = try await filled()
        try makeFirst(client)
        var room = try #require(try await client.stored().rooms.first)
        room.deletion = .marked

        try await client.stores.store(of: alice).save(
            StoreChanges(rooms: [RoomChanges(room: room, ledger: RoomLedger())]))

        #expect(try await client.stored().rooms.first?.deletion == .marked)
    }

    @Test("of two processes that open such a file at once, both find it whole")
    func twoAtOnce() async throws {
        let client = try await filled()
        let before = try await client.stored()
        try makeFirst(client)

        async let first = client.stores.store(of: alice).load()
        async let second = client.stores.store(of: alice).load()
        let both = try await [first, second]

        #expect(both == [before, before])
    }
}
