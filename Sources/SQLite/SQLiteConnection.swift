import CSQLite

/// One connection to a database file.
///
/// It is not `Sendable`: whoever owns it (an actor, a `Locked`) confines it to one thread at a time. Statements are
/// prepared once and kept, found by the address of their text; that is why texts are `StaticString`s, which also keeps
/// values out of them.
public final class SQLiteConnection {
    public enum Mode: Sendable { case create, readWrite, readOnly }

    private let handle: OpaquePointer
    private var statements: [UnsafePointer<UInt8>: Statement] = [:]

    /// Opens the file at `path`; `busyTimeout` is how long a statement waits for another process's lock.
    public init(path: String, mode: Mode = .create, busyTimeout: Duration = .seconds(5)) throws(SQLiteError) {
        let flags =
            switch mode {
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .readWrite: SQLITE_OPEN_READWRITE
            case .readOnly: SQLITE_OPEN_READONLY
            }
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let opened else {
            let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close_v2(opened)
            throw SQLiteError(code: code, message: message)
        }
        handle = opened
        let (seconds, attoseconds) = busyTimeout.components
        sqlite3_busy_timeout(handle, Int32(clamping: seconds * 1_000 + attoseconds / 1_000_000_000_000_000))
    }

    deinit {
        statements.removeAll()
        sqlite3_close_v2(handle)
    }

    /// Whether a transaction is open. SQLite ends one by itself after some failures, such as a full disk.
    public var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Rows changed by the latest statement.
    public var changes: Int { Int(sqlite3_changes(handle)) }

    /// The row id given by the latest insertion.
    public var lastInsertedID: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Runs a text of any number of statements that take no values and give no rows.
    public func execute(_ script: String) throws(SQLiteError) {
        let code = sqlite3_exec(handle, script, nil, nil, nil)
        if code != SQLITE_OK { throw failure(code) }
    }

    /// Runs one statement to its end and returns how many rows it changed.
    @discardableResult
    public func run(_ text: StaticString, _ values: any SQLiteBindable...) throws(SQLiteError) -> Int {
        try run(text, values: values)
    }

    /// The same, for values that are in a list already.
    @discardableResult
    public func run(_ text: StaticString, values: [any SQLiteBindable]) throws(SQLiteError) -> Int {
        let statement = try start(text, values)
        defer { statement.reset() }
        while try step(statement) {}
        return changes
    }

    /// The rows of one statement, each read by `read`.
    public func rows<Result>(
        _ text: StaticString, _ values: any SQLiteBindable..., read: (borrowing SQLiteRow) throws -> Result
    ) throws -> [Result] {
        let statement = try start(text, values)
        defer { statement.reset() }
        var results: [Result] = []
        while try step(statement) { results.append(try read(SQLiteRow(handle: statement.handle))) }
        return results
    }

    /// The first row of one statement; nil where there is none.
    public func first<Result>(
        _ text: StaticString, _ values: any SQLiteBindable..., read: (borrowing SQLiteRow) throws -> Result
    ) throws -> Result? {
        let statement = try start(text, values)
        defer { statement.reset() }
        guard try step(statement) else { return nil }
        return try read(SQLiteRow(handle: statement.handle))
    }

    /// Whether one statement gives any row.
    public func exists(_ text: StaticString, _ values: any SQLiteBindable...) throws(SQLiteError) -> Bool {
        let statement = try start(text, values)
        defer { statement.reset() }
        return try step(statement)
    }

    /// Does `body` in a transaction that holds if it returns and is undone if it throws.
    public func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try run("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    /// Undoes the open transaction; does nothing where none is open.
    public func rollBack() {
        guard isInTransaction else { return }
        // A failing ROLLBACK has ended the transaction all the same.
        _ = try? run("ROLLBACK")
    }

    /// Does `body` within the open transaction such that what it did is undone, alone, if it throws.
    public func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
        try run("SAVEPOINT part")
        do {
            let result = try body()
            try run("RELEASE part")
            return result
        } catch {
            if isInTransaction {
                try run("ROLLBACK TO part")
                try run("RELEASE part")
            }
            throw error
        }
    }

    private func start(_ text: StaticString, _ values: [any SQLiteBindable]) throws(SQLiteError) -> Statement {
        let statement = try prepare(text)
        let code = statement.bind(values)
        guard code == SQLITE_OK else {
            statement.reset()
            throw failure(code)
        }
        statement.isInUse = true
        return statement
    }

    private func prepare(_ text: StaticString) throws(SQLiteError) -> Statement {
        if let kept = statements[text.utf8Start], !kept.isInUse { return kept }
        let code: Int32
        var prepared: OpaquePointer?
        code = text.withUTF8Buffer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                sqlite3_prepare_v3(
                    handle, text.baseAddress, Int32(clamping: text.count), UInt32(SQLITE_PREPARE_PERSISTENT), &prepared,
                    nil)
            }
        }
        guard code == SQLITE_OK, let prepared else { throw failure(code == SQLITE_OK ? SQLITE_MISUSE : code) }
        let statement = Statement(handle: prepared)
        if statements[text.utf8Start] == nil { statements[text.utf8Start] = statement }
        return statement
    }

    /// True on a row, false at the end.
    private func step(_ statement: Statement) throws(SQLiteError) -> Bool {
        let code = sqlite3_step(statement.handle)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw failure(code)
        }
    }

    private func failure(_ code: Int32) -> SQLiteError {
        SQLiteError(code: code, message: String(cString: sqlite3_errmsg(handle)))
    }
}
