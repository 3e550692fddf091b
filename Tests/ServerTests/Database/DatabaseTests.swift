import Foundation
import Models
import SQLite
import Testing

@testable import Server

@Suite("Database")
struct DatabaseTests {
    private let folder = ScratchFolder()
    private var path: String { folder.url.appending(path: "words.db").path }

    @Test("what arrives while a transaction is open goes into the next one together")
    func group() async throws {
        let database = try Database(path: path)
        try await database.write { try $0.execute("CREATE TABLE notes (text TEXT)") }
        let writer = Writer(try SQLiteConnection(path: path))
        let (entered, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let seen = Locked<[Int64]>([])
        let file = path

        await withCheckedContinuation { continuation in
            writer.add(
                Self.job { _ in
                    entered.signal()
                    gate.wait()
                })
            entered.wait()
            for text in ["a", "b", "c"] {
                writer.add(Self.job { try $0.run("INSERT INTO notes VALUES (?)", text) })
            }
            writer.add(
                Self.job { connection in
                    let own = try connection.first("SELECT COUNT(*) FROM notes") { $0.integer(0) } ?? -1
                    let other = try SQLiteConnection(path: file).first("SELECT COUNT(*) FROM notes") { $0.integer(0) }
                    seen.withLock { $0 = [own, other ?? -1] }
                } finished: {
                    continuation.resume()
                })
            gate.signal()
        }

        #expect(seen.withLock { $0 } == [3, 0])
        #expect(try await database.read { try $0.first("SELECT COUNT(*) FROM notes") { $0.integer(0) } } == 3)
    }

    @Test("the failure of one undoes nothing of another in the same transaction")
    func parts() async throws {
        struct Refused: Error {}
        let database = try Database(path: path)
        try await database.write { try $0.execute("CREATE TABLE notes (number INTEGER)") }

        let failures = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<40 {
                group.addTask {
                    do {
                        try await database.write { connection in
                            try connection.run("INSERT INTO notes VALUES (?)", number)
                            if number % 2 == 1 { throw Refused() }
                        }
                        return false
                    } catch { return error is Refused }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }

        #expect(failures == 20)
        let numbers = try await database.read { try $0.rows("SELECT number FROM notes ORDER BY 1") { $0.integer(0) } }
        #expect(numbers == (0..<40).filter { $0 % 2 == 0 })
    }

    @Test("news is told after the commit and before the write returns")
    func published() async throws {
        let database = try Database(path: path)
        try await database.write { try $0.execute("CREATE TABLE notes (number INTEGER)") }
        let told = Locked<[String]>([])
        let file = path

        try await database.write {
            try $0.run("INSERT INTO notes VALUES (1)")
        } published: { _ in
            let count = try? SQLiteConnection(path: file).first("SELECT COUNT(*) FROM notes") { $0.integer(0) }
            told.withLock { $0.append("published, readable: \(count ?? -1)") }
        }
        told.withLock { $0.append("returned") }

        #expect(told.withLock { $0 } == ["published, readable: 1", "returned"])
    }

    @Test("a commit survives the end of the process: copied files open and hold it")
    func durable() async throws {
        let database = try Database(path: path)
        try await database.write { try $0.execute("CREATE TABLE notes (number INTEGER); INSERT INTO notes VALUES (7)") }
        let copy = ScratchFolder()

        for name in ["words.db", "words.db-wal"] {
            try FileManager.default.copyItem(
                at: folder.url.appending(path: name), to: copy.url.appending(path: name))
        }

        let reopened = try Database(path: copy.url.appending(path: "words.db").path)
        #expect(try await reopened.read { try $0.rows("SELECT number FROM notes") { $0.integer(0) } } == [7])
    }

    @Test("the one who writes waits for the disk with every commit, in a log beside the file")
    func synced() async throws {
        let database = try Database(path: path)

        let settings = try await database.write { connection in
            [
                try connection.first("PRAGMA journal_mode") { $0.text(0) },
                try connection.first("PRAGMA synchronous") { String($0.integer(0)) },
            ]
        }

        #expect(settings == ["wal", "2"], "2 is FULL")
    }

    @Test("a database of a newer version is refused and not touched")
    func newer() async throws {
        let database = try Database(path: path)
        try await database.write { try $0.execute("PRAGMA user_version = 99") }
        await database.close()
        let before = try folder.contents()

        #expect(throws: DatabaseError.newer(found: 99, known: Schema.version)) { _ = try Database(path: path) }

        #expect(try folder.contents() == before)
    }

    @Test("a database of the first version gets what later ones have")
    func older() async throws {
        let database = try Database(path: path)
        try await database.write {
            try $0.execute(
                """
                DROP INDEX tokens_by_expiry; ALTER TABLE sessions DROP COLUMN last_seen_address;
                PRAGMA user_version = 1
                """)
        }
        await database.close()

        let upgraded = try Database(path: path)

        let addresses = try await upgraded.read { try $0.rows("SELECT last_seen_address FROM sessions") { $0.text(0) } }
        #expect(addresses == [])
        let plan = try await upgraded.read {
            try $0.rows("EXPLAIN QUERY PLAN SELECT session_id FROM tokens WHERE expires_at < 1") { $0.text(3) }
        }
        #expect(plan.contains { $0.contains("SEARCH tokens USING COVERING INDEX tokens_by_expiry") }, "\(plan)")
        #expect(try await upgraded.read { try $0.rows("PRAGMA user_version") { $0.integer(0) } } == [3])
        await upgraded.close()
    }

    @Test("a file that is no database is told to be damaged")
    func damaged() throws {
        try Data(repeating: 0x41, count: 8_192).write(to: URL(filePath: path))

        let error = #expect(throws: DatabaseError.self) { _ = try Database(path: path) }

        guard case .corrupt = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("a folder that is not there is named")
    func noFolder() {
        let error = #expect(throws: DatabaseError.self) { _ = try Database(path: "/nowhere/at/all/words.db") }

        #expect(error?.description.contains("/nowhere/at/all/words.db") == true)
    }

    @Test("a full disk fails the write with that reason, and all is well once there is room")
    func full() async throws {
        let database = try Database(path: path)
        try await database.write { try $0.execute("CREATE TABLE notes (data BLOB)") }
        let limit = try await database.write { connection in
            let pages = try connection.first("PRAGMA page_count") { $0.integer(0) } ?? 0
            try connection.execute("PRAGMA max_page_count = \(pages + 2)")
            return pages
        }
        let bulk = [UInt8](repeating: 1, count: 100_000)

        await #expect(throws: DatabaseError.diskFull) {
            try await database.write { try $0.run("INSERT INTO notes VALUES (?)", bulk) }
        }

        #expect(try await database.read { try $0.rows("SELECT 1 FROM notes") { $0.integer(0) } } == [])
        try await database.write { try $0.execute("PRAGMA max_page_count = \(limit + 1_000)") }
        try await database.write { try $0.run("INSERT INTO notes VALUES (?)", bulk) }
        #expect(try await database.read { try $0.rows("SELECT 1 FROM notes") { $0.integer(0) } } == [1])
    }

    @Test("closing finishes what was asked before and refuses what comes after")
    func close() async throws {
        let database = try Database(path: path)
        async let before: Void = database.write { try $0.execute("CREATE TABLE notes (number INTEGER)") }
        try await before

        await database.close()

        await #expect(throws: DatabaseError.closed) { try await database.write { _ in } }
        await #expect(throws: DatabaseError.closed) { try await database.read { _ in } }
    }

    private static func job(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> Void, finished: @escaping @Sendable () -> Void = {}
    ) -> WriteJob {
        WriteJob(body: body, published: { _ in }, finished: { _ in finished() })
    }
}

/// A folder that goes with its owner.
final class ScratchFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "words-\(UUID().uuidString)")

    init() { try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func contents() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
        return try Dictionary(uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: url.appending(path: $0))) })
    }
}
