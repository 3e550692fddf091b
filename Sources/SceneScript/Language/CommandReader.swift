import TextUI

/// Reads commands line by line, with variables: what a pipe sends.
public struct CommandReader {
    private var kept: [String: String] = [:]
    private var capture: String?
    private var location = SourceLocation(file: "", line: 0)
    private var name = ""

    public init() {}

    /// The command in a line, its variables filled in; nil where the line is blank or a comment.
    ///
    /// - Parameter number: Of the line, for errors, whose file is empty.
    public mutating func command(in line: String, number: Int) throws(ScriptError) -> Command? {
        capture = nil
        location = SourceLocation(file: "", line: number)
        let words = try SceneWord.words(in: line[...], at: location)
        guard let first = words.first, !first.value.hasPrefix("#") || first.word.isQuoted else { return nil }
        let command = try SceneCommand.parse(words, kept: Set(kept.keys), at: location)
        capture = command.capture
        do {
            let whole = try command.command(with: kept)
            name = whole.name
            return whole
        } catch {
            throw ScriptError(SourceLocation(file: "", line: number, column: error.column), error.message)
        }
    }

    /// Keeps what the last command has returned under the name that its line gave.
    public mutating func keep(_ value: String?) throws(ScriptError) {
        guard let capture else { return }
        guard let value else { throw ScriptError(location, "`\(name)` returns nothing to keep as $\(capture).") }
        kept[capture] = value
    }
}
