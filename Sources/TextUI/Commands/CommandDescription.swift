import Scenes

/// What a command is called, takes and does: data, from which help, usage errors and checks are made.
public struct CommandDescription: Equatable, Sendable {
    /// One value that the command takes.
    public struct Argument: Equatable, Sendable {
        public enum Form: Equatable, Sendable {
            /// Stands at its place, without a name.
            case positional
            /// `name=value`.
            case named
            /// `name=value`; asked for without showing it where a terminal can, never printed.
            case secret
        }

        public var name: String
        public var form: Form
        public var isRequired: Bool
        /// How the value looks, in usage lines: `"Name"`, `EMAIL`.
        public var sample: String
    }

    public var name: String
    public var arguments: [Argument]
    /// Where it can be given.
    public var scenes: Set<SceneName>
    /// What it does, as one sentence without a full stop.
    public var help: String

    /// `login email=EMAIL [password=…]`.
    public var usage: String {
        let parts = arguments.map { argument in
            let text = argument.form == .positional ? argument.sample : "\(argument.name)=\(argument.sample)"
            return argument.isRequired ? text : "[\(text)]"
        }
        return ([name] + parts).joined(separator: " ")
    }

    /// The secrets that the command needs and the line does not give: a terminal asks for them.
    public func missingSecrets(of command: Command) -> [Argument] {
        arguments.filter { $0.form == .secret && $0.isRequired && command.named[$0.name] == nil }
    }

    /// What is wrong with the arguments, as a sentence; nil where nothing is.
    func fault(in command: Command) -> String? {
        let places = arguments.filter { $0.form == .positional }
        if command.positional.count > places.count {
            // It may be a secret whose name was forgotten.
            if arguments.contains(where: { $0.form == .secret }) { return "\(name) takes nothing without its name." }
            let extra = CommandWord.quoted(command.positional[places.count])
            return places.isEmpty
                ? "\(name) takes no \(extra)."
                : "\(name) does not take \(extra) as well. A text with blanks needs quotes."
        }
        let names = arguments.filter { $0.form != .positional }
        let unknown = command.named.keys.sorted().first { key in !names.contains { $0.name == key } }
        if let unknown {
            return "\(name) has no argument \(unknown)=. A text with = in it needs quotes."
        }
        if let missing = places.dropFirst(command.positional.count).first(where: \.isRequired) {
            return "\(name) needs \(missing.sample)."
        }
        if let missing = names.first(where: { $0.isRequired && command.named[$0.name] == nil }) {
            return "\(name) needs \(missing.name)=\(missing.sample)."
        }
        return nil
    }
}
