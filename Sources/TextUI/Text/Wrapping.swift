extension SafeLine {
    /// The line in pieces of at most `columns` (at least 1): broken at blanks, beside wide characters, and within a word
    /// only where the word alone is too long. Never empty; blanks at a break are left out.
    public func wrapped(to columns: Int) -> [SafeLine] {
        let columns = max(1, columns)
        guard width > columns else { return [trimmed] }
        var wrapper = Wrapper(columns: columns)
        ColumnWidth.withWidths { widths in
            for character in text {
                wrapper.take(character, width: isPlain ? 1 : widths.of(character.unicodeScalars))
            }
        }
        return wrapper.finish(isPlain: isPlain)
    }
}

/// Fills lines greedily, cluster by cluster.
private struct Wrapper {
    let columns: Int
    private var lines: [(text: String, width: Int)] = []
    /// What is on the line so far, up to the last place where it may break.
    private var line = ""
    private var lineWidth = 0
    /// What follows that place: part of a word.
    private var word = ""
    private var wordWidth = 0
    private var isAfterWide = false

    init(columns: Int) { self.columns = columns }

    mutating func take(_ character: Character, width: Int) {
        guard width <= columns else { return take("…", width: 1) }
        let isWide = width >= 2
        if isWide || isAfterWide { commitWord() }
        isAfterWide = isWide
        if character == " " {
            commitWord()
            // A blank that no longer fits is the break itself.
            guard lineWidth < columns else { return }
            line.append(character)
            lineWidth += 1
            return
        }
        if lineWidth + wordWidth + width > columns { breakLine(for: width) }
        word.append(character)
        wordWidth += width
    }

    mutating func finish(isPlain: Bool) -> [SafeLine] {
        commitWord()
        if lineWidth > 0 { endLine() }
        let made = lines.map { SafeLine(text: $0.text, width: $0.width, isPlain: isPlain).trimmed }
        return made.isEmpty ? [.empty] : made
    }

    private mutating func commitWord() {
        line += word
        lineWidth += wordWidth
        word = ""
        wordWidth = 0
    }

    /// Makes room for `width` more columns behind the word.
    private mutating func breakLine(for width: Int) {
        // Indentation alone is no line: then the word is broken instead.
        let isIndentation = line.utf8.allSatisfy { $0 == UInt8(ascii: " ") }
        if isIndentation && wordWidth > 0 { commitWord() }
        if lineWidth > 0 { endLine() }
        if wordWidth + width > columns {
            commitWord()
            endLine()
        }
    }

    private mutating func endLine() {
        lines.append((line, lineWidth))
        line = ""
        lineWidth = 0
    }
}
