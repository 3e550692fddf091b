/// What a command lacks, asked for one by one.
struct Question: Equatable {
    private(set) var command: Command
    private var missing: [CommandDescription.Argument]

    /// Nil where the command lacks nothing that has a name, or is none.
    init?(completing command: Command) {
        let description = CommandCatalogue[command.name]
        let missing = description?.arguments.filter { argument in
            argument.form != .positional && argument.isRequired && command.named[argument.name] == nil
        }
        guard let missing, !missing.isEmpty else { return nil }
        self.command = command
        self.missing = missing
    }

    var prompt: String {
        switch missing.first?.name {
        case "current": "Current password: "
        case "new": "New password: "
        case let name?: name.capitalized + ": "
        case nil: ""
        }
    }

    /// Whether the answer must not show.
    var isSecret: Bool { missing.first?.form == .secret }
    var isAnswered: Bool { missing.isEmpty }

    mutating func answer(_ text: String) {
        guard !missing.isEmpty else { return }
        command.named[missing.removeFirst().name] = text
    }
}
