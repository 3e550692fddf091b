/// A place in a script, counted from one as editors do; a column is a character.
public struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
    public var file: String
    public var line: Int
    public var column: Int

    public init(file: String, line: Int, column: Int = 1) {
        self.file = file
        self.line = line
        self.column = column
    }

    public var description: String { "\(file):\(line):\(column)" }

    func isOn(_ other: SourceLocation) -> Bool { file == other.file && line == other.line }
}

/// Why a script cannot be played: where, and what about it. It prints as `file:line:column: what`.
public struct ScriptError: Error, Equatable, Sendable, CustomStringConvertible {
    public var location: SourceLocation
    public var what: String

    public init(_ location: SourceLocation, _ what: String) {
        self.location = location
        self.what = what
    }

    public var description: String { "\(location): \(what)" }
}
