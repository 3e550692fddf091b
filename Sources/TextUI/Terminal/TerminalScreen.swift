/// What to write so that lines appear above the prompt, whatever is being typed there.
///
/// On a capable terminal the prompt's row is emptied, the lines are written and the prompt is drawn again. Elsewhere
/// nothing but whole lines is written: the prompt, once, and lines from a row of their own.
struct TerminalScreen {
    let isCapable: Bool
    /// Whether the last thing written is a prompt, without a newline after it.
    private(set) var isPrompting = false
    private var shownRow: Row?

    /// The prompt's row as it stands there.
    private struct Row: Equatable {
        var prompt: String
        var text: String
        var isAtEnd: Bool
        var cursor: Int

        /// What has been typed at the end of another row, if that is all: it needs no drawing anew, and a screen reader
        /// hears it alone.
        func added(to other: Row) -> String? {
            guard prompt == other.prompt, isAtEnd, other.isAtEnd, text.utf8.starts(with: other.text.utf8) else {
                return nil
            }
            return String(decoding: text.utf8.dropFirst(other.text.utf8.count), as: UTF8.self)
        }
    }

    init(isCapable: Bool) { self.isCapable = isCapable }

    /// Lines, above the prompt where there is one; the prompt is to be drawn again.
    mutating func lines(_ lines: [String]) -> String {
        guard !lines.isEmpty else { return "" }
        return leavePrompt(keeping: false) + lines.map { $0 + "\n" }.joined()
    }

    /// The prompt with what has been typed; nothing where that is what stands there.
    mutating func prompt(_ prompt: String, editor: LineEditor, columns: Int) -> String {
        guard isCapable else {
            if isPrompting { return "" }
            isPrompting = true
            return prompt
        }
        let width = ColumnWidth.of(prompt)
        let shown = editor.shown(columns: columns - width)
        let row = Row(prompt: prompt, text: shown.text, isAtEnd: editor.after.isEmpty, cursor: width + shown.cursor)
        defer { (isPrompting, shownRow) = (true, row) }
        if isPrompting, let known = shownRow {
            if row == known { return "" }
            if let added = row.added(to: known) { return added }
        }
        return EscapeSequences.clearLine + EscapeSequences.faint(prompt) + shown.text
            + EscapeSequences.column(row.cursor)
    }

    /// What the Enter key does: the prompt stays with what was typed, the next thing begins a new row.
    mutating func submit() -> String {
        guard isPrompting else { return "" }
        isPrompting = false
        // Elsewhere the terminal itself has shown the newline.
        return isCapable ? "\n" : ""
    }

    /// Ends the prompt's row: it is emptied, or left where it is.
    mutating func leavePrompt(keeping: Bool) -> String {
        guard isPrompting else { return "" }
        isPrompting = false
        return isCapable && !keeping ? EscapeSequences.clearLine : "\n"
    }

    /// An empty screen.
    mutating func clear() -> String {
        isPrompting = false
        return isCapable ? EscapeSequences.clearScreen : ""
    }

    /// The prompt is drawn again in any case: somebody else has written meanwhile.
    mutating func forget() { shownRow = nil }
}
