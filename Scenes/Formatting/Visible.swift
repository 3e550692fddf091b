/// What of a text can be seen.
enum Visible {
    /// Takes no room or shows nothing: zero-width characters, bidi and other controls, fillers, blanks.
    static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value <= 0x20 || scalar.value == 0x7F }
        let properties = scalar.properties
        if properties.isDefaultIgnorableCodePoint || properties.isWhitespace { return true }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator: return true
        // The Braille pattern without dots is a symbol by its category and a blank to the eye.
        default: return scalar.value == 0x2800
        }
    }

    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }

    /// A mark that needs a letter to stand on.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII else { return false }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return true
        default: return false
        }
    }

    /// Turns the direction of what follows: embeddings, overrides and isolates.
    static func turnsDirection(_ scalar: Unicode.Scalar) -> Bool {
        (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }

    /// Whether there is anything to see. Marks with no letter to stand on count as nothing.
    static func hasAnything(_ text: String) -> Bool {
        text.unicodeScalars.contains { !isBlank($0) && !isMark($0) }
    }

    /// Without what is blank or a stray mark at the start, and what is blank at the end.
    static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !isBlank($0) && !isMark($0) }),
            let last = scalars.lastIndex(where: { !isBlank($0) })
        else { return "" }
        var end = scalars.index(after: last)
        while end < scalars.endIndex, completesEmoji(scalars[end], after: scalars[last]) {
            end = scalars.index(after: end)
        }
        return String(scalars[first..<end])
    }

    /// A variation selector, or a tag of a flag.
    private static func completesEmoji(_ scalar: Unicode.Scalar, after last: Unicode.Scalar) -> Bool {
        guard last.value > 0x2000, last.properties.isEmoji || isMark(last) else { return false }
        return (0xFE00...0xFE0F).contains(scalar.value) || (0xE0020...0xE007F).contains(scalar.value)
    }
}
