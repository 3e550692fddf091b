import Models

/// One or two letters in place of a picture.
enum Initials {
    /// Of the first and the last word that begin with a letter or digit somewhere; the first visible character of a name
    /// without any.
    static func of(_ name: RemoteText) -> RemoteText {
        let text = Visible.trimmed(name.unsanitised)
        let letters = text.split(whereSeparator: \.isWhitespace).compactMap { word in
            word.first { $0.isLetter || $0.isNumber }
        }
        guard let first = letters.first else {
            let visible = text.first { $0.unicodeScalars.contains { !Visible.isBlank($0) && !Visible.isMark($0) } }
            return RemoteText(visible.map(bounded) ?? "?")
        }
        let ends = letters.count > 1 ? [first] + letters.suffix(1) : [first]
        return RemoteText(ends.map { bounded($0).uppercased() }.joined())
    }

    /// A character may bear any number of marks; an initial bears as many as an emoji needs at most.
    private static func bounded(_ character: Character) -> String {
        var result = String.UnicodeScalarView()
        result.append(contentsOf: character.unicodeScalars.prefix(12))
        return String(result)
    }
}
