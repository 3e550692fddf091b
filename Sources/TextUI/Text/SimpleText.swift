/// Characters that are safe, stand alone and have one known width: most text that people write consists of nothing else.
///
/// The tables only make ordinary text fast; whatever is not in them takes the long way and comes out the same.
enum SimpleText {
    /// The columns of a text made of nothing else; nil for all other text.
    static func width(of text: String) -> Int? {
        var sum = 0
        for scalar in text.unicodeScalars {
            guard let width = width(of: scalar) else { return nil }
            sum += width
        }
        return sum
    }

    /// The columns of a character of these; nil for all others.
    static func width(of scalar: UnicodeScalar) -> Int? {
        switch scalar.value {
        // Latin with its accents, Cyrillic, dashes and quotation marks.
        case 0x20..<0x7F, 0xA1..<0xAD, 0xAE..<0x300, 0x400..<0x483, 0x48A..<0x530, 0x2010..<0x2028: 1
        // Punctuation and syllables of Japanese, Han, Hangul, full-width forms.
        case 0x3001..<0x302A, 0x3041..<0x3097, 0x30A0..<0x3100, 0x4E00..<0xA000, 0xAC00..<0xD7A4, 0xFF01..<0xFF61: 2
        // Emoji that are drawn as such without more: hands, people, hearts, objects, faces.
        case 0x1F442..<0x1F4FD, 0x1F600..<0x1F650: 2
        default: nil
        }
    }
}
