import Foundation
import Testing

@testable import Scenes

@Suite("NameFolding")
struct NameFoldingTests {
    private static let ascii = String(String.UnicodeScalarView((0..<0x80).compactMap { Unicode.Scalar($0) }))

    @Test(
        "plain names are folded as the platform folds them",
        arguments: ["en_US_POSIX", "de_DE", "tr_TR", "az_AZ", "lt_LT", "ja_JP", "ar_EG", "und", ""])
    func plain(locale: String) {
        let locale = Locale(identifier: locale)

        let folded = NameFolding(locale).folded(Self.ascii)

        let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive, .widthInsensitive]
        #expect(Array(folded.utf8) == Array(Self.ascii.folding(options: options, locale: locale).utf8))
    }

    @Test("accents and width are folded away", arguments: [("Élan", "elan"), ("ＡＢＣ", "abc"), ("Straße", "strasse")])
    func other(name: String, expected: String) {
        #expect(NameFolding(Locale(identifier: "en_US_POSIX")).folded(name) == expected)
    }
}
