import TextUI

/// Reads what stands behind `request>`.
struct RequestParser {
    private static let form =
        "request> A GET rooms $room messages dir=b status=403 · request> A POST rooms $room leave body=\"{}\""
    private static let methods = ["GET", "POST", "PUT", "DELETE"]

    private let location: SourceLocation

    static func parse(
        _ words: [SceneWord], kept: Set<String>, at location: SourceLocation
    ) throws(ScriptError) -> RequestStep {
        try RequestParser(location: location).step(words, kept)
    }

    private func step(_ words: [SceneWord], _ kept: Set<String>) throws(ScriptError) -> RequestStep {
        let positional = words.filter { $0.key == nil }
        guard positional.count >= 3 else { throw ScriptError(location, "A word is missing here. \(Self.form)") }
        guard SceneLine.isActor(positional[0].value) else {
            throw error(positional[0], "The name of an actor is needed here.")
        }
        guard Self.methods.contains(positional[1].value) else {
            throw error(positional[1], "One of these is needed here: \(Self.methods.joined(separator: ", ")).")
        }
        for word in positional[2...] + words.filter({ $0.key != nil }) {
            guard let variable = SceneWord.variable(word.word), !kept.contains(variable) else { continue }
            throw error(word, "Nothing is kept as $\(variable) before this line.")
        }
        var step = RequestStep(
            actor: positional[0].value, method: positional[1].value, segments: positional[2...].map(\.word), query: [:],
            status: 200)
        var seen: Set<String> = []
        for word in words {
            guard let key = word.key else { continue }
            guard seen.insert(key).inserted else { throw error(word, "`\(key)=` stands here twice.") }
            switch key {
            case "body": step.body = word.word
            case "status":
                guard let status = Int(word.value), (200...599).contains(status) else {
                    throw error(word, "A status from 200 to 599 is needed here.")
                }
                step.status = status
            default: step.query[key] = word.word
            }
        }
        return step
    }

    private func error(_ word: SceneWord, _ what: String) -> ScriptError {
        ScriptError(
            SourceLocation(file: location.file, line: location.line, column: word.column), "\(what) \(Self.form)")
    }
}
