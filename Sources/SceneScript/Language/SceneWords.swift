import TextUI

/// A word of a script's line behind its `actor>`: one of a command's, or a `/regular expression/`.
struct SceneWord: Equatable {
    var word: CommandWord
    /// Whether the value stood between slashes.
    var isExpression = false

    var key: String? { word.key }
    var value: String { word.value }
    var column: Int { word.column }

    /// What to look for.
    var pattern: TextPattern { isExpression ? .expression(value) : .part(value) }

    /// The words of `text`, which begins at `location`; their columns count from the beginning of the line.
    static func words(
        in text: Substring, at location: SourceLocation, expressions: Bool = false
    ) throws(ScriptError) -> [SceneWord] {
        var reader = SceneWordReader(rest: text, location: location)
        return try expressions ? reader.wordsAndExpressions() : reader.plainWords(text)
    }

    /// Whether the word is `$name`, outside of quotes.
    static func variable(_ word: CommandWord) -> String? {
        guard !word.isQuoted, word.value.first == "$" else { return nil }
        let name = word.value.dropFirst()
        guard let first = name.first, first.isASCII, first.isLetter,
            name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
        else { return nil }
        return String(name)
    }
}

private struct SceneWordReader {
    var rest: Substring
    /// Where `rest` begins.
    var location: SourceLocation

    mutating func wordsAndExpressions() throws(ScriptError) -> [SceneWord] {
        var words: [SceneWord] = []
        while let slash = expressionStart() {
            let before = rest[..<slash]
            let key = before.last == "=" ? before.split(whereSeparator: isBlank).last : nil
            let plain = before.dropLast(key?.count ?? 0)
            words += try plainWords(plain)
            advance(to: plain.endIndex)
            let column = location.column
            advance(to: slash)
            let source = try expression()
            let word = CommandWord(key: key.map { String($0.dropLast()) }, value: source, column: column)
            words.append(SceneWord(word: word, isExpression: true))
        }
        return words + (try plainWords(rest))
    }

    func plainWords(_ text: Substring) throws(ScriptError) -> [SceneWord] {
        do {
            return try CommandWord.words(in: String(text)).map { word in
                var word = word
                word.column += location.column - 1
                return SceneWord(word: word)
            }
        } catch {
            throw ScriptError(place(location.column + error.column - 1), error.message)
        }
    }

    /// The first slash outside of quotes that begins a word, or the value of a named one.
    private func expressionStart() -> Substring.Index? {
        var isQuoted = false
        var isEscaped = false
        var word = Substring()
        for index in rest.indices {
            let character = rest[index]
            if isQuoted {
                if !isEscaped, character == "\"" { isQuoted = false }
                isEscaped = !isEscaped && character == "\\"
            } else if isBlank(character) {
                word = Substring()
                continue
            } else if character == "\"" {
                isQuoted = true
            } else if character == "/", word.isEmpty || isKey(word) {
                return index
            }
            word.append(character)
        }
        return nil
    }

    /// Reads what stands between the slash that `rest` begins with and the next one that is not escaped.
    private mutating func expression() throws(ScriptError) -> String {
        var source = ""
        var isEscaped = false
        for index in rest.indices.dropFirst() {
            let character = rest[index]
            if isEscaped {
                source += character == "/" ? "/" : "\\" + String(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "/" {
                return try end(of: source, at: rest.index(after: index))
            } else {
                source.append(character)
            }
        }
        throw ScriptError(location, "This regular expression is not closed. End it with /, and write \\/ for a slash.")
    }

    private mutating func end(of source: String, at end: Substring.Index) throws(ScriptError) -> String {
        let start = location
        advance(to: end)
        if let next = rest.first, !isBlank(next) {
            throw ScriptError(location, "A blank is missing after the regular expression. Write \\/ for a slash in it.")
        }
        guard !source.isEmpty else {
            throw ScriptError(start, "This regular expression is empty and would be found anywhere.")
        }
        do { _ = try Regex(source) } catch {
            throw ScriptError(start, "This regular expression cannot be read: \(error)")
        }
        return source
    }

    private mutating func advance(to index: Substring.Index) {
        location.column += rest[..<index].count
        rest = rest[index...]
    }

    private func place(_ column: Int) -> SourceLocation {
        SourceLocation(file: location.file, line: location.line, column: column)
    }

    private func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }

    private func isKey(_ word: Substring) -> Bool {
        word.last == "=" && word.count > 1
            && word.dropLast().allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
    }
}
