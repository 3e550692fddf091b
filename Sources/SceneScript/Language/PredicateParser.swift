import TextUI

/// Reads what stands behind `actor?` and `actor!`.
struct PredicateParser {
    private static let forms =
        "scene NAME · contact \"Name\" [online|offline] · "
        + "channel \"Name\" [joined|public|invited] · "
        + "message \"text\" [from=\"Name\"] [count=N] [state=sent|waiting|failed] · status \"text\" · typing \"Name\" · "
        + "unread \"Name\" N · error \"text\" · screen \"text\""

    private let subject: SceneWord
    private let location: SourceLocation
    private var positional: [SceneWord]
    private var named: [String: SceneWord] = [:]

    /// The predicate, and how long it may take to come true.
    ///
    /// - Parameter location: Where the words begin, for the error of a line that has none.
    static func parse(
        _ words: [SceneWord], at location: SourceLocation
    ) throws(ScriptError) -> (Predicate, within: Duration?) {
        var parser = try PredicateParser(words, at: location)
        let within = try parser.named.removeValue(forKey: "within").map { word throws(ScriptError) in
            guard let duration = DurationText.duration(word.value) else {
                throw parser.error(word, "within= takes a duration, as in 500ms, 2s or 1m.")
            }
            return duration
        }
        let predicate = try parser.predicate()
        if let rest = parser.positional.first {
            throw parser.error(rest, "`\(parser.subject.value)` takes nothing more. \(Self.forms)")
        }
        if let rest = parser.named.values.min(by: { $0.column < $1.column }) {
            throw parser.error(rest, "`\(parser.subject.value)` takes no \(rest.key ?? "")=. \(Self.forms)")
        }
        return (predicate, within)
    }

    private init(_ words: [SceneWord], at location: SourceLocation) throws(ScriptError) {
        guard let subject = words.first, subject.key == nil else {
            throw ScriptError(location, "A predicate is missing here. \(Self.forms)")
        }
        self.subject = subject
        self.location = location
        positional = words.dropFirst().filter { $0.key == nil }
        for word in words {
            guard let key = word.key else { continue }
            guard named.updateValue(word, forKey: key) == nil else { throw error(word, "\(key)= is given twice.") }
        }
    }

    private mutating func predicate() throws(ScriptError) -> Predicate {
        switch subject.value {
        case "scene": .scene(try text("the name of a scene, as in Login").value)
        case "contact": .contact(try text().pattern, try choice())
        case "channel": .channel(try text().pattern, try choice())
        case "message":
            .message(
                try text().pattern, from: named.removeValue(forKey: "from")?.pattern,
                count: try named.removeValue(forKey: "count").map(number), state: try namedChoice("state"))
        case "status": .status(try text().pattern)
        case "typing": .typing(try text().pattern)
        case "unread": .unread(try text().pattern, try number(try text("how many are unread")))
        case "error": .error(try text().pattern)
        case "screen": .screen(try text().pattern)
        default: throw error(subject, "There is no predicate `\(subject.value)`. \(Self.forms)")
        }
    }

    private mutating func text(_ what: String = "a text") throws(ScriptError) -> SceneWord {
        guard !positional.isEmpty else { throw error(subject, "`\(subject.value)` needs \(what). \(Self.forms)") }
        return positional.removeFirst()
    }

    private func number(_ word: SceneWord) throws(ScriptError) -> Int {
        guard let number = Int(word.value), (0...1_000_000).contains(number) else {
            throw error(word, "A number from 0 to 1000000 is needed here.")
        }
        return number
    }

    private mutating func choice<Choice: RawRepresentable<String> & CaseIterable>() throws(ScriptError) -> Choice? {
        positional.isEmpty ? nil : try choice(positional.removeFirst())
    }

    private mutating func namedChoice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String
    ) throws(ScriptError) -> Choice? {
        try named.removeValue(forKey: name).map(choice)
    }

    private func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ word: SceneWord
    ) throws(ScriptError) -> Choice {
        guard let choice = Choice(rawValue: word.value) else {
            let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw error(word, "One of these is needed here: \(choices).")
        }
        return choice
    }

    private func error(_ word: SceneWord, _ what: String) -> ScriptError {
        ScriptError(SourceLocation(file: location.file, line: location.line, column: word.column), what)
    }
}
