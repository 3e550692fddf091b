import Models

/// Notices, errors and hints, which look the same in every scene.
enum NoticeRenderer {
    /// An error begins with `!`; both are wrapped, with what follows indented.
    static func lines(of notice: Journal.Notice, width: Int) -> [SafeLine] {
        let text = Sanitiser.text(notice.text)
        return notice.isError ? hanging("! ", text, width: width) : hanging("", text, width: width)
    }

    /// `prefix`, then `text` wrapped in the columns behind it; without the prefix where there is no room for both.
    static func hanging(_ prefix: SafeLine, _ text: SafeText, width: Int) -> [SafeLine] {
        let room = width - prefix.width
        guard room >= min(4, width) else { return text.wrapped(to: width) }
        return text.wrapped(to: room).enumerated().map { index, line in
            (index == 0 ? prefix : .blanks(prefix.width)) + line
        }
    }

    /// A hint in parentheses, indented: `(no contacts yet)`.
    static func hint(_ text: SafeLine, indent: SafeLine = "  ", width: Int) -> [SafeLine] {
        let isWrapped = text.text.hasPrefix("(") && text.text.hasSuffix(")")
        return hanging(indent, SafeText(lines: [isWrapped ? text : "(\(text))"]), width: width)
    }
}
