/// A line that is no command: what is wrong, and where.
public struct CommandSyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Reason: Equatable, Sendable {
        /// The line holds no word at all.
        case empty
        /// A quotation that the line does not end.
        case unclosedQuote
        /// Something stands directly behind a closing quote.
        case afterQuote
        /// A quote within a word that began without one.
        case quoteInWord
        /// A backslash before something that has no escape.
        case unknownEscape(Character)
        /// `\u{…}` that names no character.
        case badScalar
        /// An argument that was named before on the same line.
        case namedTwice(String)
        /// The command itself is written like an argument, `name=value`.
        case argumentFirst(String)
    }

    public let reason: Reason
    /// Where in the line, in characters, counted from 1.
    public let column: Int

    public init(_ reason: Reason, column: Int) {
        self.reason = reason
        self.column = column
    }

    /// What is wrong and what to write instead, without the column.
    public var message: String {
        switch reason {
        case .empty: "There is no command here."
        case .unclosedQuote: "This quote is not closed. End the text with \"."
        case .afterQuote: "A blank is missing after the closing quote."
        case .quoteInWord: "A quote stands inside a word. Put the whole word in quotes, and write \\\" for a quote."
        case .unknownEscape(let character):
            "\\\(Sanitiser.line(String(character)).text) means nothing. There are \\\" \\\\ \\n \\t and \\u{1F44B}."
        case .badScalar: "\\u{…} needs the hexadecimal number of a character, as in \\u{1F44B}."
        case .namedTwice(let name): "\(Sanitiser.line(name).text)= is given twice."
        case .argumentFirst(let name):
            "A line begins with a command, and \(Sanitiser.line(name).text)= is an argument. Type help for the commands."
        }
    }

    public var description: String { "column \(column): \(message)" }
}
