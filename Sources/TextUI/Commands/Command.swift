import Models

/// One line of what a person can do: the same grammar in a script, through a pipe and on a terminal.
public struct Command: Equatable, Sendable {
    public var name: String
    /// The arguments without a name, in their order.
    public var positional: [String]
    /// The arguments with a name, each at most once.
    public var named: [String: String]

    public init(name: String, positional: [String] = [], named: [String: String] = [:]) {
        self.name = name
        self.positional = positional
        self.named = named
    }

    /// Reads `name "positional" key="value"`.
    ///
    /// - Throws: What is wrong, with its column, where the line is empty or breaks the grammar. Whether the command
    ///   exists and takes these arguments is the catalogue's to say.
    public init(parsing line: String) throws(CommandSyntaxError) {
        try self.init(words: CommandWord.words(in: line))
    }

    /// Makes a command of words read before, say after a script has put its variables into them.
    public init(words: [CommandWord]) throws(CommandSyntaxError) {
        guard let first = words.first else { throw CommandSyntaxError(.empty, column: 1) }
        if let key = first.key { throw CommandSyntaxError(.argumentFirst(key), column: first.column) }
        self.init(name: first.value)
        for word in words.dropFirst() {
            guard let key = word.key else {
                positional.append(word.value)
                continue
            }
            guard named.updateValue(word.value, forKey: key) == nil else {
                throw CommandSyntaxError(.namedTwice(key), column: word.column)
            }
        }
    }

    /// The line that reads as this command, secrets and all: for a script that is to be played again.
    public var source: String { text { CommandWord(key: $0, value: $1).source } }
}

extension Command: CustomStringConvertible, CustomReflectable {
    /// The line that reads as this command, with `<redacted>` in place of passwords: for transcripts and messages.
    public var description: String {
        text { key, value in
            CommandCatalogue.secretNames.contains(key)
                ? "\(key)=\(Secret(value))" : CommandWord(key: key, value: value).source
        }
    }

    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }

    private func text(_ argument: (String, String) -> String) -> String {
        let words = [CommandWord(value: name).source] + positional.map(Self.positionalSource)
        let arguments = named.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        let order = CommandCatalogue[name]?.arguments.map(\.name) ?? []
        let rank = { (key: String) in order.firstIndex(of: key) ?? order.count }
        let sorted = arguments.enumerated().sorted {
            (rank($0.element.key), $0.offset) < (rank($1.element.key), $1.offset)
        }
        return (words + sorted.map { argument($0.element.key, $0.element.value) }).joined(separator: " ")
    }

    /// A number stands bare, all other text in quotes, as people write scripts.
    private static func positionalSource(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
                || "@._-+$".utf8.contains(byte)
        }
        let isBare = !text.isEmpty && isPlain && (text.contains("@") || text.hasPrefix("$") || Int(text) != nil)
        return isBare ? text : CommandWord.quoted(text)
    }
}
