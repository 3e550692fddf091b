/// What can be asked of an actor's screen.
public enum Predicate: Equatable, Sendable {
    public enum ContactState: String, Equatable, Sendable, CaseIterable { case online, offline }
    public enum ChannelState: String, Equatable, Sendable, CaseIterable { case joined, `public`, invited }
    public enum MessageState: String, Equatable, Sendable, CaseIterable { case sent, waiting, failed }

    case scene(String)
    case contact(TextPattern, ContactState?)
    case channel(TextPattern, ChannelState?)
    case message(TextPattern, from: TextPattern?, count: Int?, state: MessageState?)
    /// A line of someone who joined or left.
    case status(TextPattern)
    case typing(TextPattern)
    case unread(TextPattern, Int)
    case error(TextPattern)
    case screen(TextPattern)
}

/// A text to look for: a part of it byte for byte, or a regular expression.
public enum TextPattern: Equatable, Sendable {
    case part(String)
    case expression(String)

    /// Whether `text` has it. An expression that cannot be read is in no text; the parser lets none pass.
    public func isFound(in text: String) -> Bool {
        switch self {
        case .part(let part):
            return text.utf8.contains(sequence: part.utf8)
        case .expression(let source):
            guard let expression = try? Regex(source) else { return false }
            return text.firstMatch(of: expression) != nil
        }
    }

    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.part(let left), .part(let right)), (.expression(let left), .expression(let right)):
            left.utf8.elementsEqual(right.utf8)
        default: false
        }
    }
}

extension Collection where Element: Equatable {
    /// Whether the elements of `part` stand in it one after another.
    func contains(sequence part: some Collection<Element>) -> Bool {
        guard let first = part.first else { return true }
        var start = startIndex
        while let candidate = self[start...].firstIndex(of: first) {
            if self[candidate...].starts(with: part) { return true }
            start = index(after: candidate)
        }
        return false
    }
}
