import SQLite

/// Why the database did not do what was asked. Nothing of what was asked has happened.
package enum DatabaseError: Error, Equatable, Sendable {
    /// It was made by a newer version of Words.
    case newer(found: Int, known: Int)
    case corrupt(String)
    case diskFull
    case inputOutput(String)
    /// Another process held it for too long.
    case busy
    case cannotOpen(path: String, reason: String)
    case other(SQLiteError)
    /// The server has been stopped.
    case closed

    init(_ error: SQLiteError) {
        switch error.kind {
        case .corrupt: self = .corrupt(error.message)
        case .diskFull: self = .diskFull
        case .inputOutput, .readOnly: self = .inputOutput(error.message)
        case .busy: self = .busy
        case .cannotOpen, .constraint, .other: self = .other(error)
        }
    }

    /// `error` as callers of the database know it: failures of SQLite by kind, all others as they are.
    static func mapped(_ error: any Error) -> any Error {
        (error as? SQLiteError).map(DatabaseError.init) ?? error
    }
}

extension DatabaseError: CustomStringConvertible {
    /// What happened and what to do next, for people.
    package var description: String {
        switch self {
        case .newer(let found, let known):
            "The database has version \(found), and this version of Words knows versions up to \(known). "
                + "Nothing was changed. Use the newer version of Words."
        case .corrupt(let message):
            "The database is damaged (\(message)). Put back a backup of it."
        case .diskFull:
            "The disk is full. Nothing was stored. Make room and try again."
        case .inputOutput(let message):
            "The database could not be read or written (\(message)). Nothing was stored. Check the disk and try again."
        case .busy:
            "Another process is using the database. Try again, or stop the other process."
        case .cannotOpen(let path, let reason):
            "The database \(path) could not be opened (\(reason)). Check that the folder exists and may be written."
        case .other(let error):
            "The database refused a statement (\(error)). Nothing was stored."
        case .closed:
            "The server is stopping."
        }
    }
}
