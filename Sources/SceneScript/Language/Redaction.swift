import Foundation
import Models
import TextUI

extension SceneStep {
    /// The line as it was written, with `<redacted>` in place of passwords and tokens.
    public var redactedText: String {
        let isSecret: (CommandWord) -> String?
        switch action {
        case .perform: isSecret = Self.redactedArgument
        case .request: isSecret = Self.redactedPart
        case .await, .refute, .advance, .network, .server: return text
        }
        guard let blank = text.firstIndex(where: { $0 == " " || $0 == "\t" }) else { return text }
        return text[..<blank] + Self.redacted(text[blank...], isSecret)
    }

    /// `line` with what `replacement` returns in place of words' values; all of it where it cannot be read.
    private static func redacted(_ line: Substring, _ replacement: (CommandWord) -> String?) -> String {
        guard let words = try? CommandWord.words(in: String(line)) else { return " \(Secret(""))" }
        var characters = Array(line)
        for (index, word) in words.enumerated().reversed() {
            guard let key = word.key, let value = replacement(word) else { continue }
            let end = index + 1 < words.count ? words[index + 1].column - 1 : characters.count
            let blanks = characters[..<end].reversed().prefix { $0 == " " || $0 == "\t" }.count
            characters.replaceSubrange(word.column - 1..<end - blanks, with: "\(key)=\(value)")
        }
        return String(characters)
    }

    /// What to print for a named argument of a command; nil where it is no secret.
    private static func redactedArgument(_ word: CommandWord) -> String? {
        CommandCatalogue.secretNames.contains(word.key ?? "") ? "\(Secret(word.value))" : nil
    }

    /// What to print for the body or a part of the query of a request; nil where nothing in it is a secret.
    private static func redactedPart(_ word: CommandWord) -> String? {
        guard word.key == "body" else { return isSecretName(word.key ?? "") ? "\(Secret(word.value))" : nil }
        guard SceneWord.variable(word) == nil else { return nil }
        guard let body = try? JSONValue(parsing: Data(word.value.utf8)) else { return "\(Secret(word.value))" }
        let redacted = redacted(body)
        // Of a name that stands twice one value is read only, the other would be printed as it is written.
        guard redacted != body || isSecretName(word.value) else { return nil }
        return CommandWord.quoted(String(decoding: redacted.serialized(), as: UTF8.self))
    }

    private static func redacted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let members):
            .object(
                Dictionary(
                    uniqueKeysWithValues: members.map { name, value in
                        (name, isSecretName(name) ? .string("\(Secret(""))") : redacted(value))
                    }))
        case .array(let values): .array(values.map(redacted))
        case .null, .bool, .integer, .number, .string: value
        }
    }

    /// `password`, `new_password`, `access_token`, `loginToken`, `client_secret` …
    private static func isSecretName(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["password", "token", "secret"].contains { name.contains($0) }
    }
}
