/// The line being typed: a value that keys change.
struct LineEditor {
    enum Action: Equatable {
        /// What is typed, or where the cursor stands, is another.
        case changed
        case submit(String)
        /// Somebody asks for an empty screen.
        case redraw
        /// The end of the input was typed on an empty line.
        case end
    }

    private static let limitOfHistory = 200

    /// A secret: shows nothing, and goes into no history.
    var isHidden = false
    private(set) var before = ""
    private(set) var after = ""
    private var history: [String] = []
    /// Which line of the history is shown; its count is the line being typed.
    private var place = 0
    private var draft = ""

    var text: String { before + after }

    /// Takes a key; nil where it changes nothing.
    mutating func handle(_ key: Key) -> Action? {
        switch key {
        case .text(let scalar): before.unicodeScalars.append(scalar)
        case .enter: return .submit(submit())
        case .endOfInput: return text.isEmpty ? .end : nil
        case .redraw: return .redraw
        case .backspace:
            guard before.popLast() != nil else { return nil }
        case .delete:
            guard !after.isEmpty else { return nil }
            after.removeFirst()
        case .eraseLine: before = ""
        case .eraseWord: eraseWord()
        case .left:
            guard let moved = before.popLast() else { return nil }
            after = String(moved) + after
        case .right:
            guard !after.isEmpty else { return nil }
            before.append(after.removeFirst())
        case .home:
            after = text
            before = ""
        case .end:
            before = text
            after = ""
        case .up: return recall(place - 1)
        case .down: return recall(place + 1)
        }
        return .changed
    }

    private mutating func submit() -> String {
        let line = text
        if !isHidden, !line.isEmpty, history.last != line { history.append(line) }
        if history.count > Self.limitOfHistory { history.removeFirst() }
        (before, after, draft, place) = ("", "", "", history.count)
        return line
    }

    private mutating func eraseWord() {
        while before.last == " " { before.removeLast() }
        while let last = before.last, last != " " { before.removeLast() }
    }

    private mutating func recall(_ wanted: Int) -> Action? {
        guard !isHidden, wanted >= 0, wanted <= history.count, wanted != place else { return nil }
        if place == history.count { draft = text }
        place = wanted
        before = wanted == history.count ? draft : history[wanted]
        after = ""
        return .changed
    }

    /// The line as it is shown behind a prompt, in one row of the terminal: what stands around the cursor, if not all.
    ///
    /// - Returns: The text behind the prompt, and how many columns of it stand before the cursor.
    func shown(columns: Int) -> (text: String, cursor: Int) {
        guard !isHidden, columns > 1 else { return ("", 0) }
        let head = Sanitiser.line(before).tail(columns - 1)
        let rest = Sanitiser.line(after).cut(to: columns - 1 - head.width)
        return (head.text + rest.text, head.width)
    }
}
