import Foundation

/// Names as lists sort and find them: blind to case, accents and width, by the rules of one locale.
struct NameFolding: Sendable {
    private let locale: Locale
    /// Whether the locale's rules for the letters of ASCII are those of everybody.
    private let isOrdinary: Bool

    init(_ locale: Locale) {
        self.locale = locale
        // The dotted and the dotless i.
        isOrdinary = !["az", "lt", "tr"].contains(locale.language.languageCode?.identifier)
    }

    func folded(_ text: String) -> String {
        // Most names are plain, and of thousands each is folded.
        if isOrdinary, text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        return text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: locale)
    }
}
