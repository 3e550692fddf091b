import Foundation
import Models
import SQLite

/// The server's one database: a writer whose commits are durable and shared, and readers that never wait for it.
///
/// What is written is synced to the disk before `write` returns (WAL, `synchronous=FULL`). What arrives while one
/// transaction is being synced goes into the next one together, so that many writers cost hardly more than one.
package final class Database: Sendable {
    let path: String
    private let writer: Writer
    private let readers: [Reader]
    /// How many reads each reader has to do.
    private let load: Locked<[Int]>

    /// Opens the database in the file at `path` and brings it to the newest schema.
    package init(path: String, readers count: Int = 4) throws(DatabaseError) {
        self.path = path
        try Self.refuseNewer(path)
        let connection: SQLiteConnection
        do {
            connection = try SQLiteConnection(path: path)
            try Self.prepare(connection, path)
        } catch let error as DatabaseError {
            throw error
        } catch let error as SQLiteError where error.kind == .cannotOpen {
            throw .cannotOpen(path: path, reason: error.message)
        } catch let error as SQLiteError {
            throw DatabaseError(error)
        } catch {
            throw .cannotOpen(path: path, reason: "\(error)")
        }
        writer = Writer(connection)
        readers = (0..<count).map { _ in Reader(path: path) }
        load = Locked(Array(repeating: 0, count: count))
    }

    /// Does `body` in a transaction and returns its result once that is on the disk.
    ///
    /// `body` may share the transaction with others, but if it throws, what it did is undone, and only that.
    /// `published` is called after the commit and before `write` returns, on one thread, in the order of the commits:
    /// who hears of news from it can already read them.
    @discardableResult
    package func write<Result: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> Result,
        published: @escaping @Sendable (Result) -> Void = { _ in }
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            writer.add(WriteJob(body: body, published: published) { continuation.resume(with: $0) })
        }
    }

    /// Does `body` on what had been committed when it began; what is committed meanwhile does not show.
    func read<Result: Sendable>(_ body: @Sendable (SQLiteConnection) throws -> Result) async throws -> Result {
        let index = load.withLock { load in
            let index = load.indices.min { load[$0] < load[$1] } ?? 0
            load[index] += 1
            return index
        }
        defer { load.withLock { $0[index] -= 1 } }
        return try await readers[index].read(body)
    }

    /// Reads on the calling thread, which waits: for what a server has to know before it starts.
    func readAtOnce<Result>(_ body: (SQLiteConnection) throws -> Result) throws(DatabaseError) -> Result {
        do {
            return try body(try SQLiteConnection(path: path, mode: .readWrite))
        } catch let error as DatabaseError {
            throw error
        } catch let error as SQLiteError {
            throw DatabaseError(error)
        } catch {
            throw .cannotOpen(path: path, reason: "\(error)")
        }
    }

    /// Ends: what is under way is finished, what comes later is refused. The files can then be moved.
    func close() async {
        await withCheckedContinuation { continuation in writer.close { continuation.resume() } }
        for reader in readers { await reader.close() }
    }

    /// Looks at the header alone, so that the database of a newer version is not even opened. The version stands at
    /// offset 60 of the file, big-endian; SQLite file format, section 1.3.
    private static func refuseNewer(_ path: String) throws(DatabaseError) {
        guard let file = FileHandle(forReadingAtPath: path) else { return }
        defer { try? file.close() }
        guard let header = try? file.read(upToCount: 100), header.count == 100, header.starts(with: Data("SQLite".utf8))
        else { return }
        let found = header.dropFirst(60).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard found <= Schema.version else { throw .newer(found: found, known: Schema.version) }
    }

    private static func prepare(_ connection: SQLiteConnection, _ path: String) throws {
        let found = try connection.first("PRAGMA user_version") { Int($0.integer(0)) } ?? 0
        guard found <= Schema.version else { throw DatabaseError.newer(found: found, known: Schema.version) }
        try connection.execute(
            """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
            PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16000;
            """)
        try Schema.upgrade(connection, from: found)
        try connection.run(
            """
            INSERT INTO server VALUES ('boots', 1)
            ON CONFLICT DO UPDATE SET value = CAST(value AS INTEGER) + 1
            """)
    }
}

/// One reading connection, opened when it is first used.
private actor Reader {
    private let path: String
    private var connection: SQLiteConnection?
    private var isClosed = false

    init(path: String) { self.path = path }

    func read<Result: Sendable>(_ body: @Sendable (SQLiteConnection) throws -> Result) throws -> Result {
        guard !isClosed else { throw DatabaseError.closed }
        do {
            let connection = try open()
            try connection.run("BEGIN")
            defer { connection.rollBack() }
            return try body(connection)
        } catch {
            throw DatabaseError.mapped(error)
        }
    }

    func close() {
        connection = nil
        isClosed = true
    }

    private func open() throws -> SQLiteConnection {
        if let connection { return connection }
        let opened = try SQLiteConnection(path: path, mode: .readWrite)
        try opened.execute("PRAGMA query_only = ON; PRAGMA cache_size = -8000;")
        connection = opened
        return opened
    }
}
