import SceneScript
import Server

/// Why the program ends without having done what it was asked to; the one place that turns errors into words and codes.
struct Failure: Error, Equatable {
    var status: Int32
    /// For standard error; nothing where all has been said.
    var lines: [String]

    init(_ status: RunStatus, _ lines: [String] = []) { self.init(code: status.rawValue, lines) }

    private init(code: Int32, _ lines: [String]) {
        status = code
        self.lines = lines
    }

    /// Standard output was closed by whoever read it; as the shell reports a process that SIGPIPE ended.
    static let closedOutput = Failure(code: 141, [])

    /// Standard output could not be written, as has been said.
    static let unwritableOutput = Failure(.differs)

    /// Ctrl-C and the like; as the shell reports them.
    static func ended(bySignal number: Int32) -> Failure { Failure(code: 128 + number, []) }

    init(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as UsageError:
            self.init(.usage, ["words: \(error.message)", HelpText.usageLine(of: error.verb)])
        case let error as StageError: self.init(error.status, ["words: \(error)"])
        case let error as ServerError: self.init(Self.status(of: error), ["words: \(error)"])
        default: self.init(.fault, ["words: A fault of Words itself: \(error)"])
        }
    }

    private static func status(of error: ServerError) -> RunStatus {
        switch error {
        case .notAServerName: .usage
        case .password, .noSuchAccount: .differs
        case .alreadyServed, .folder, .database, .cannotListen, .otherServerName, .stopped: .unreachable
        }
    }
}
