/// One word of a line: `plain`, `"quoted text"`, `key=value` or `key="quoted text"`.
///
/// Words are separated by blanks. Within quotes `\"`, `\\`, `\n`, `\t` and `\u{1F44B}` stand for what they name; outside
/// of quotes a backslash is a backslash. Only what stands outside of quotes can name an argument: `"a=b"` is text.
public struct CommandWord: Equatable, Sendable {
    /// What stands before `=`: a letter, then letters, digits, `-` or `_`.
    public var key: String?
    /// The text, with its quotes taken off and its escapes resolved.
    public var value: String
    /// Whether the text stood in quotes, so that nothing in it may be taken for a number, a pattern or a variable.
    public var isQuoted: Bool
    /// Where the word begins, in characters, counted from 1.
    public var column: Int

    public init(key: String? = nil, value: String, isQuoted: Bool = false, column: Int = 1) {
        self.key = key
        self.value = value
        self.isQuoted = isQuoted
        self.column = column
    }

    /// The words of a line, in their order; none for a blank line.
    public static func words(in line: String) throws(CommandSyntaxError) -> [CommandWord] {
        var reader = CommandReader(line)
        return try reader.words()
    }

    /// The word as it may be written so that it is read again as the same.
    public var source: String {
        let text = isQuoted || Self.needsQuotes(value, isArgument: key != nil) ? Self.quoted(value) : value
        return key.map { "\($0)=\(text)" } ?? text
    }

    /// `text` in quotes, whatever it holds.
    public static func quoted(_ text: String) -> String {
        var source = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": source += "\\\""
            case "\\": source += "\\\\"
            case "\n": source += "\\n"
            case "\t": source += "\\t"
            case _ where Sanitiser.notation(for: scalar) != nil && scalar != "\u{200D}" && scalar != "\u{FE0F}":
                source += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: source.unicodeScalars.append(scalar)
            }
        }
        return source + "\""
    }

    private static func needsQuotes(_ text: String, isArgument: Bool) -> Bool {
        text.isEmpty || text.hasPrefix("#") || (!isArgument && text.contains("="))
            || text.unicodeScalars.contains { scalar in
                scalar == "\"" || scalar == " " || Sanitiser.notation(for: scalar) != nil
            }
    }
}

/// Reads a line scalar by scalar: `\r\n` is one character to Swift, and a combining mark may follow a quote.
private struct CommandReader {
    private let scalars: [UnicodeScalar]
    private var position = 0

    init(_ line: String) { scalars = Array(line.unicodeScalars) }

    private var next: UnicodeScalar? { position < scalars.count ? scalars[position] : nil }

    mutating func words() throws(CommandSyntaxError) -> [CommandWord] {
        var words: [CommandWord] = []
        while true {
            while let scalar = next, Self.isBlank(scalar) { position += 1 }
            guard next != nil else { return words }
            words.append(try word())
        }
    }

    private mutating func word() throws(CommandSyntaxError) -> CommandWord {
        let start = position
        var key: String?
        if let end = endOfKey() {
            key = text(start..<end)
            position = end + 1
        }
        let isQuoted = next == "\""
        let value = isQuoted ? try quotedText() : try plainText()
        return CommandWord(key: key, value: value, isQuoted: isQuoted, column: column(of: start))
    }

    /// Where the `=` stands, if the word begins with a key.
    private func endOfKey() -> Int? {
        var index = position
        while index < scalars.count, Self.isKey(scalars[index], first: index == position) { index += 1 }
        return index > position && index < scalars.count && scalars[index] == "=" ? index : nil
    }

    private mutating func plainText() throws(CommandSyntaxError) -> String {
        let start = position
        while let scalar = next, !Self.isBlank(scalar) {
            if scalar == "\"" { throw CommandSyntaxError(.quoteInWord, column: column(of: position)) }
            position += 1
        }
        return text(start..<position)
    }

    private mutating func quotedText() throws(CommandSyntaxError) -> String {
        let start = position
        var text = String.UnicodeScalarView()
        position += 1
        while let scalar = next {
            position += 1
            switch scalar {
            case "\"":
                if let behind = next, !Self.isBlank(behind) {
                    throw CommandSyntaxError(.afterQuote, column: column(of: position))
                }
                return String(text)
            case "\\": text.append(try escape(from: start))
            default: text.append(scalar)
            }
        }
        throw CommandSyntaxError(.unclosedQuote, column: column(of: start))
    }

    /// What the escape stands for whose backslash has just been read.
    private mutating func escape(from quote: Int) throws(CommandSyntaxError) -> UnicodeScalar {
        let backslash = position - 1
        guard let scalar = next else { throw CommandSyntaxError(.unclosedQuote, column: column(of: quote)) }
        position += 1
        switch scalar {
        case "\"", "\\": return scalar
        case "n": return "\n"
        case "t": return "\t"
        case "u": return try numberedScalar(backslash)
        default: throw CommandSyntaxError(.unknownEscape(Character(scalar)), column: column(of: backslash))
        }
    }

    private mutating func numberedScalar(_ backslash: Int) throws(CommandSyntaxError) -> UnicodeScalar {
        let rest = scalars[position...].prefix(8)
        guard rest.first == "{", let end = rest.firstIndex(of: "}"),
            rest[(position + 1)..<end].allSatisfy(\.properties.isASCIIHexDigit),
            let number = UInt32(text(position + 1..<end), radix: 16),
            let scalar = UnicodeScalar(number)
        else { throw CommandSyntaxError(.badScalar, column: column(of: backslash)) }
        position = end + 1
        return scalar
    }

    private func text(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }

    private func column(of position: Int) -> Int { text(0..<min(position, scalars.count)).count + 1 }

    private static func isBlank(_ scalar: UnicodeScalar) -> Bool {
        scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r"
    }

    private static func isKey(_ scalar: UnicodeScalar, first: Bool) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z": true
        case "0"..."9", "-", "_": !first
        default: false
        }
    }
}
