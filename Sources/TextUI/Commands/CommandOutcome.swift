/// How a command has ended, once its scene has presented the outcome.
public enum CommandOutcome: Equatable, Sendable {
    /// Done. `value` is what it returned, if anything: the id of a room or of a message.
    case done(value: String? = nil)
    /// Refused, or gone wrong; the reason has been printed and is on the screen.
    case failed(reason: String)
    /// The command exists, but not in this scene; says where. Printed already.
    case notHere(String)
    /// There is no such command, or its arguments are wrong; says what is. Printed already.
    case usage(String)

    public var isDone: Bool {
        if case .done = self { true } else { false }
    }

    /// What went wrong; nil where nothing did.
    public var reason: String? {
        switch self {
        case .done: nil
        case .failed(let reason), .notHere(let reason), .usage(let reason): reason
        }
    }
}
