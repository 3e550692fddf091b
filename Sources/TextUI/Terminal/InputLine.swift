import Scenes

/// What a line that somebody typed or piped in means.
public enum InputLine: Equatable, Sendable {
    /// Nothing to do: a blank line, or a comment of a script.
    case nothing
    case command(Command)
    case fault(CommandSyntaxError)

    /// A line of a pipe or a script: a command, a comment that begins with `#`, or blank.
    public init(script line: String) {
        let start = line.unicodeScalars.first { $0 != " " && $0 != "\t" && $0 != "\r" && $0 != "\n" }
        if start == nil || start == "#" {
            self = .nothing
        } else {
            self.init(command: line, droppingSlash: false)
        }
    }

    /// A line typed on a terminal. In a chatroom it is a message, `/` begins a command, and `//` a message that begins
    /// with one slash; elsewhere it is a command, with or without `/`.
    public init(typed line: String, in scene: SceneName) {
        let text = line.last?.isNewline == true ? String(line.dropLast()) : line
        let hasSlash = text.utf8.first == UInt8(ascii: "/")
        if text.utf8.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
            self = .nothing
        } else if scene != .chatroom {
            self.init(command: text, droppingSlash: hasSlash)
        } else if text.utf8.starts(with: "//".utf8) {
            self = .command(Command(name: "send", positional: [String(text.unicodeScalars.dropFirst())]))
        } else if hasSlash {
            self.init(command: text, droppingSlash: true)
        } else {
            self = .command(Command(name: "send", positional: [text]))
        }
    }

    private init(command line: String, droppingSlash: Bool) {
        // By scalars: a mark behind the slash would make one character of both.
        let text = droppingSlash ? String(line.unicodeScalars.dropFirst()) : line
        do {
            self = .command(try Command(parsing: text))
        } catch {
            self = .fault(CommandSyntaxError(error.reason, column: error.column + (droppingSlash ? 1 : 0)))
        }
    }
}
