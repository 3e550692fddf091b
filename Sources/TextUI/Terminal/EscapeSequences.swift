/// The escape sequences that Words ever sends: the one place where they are written. ECMA-48, "Control functions".
enum EscapeSequences {
    /// To the first column, and empties the line.
    static let clearLine = "\r\u{1B}[K"
    static let bell = "\u{7}"

    /// Moves the cursor from the first column of the line it is on.
    static func column(_ columns: Int) -> String { columns > 0 ? "\r\u{1B}[\(columns)C" : "\r" }

    /// The prompt, fainter than what is said.
    static func faint(_ text: String) -> String { "\u{1B}[2m\(text)\u{1B}[22m" }

    /// The screen is empty and the cursor at its top: what Ctrl-L asks for.
    static let clearScreen = "\u{1B}[H\u{1B}[2J"
}
