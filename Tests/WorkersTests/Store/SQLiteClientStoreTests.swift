import Foundation
import Models
import SQLite
import Testing

@testable import Workers

@Suite("The store in a file")
struct SQLiteClientStoreTests {
    @Test("the folder and every file in it are for their owner only, whatever the umask")
    func modes() async throws {
        let client = StoredClient()
        let before = umask(0)
        defer { umask(before) }

        let store = client.stores.store(of: alice)
        try await store.save(StoreChanges(position: .move(to: "s1")))

        let folder = client.home.path + "/store"
        #expect(try SQLiteFiles.mode(folder) == 0o700)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.contains { $0.hasSuffix("-wal") } && names.contains { $0.hasSuffix("-shm") })
        for name in names { #expect(try SQLiteFiles.mode("\(folder)/\(name)") == 0o600) }
        _ = try await store.load()
    }

    @Test("a file that others could read is closed to them when it is opened")
    func reclosed() async throws {
        let client = StoredClient()
        _ = try await client.stored()
        chmod(client.file.path, 0o644)

        _ = try await client.stored()

        #expect(try SQLiteFiles.mode(client.file.path) == 0o600)
    }

    @Test("each person on each server has a file of their own, whose name tells neither")
    func names() {
        let home = URL(fileURLWithPath: "/nowhere")
        let keys = ["http://a", "http://b"].flatMap { endpoint in
            [SessionKey(endpoint: endpoint, kind: .words), SessionKey(endpoint: endpoint, kind: .matrix)]
        }

        let paths = keys.flatMap { key in [alice, bob].map { StoreFile(home: home, key: key, user: $0).path } }

        #expect(Set(paths).count == 8)
        #expect(paths.allSatisfy { !$0.contains("alice") && !$0.contains("http") })
    }

    @Test("a file of another session is not used")
    func foreign() async throws {
        let client = StoredClient()
        _ = try await client.stored()
        let other = SQLiteClientStore(file: client.file, owner: "somebody else", clock: client.clock)

        let failure = await #expect(throws: StoreFailure.self) { try await other.load() }

        #expect(failure?.message.contains("belongs to another session") == true)
    }

    @Test(
        "what is no store is set aside with a line, and a new one is begun",
        arguments: [Data(), Data("hello".utf8), Data(repeating: 0, count: 5_000), Data(repeating: 0x41, count: 5_000)])
    func garbage(_ content: Data) async throws {
        let client = StoredClient()
        _ = try await client.stored()
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: client.file.path + suffix) }
        try content.write(to: URL(fileURLWithPath: client.file.path))

        let chat = try await client.stored()

        let notice = try #require(chat.notice)
        let aside = "\(client.file.path).damaged-\(start.milliseconds)"
        #expect(notice.contains("It was moved to \(aside), and a new one was begun."))
        #expect(try Data(contentsOf: URL(fileURLWithPath: aside)) == content)
        #expect(chat.rooms.isEmpty && chat.position == nil)
        #expect(try await client.stored().notice == nil)
    }

    @Test("unsent messages that can still be read in a damaged file are taken over, and said to be")
    func rescue() async throws {
        let client = StoredClient()
        let store = client.stores.store(of: alice)
        for number in 1...3 { try await store.save(StoreChanges(outbox: [.put(message(number))], isDurable: true)) }
        try SQLiteFiles.execute(
            "PRAGMA wal_checkpoint(TRUNCATE); PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'rooms'",
            client.file.path)

        let chat = try await client.stored()

        #expect(chat.outbox == (1...3).map { message($0) })
        #expect(chat.notice?.contains("3 unsent messages were found in it and are kept") == true)
    }

    @Test("what is wiped is gone, and what is saved afterwards goes nowhere")
    func wiped() async throws {
        let client = StoredClient()
        let stores = client.stores
        let store = stores.store(of: alice)
        try await store.save(StoreChanges(position: .move(to: "s1")))

        await stores.wipe(alice)

        let failure = await #expect(throws: StoreFailure.self) {
            try await store.save(StoreChanges(position: .move(to: "s2")))
        }
        #expect(failure?.kind == .wiped)
        #expect(try FileManager.default.contentsOfDirectory(atPath: client.home.path + "/store").isEmpty)
        #expect(try await stores.store(of: alice).load() == StoredChat())
    }

    @Test("a home that cannot be written to is said, with its path, and tried again with the next call")
    func unwritable() async throws {
        let client = StoredClient()
        try FileManager.default.createDirectory(at: client.folder.url, withIntermediateDirectories: true)
        try Data("a file".utf8).write(to: client.home)
        let store = client.stores.store(of: alice)

        let failure = await #expect(throws: StoreFailure.self) { try await store.load() }
        try FileManager.default.removeItem(at: client.home)

        #expect(failure?.message.contains(client.home.path) == true)
        #expect(try await store.load() == StoredChat())
    }

    @Test("contacts come back as they were fetched; that there are none is known from not knowing")
    func contacts() async throws {
        let client = StoredClient()
        let store = client.stores.store(of: alice)
        let list = [
            Contact(
                user: User(id: 2, name: "Bób", email: "bob@words.test", chatID: bob),
                room: Room(id: lobby, name: "Lobby", createdByID: alice, createdAt: start, updatedAt: start)),
            Contact(
                user: User(id: 3, name: "", email: nil, chatID: alice), room: Room(id: RoomID("!x:y"), isPrivate: false)
            ),
        ]

        let before = try await store.contacts()
        try await store.save(list)
        let fetched = try await client.stores.store(of: alice).contacts()
        try await store.save([])

        #expect(before == nil)
        #expect(fetched == list)
        #expect(try await client.stores.store(of: alice).contacts() == [])
    }

    @Test("every state of a message that outlives the process comes back with its content, byte for byte")
    func outbox() async throws {
        let client = StoredClient()
        let states: [OutgoingMessage.State] = [
            .sending, .waiting, .sent(EventID("$1")), .failed(.tooLarge), .failed(.refused("no \u{1B}[2J")),
            .failed(.notMember),
            .failed(.sessionEnded),
        ]
        let messages = states.enumerated().map { message($0.offset, $0.element) }

        try await client.stores.store(of: alice).save(StoreChanges(outbox: messages.map { .put($0) }))

        var expected = messages
        expected[0].entry.message.state = .waiting
        #expect(try await client.stored().outbox == expected)
    }

    private func message(_ number: Int, _ state: OutgoingMessage.State = .waiting) -> StoredMessage {
        let message = OutgoingMessage(
            transactionID: TransactionID("t\(number)"), body: RemoteText("m\(number)\u{0}\n🙂"), createdAt: start,
            state: state)
        return StoredMessage(
            room: lobby, entry: Outbox.Entry(message: message, content: Data(#"{"body":"m\#(number)"}"#.utf8)))
    }
}
