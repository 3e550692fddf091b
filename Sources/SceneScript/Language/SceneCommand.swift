import TextUI

/// An actor's command as the script writes it: `$name` stands for what an earlier command has returned.
public struct SceneCommand: Equatable, Sendable {
    public var words: [CommandWord]
    /// The name behind `as=$`, under which what the command returns is kept.
    public var capture: String?

    public init(words: [CommandWord], capture: String? = nil) {
        self.words = words
        self.capture = capture
    }

    /// The command, with `values` put in for the variables. A value is data: it is never split, and never a command.
    public func command(with values: [String: String]) throws(CommandSyntaxError) -> Command {
        var words = words
        for index in words.indices.dropFirst() {
            guard let name = SceneWord.variable(words[index]), let value = values[name] else { continue }
            words[index].value = value
            words[index].isQuoted = true
        }
        return try Command(words: words)
    }

    /// Takes `as=$name` out of the words, and sees that every variable has been kept before.
    static func parse(
        _ words: [SceneWord], kept: Set<String>, at location: SourceLocation
    ) throws(ScriptError) -> SceneCommand {
        var command = SceneCommand(words: [])
        for word in words.map(\.word) {
            let place = SourceLocation(file: location.file, line: location.line, column: word.column)
            let variable = SceneWord.variable(word)
            if word.key == "as" {
                guard let variable else { throw ScriptError(place, "as= takes a name behind a $, as in as=$room.") }
                guard command.capture == nil else { throw ScriptError(place, "as= is given twice.") }
                command.capture = variable
                continue
            }
            if let variable {
                guard !command.words.isEmpty else {
                    throw ScriptError(place, "What was kept is data, never a command.")
                }
                guard kept.contains(variable) else {
                    throw ScriptError(
                        place,
                        "Nothing is kept as $\(variable) before this line. Put it in quotes if it is meant as text.")
                }
            }
            command.words.append(word)
        }
        do { _ = try Command(words: command.words) } catch {
            let column = error.reason == .empty ? location.column : error.column
            throw ScriptError(SourceLocation(file: location.file, line: location.line, column: column), error.message)
        }
        return command
    }
}
