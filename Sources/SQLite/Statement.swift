import CSQLite

/// One prepared statement of a connection, which keeps it for the next use.
final class Statement {
    /// Tells SQLite to copy what is bound. The value of the macro `SQLITE_TRANSIENT`, which Swift cannot import.
    private static let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    let handle: OpaquePointer
    /// Whether somebody steps through it; a nested use of the same text then needs a statement of its own.
    var isInUse = false

    init(handle: OpaquePointer) { self.handle = handle }

    deinit { sqlite3_finalize(handle) }

    /// The result code of the first binding that failed; `SQLITE_OK` where none did.
    func bind(_ values: [any SQLiteBindable]) -> Int32 {
        guard values.count == Int(sqlite3_bind_parameter_count(handle)) else { return SQLITE_RANGE }
        var index: Int32 = 0
        for value in values {
            index += 1
            let code = bind(value.sqliteValue, at: index)
            if code != SQLITE_OK { return code }
        }
        return SQLITE_OK
    }

    private func bind(_ value: SQLiteValue, at index: Int32) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(handle, index)
        case .integer(let value): return sqlite3_bind_int64(handle, index, value)
        case .real(let value): return sqlite3_bind_double(handle, index, value)
        case .text(var value):
            return value.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { text in
                    // An empty string may have no address, and binding no address binds NULL.
                    guard let start = text.baseAddress else {
                        return sqlite3_bind_text(handle, index, "", 0, Self.copies)
                    }
                    return sqlite3_bind_text(handle, index, start, Int32(clamping: text.count), Self.copies)
                }
            }
        case .blob(let value):
            guard !value.isEmpty else { return sqlite3_bind_zeroblob(handle, index, 0) }
            return sqlite3_bind_blob(handle, index, value, Int32(clamping: value.count), Self.copies)
        }
    }

    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        isInUse = false
    }
}

/// The row that a statement stands on. Valid only within the closure that it is given to. Columns count from 0; a NULL
/// reads as 0 or as empty where the accessor does not return an optional.
public struct SQLiteRow: ~Copyable {
    let handle: OpaquePointer

    init(handle: OpaquePointer) { self.handle = handle }

    public func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    public func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    public func bool(_ column: Int32) -> Bool { integer(column) != 0 }

    public func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    public func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

    public func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(handle, column) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    public func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    public func blob(_ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(handle, column) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }

    public func optionalBlob(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : blob(column) }
}
