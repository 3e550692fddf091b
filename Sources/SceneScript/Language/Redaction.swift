import Models
import TextUI

extension SceneStep {
    /// The line as it was written, with `<redacted>` in place of passwords.
    public var redactedText: String {
        guard case .perform = action, let blank = text.firstIndex(where: { $0 == " " || $0 == "\t" }) else {
            return text
        }
        let prefix = text[..<blank]
        return prefix + Self.redacted(text[blank...])
    }

    /// `line`, a command, with `<redacted>` in place of passwords; all of it where it cannot be read.
    static func redacted(_ line: Substring) -> String {
        guard let words = try? CommandWord.words(in: String(line)) else { return " <redacted>" }
        var characters = Array(line)
        for (index, word) in words.enumerated().reversed() {
            guard let key = word.key, CommandCatalogue.secretNames.contains(key) else { continue }
            let end = index + 1 < words.count ? words[index + 1].column - 1 : characters.count
            let blanks = characters[..<end].reversed().prefix { $0 == " " || $0 == "\t" }.count
            let replacement = "\(key)=\(Secret(word.value))"
            characters.replaceSubrange(word.column - 1..<end - blanks, with: replacement)
        }
        return String(characters)
    }
}
