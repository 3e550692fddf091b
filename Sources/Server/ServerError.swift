import Foundation

/// Why a server could not be opened, started or asked. `description` is for people.
public enum ServerError: Error, Equatable, Sendable {
    /// Somebody else serves these data.
    case alreadyServed(folder: String)
    /// The folder of the data could not be made, opened or locked.
    case folder(path: String, reason: String)
    /// The database could not be opened or is newer than this program.
    case database(path: String, reason: String)
    case cannotListen(host: String, port: UInt16, reason: String)
    /// The database was made for another server name, and all its ids bear that one.
    case otherServerName(stored: String, asked: String)
    case notAServerName(String)
    /// `passwd` for an address without an account.
    case noSuchAccount
    /// The new password does not meet the rules; what is wrong.
    case password(String)
    case stopped
}

extension ServerError: CustomStringConvertible, LocalizedError {
    public var description: String {
        switch self {
        case .alreadyServed(let folder):
            "Another server already serves the data in \(folder). Stop it, or choose another folder with --data."
        case .folder(let path, let reason):
            "The data folder \(path) cannot be used: \(reason). Mend it, or choose another with --data."
        case .database(let path, let reason):
            "The database \(path) cannot be opened: \(reason)."
        case .cannotListen(let host, let port, let reason):
            "The server cannot listen on \(host), port \(port): \(reason). Choose another with --host or --port."
        case .otherServerName(let stored, let asked):
            "These data belong to the server name \(stored), not \(asked). Leave out --server-name, or choose "
                + "another folder with --data."
        case .notAServerName(let name):
            "\(name) is no server name: it takes letters, digits, dots and hyphens, and no port."
        case .noSuchAccount: "There is no account with this e-mail address."
        case .password(let problem): problem
        case .stopped: "The server has been stopped; make a new one."
        }
    }

    public var errorDescription: String? { description }
}
