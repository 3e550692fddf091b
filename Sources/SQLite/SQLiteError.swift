import CSQLite

/// What SQLite said went wrong.
public struct SQLiteError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The families of failures that callers treat differently.
    public enum Kind: Equatable, Sendable {
        case busy, constraint, corrupt, diskFull, inputOutput, readOnly, cannotOpen, other
    }

    /// The extended result code.
    public var code: Int32
    public var message: String

    public init(code: Int32, message: String) {
        self.code = code
        self.message = message
    }

    public var kind: Kind {
        switch code & 0xFF {
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_CONSTRAINT: .constraint
        case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
        case SQLITE_FULL: .diskFull
        case SQLITE_IOERR: .inputOutput
        case SQLITE_READONLY: .readOnly
        case SQLITE_CANTOPEN: .cannotOpen
        default: .other
        }
    }

    public var description: String { "SQLite error \(code): \(message)" }
}
