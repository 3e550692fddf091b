import Models

/// Notices, errors and hints, which look the same in every scene.
enum NoticeRenderer {
    /// An error begins with `!`; both are wrapped, with what follows indented.
    static func lines(of notice: Journal.Notice, width: Int) -> [SafeLine] {
        let text = Sanitiser.text(notice.text)
        return notice.isError ? hanging("! ", text, width: width) : hanging("", text, width: width)
    }

    /// `prefix`, then `text` wrapped in the columns behind it; below it, a little indented, where those are too few.
    static func hanging(_ prefix: SafeLine, _ text: SafeText, width: Int) -> [SafeLine] {
        let room = width - prefix.width
        if room >= min(12, width * 2 / 3) {
            return text.wrapped(to: room).enumerated().map { index, line in
                (index == 0 ? prefix : .blanks(prefix.width)) + line
            }
        }
        let indent = SafeLine.blanks(min(2, width / 8))
        let below = text.wrapped(to: width - indent.width).map { indent + $0 }
        return prefix.isBlank ? below : prefix.wrapped(to: width) + below
    }

    /// A hint in parentheses, indented: `(no contacts yet)`.
    static func hint(_ text: SafeLine, indent: SafeLine = "  ", width: Int) -> [SafeLine] {
        let isWrapped = text.text.hasPrefix("(") && text.text.hasSuffix(")")
        return hanging(indent, SafeText(lines: [isWrapped ? text : "(\(text))"]), width: width)
    }
}
