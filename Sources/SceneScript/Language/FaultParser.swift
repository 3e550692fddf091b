import TextUI
import Workers

/// Reads what stands behind `network>` and `server>`.
struct FaultParser {
    private static let networkForms =
        "offline A · online A · fail A send 2 · delay A send 500ms · drop-response A send · limit A send 429 after=2s"
    private static let serverForms = "restart · expire-token A user|chat|refresh · words"

    private var words: [SceneWord]
    private let location: SourceLocation
    private let forms: String

    static func network(_ words: [SceneWord], at location: SourceLocation) throws(ScriptError) -> NetworkStep {
        var parser = FaultParser(words: words, location: location, forms: networkForms)
        let step = try parser.network()
        try parser.end()
        return step
    }

    static func server(_ words: [SceneWord], at location: SourceLocation) throws(ScriptError) -> ServerStep {
        var parser = FaultParser(words: words, location: location, forms: serverForms)
        let step = try parser.server()
        try parser.end()
        return step
    }

    private mutating func network() throws(ScriptError) -> NetworkStep {
        let kind = try next()
        switch kind.value {
        case "offline": return .offline(actor: try actor())
        case "online": return .online(actor: try actor())
        case "fail":
            return .fail(actor: try actor(), operation: try operation(), count: try number(1...1_000_000))
        case "delay": return .delay(actor: try actor(), operation: try operation(), try duration(try next()))
        case "drop-response": return .dropResponse(actor: try actor(), operation: try operation())
        case "limit":
            let (actor, operation) = (try actor(), try operation())
            let status = try number(400...599)
            let after = try named("after").map { word throws(ScriptError) in try duration(word) }
            return .limit(actor: actor, operation: operation, status: status, after: after)
        default: throw error(kind, "There is no such fault.")
        }
    }

    private mutating func server() throws(ScriptError) -> ServerStep {
        let kind = try next()
        switch kind.value {
        case "restart": return .restart
        case "words": return .words
        case "expire-token":
            let (actor, word) = (try actor(), try next())
            guard let token = ServerStep.Token(rawValue: word.value) else { throw error(word, "No such token.") }
            return .expireToken(actor: actor, token)
        default: throw error(kind, "There is no such fault.")
        }
    }

    private mutating func next() throws(ScriptError) -> SceneWord {
        guard let index = words.firstIndex(where: { $0.key == nil }) else {
            throw ScriptError(location, "A word is missing here. \(forms)")
        }
        return words.remove(at: index)
    }

    private mutating func named(_ key: String) -> SceneWord? {
        words.firstIndex { $0.key == key }.map { words.remove(at: $0) }
    }

    private mutating func actor() throws(ScriptError) -> String {
        let word = try next()
        guard SceneLine.isActor(word.value) else { throw error(word, "The name of an actor is needed here.") }
        return word.value
    }

    private mutating func operation() throws(ScriptError) -> Workers.Operation {
        let word = try next()
        guard let operation = Workers.Operation(rawValue: word.value) else {
            let names = Workers.Operation.allCases.map(\.rawValue).joined(separator: ", ")
            throw error(word, "There is no such operation; there are \(names).")
        }
        return operation
    }

    private mutating func number(_ range: ClosedRange<Int>) throws(ScriptError) -> Int {
        let word = try next()
        guard let number = Int(word.value), range.contains(number) else {
            throw error(word, "A number from \(range.lowerBound) to \(range.upperBound) is needed here.")
        }
        return number
    }

    private func duration(_ word: SceneWord) throws(ScriptError) -> Duration {
        guard let duration = DurationText.duration(word.value) else {
            throw error(word, "A duration is needed here, as in 500ms or 2s.")
        }
        return duration
    }

    private func end() throws(ScriptError) {
        if let rest = words.first { throw error(rest, "Nothing more is taken here.") }
    }

    private func error(_ word: SceneWord, _ what: String) -> ScriptError {
        ScriptError(
            SourceLocation(file: location.file, line: location.line, column: word.column), "\(what) \(forms)")
    }
}
