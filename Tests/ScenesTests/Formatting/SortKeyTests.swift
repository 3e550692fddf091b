import Foundation
import Models
import Testing

@testable import Scenes

@Suite("SortKey")
struct SortKeyTests {
    private func sorted(_ names: [String], locale: String = "en_US_POSIX") -> [String] {
        names.enumerated().map { index, name in
            (
                name,
                SortKey(
                    name: RemoteText(name), id: UserID("@\(index):x"), folding: NameFolding(Locale(identifier: locale)))
            )
        }.sorted { $0.1 < $1.1 }.map(\.0)
    }

    @Test("names sort blind to case and accents")
    func caseBlind() {
        #expect(sorted(["bob", "Élan", "Anna", "eve", "Bert"]) == ["Anna", "Bert", "bob", "Élan", "eve"])
    }

    @Test("equal names sort by id")
    func ties() {
        let first = SortKey(name: "Bob", id: UserID("@a:x"), folding: NameFolding(Locale(identifier: "en_US_POSIX")))
        let second = SortKey(name: "bob", id: UserID("@b:x"), folding: NameFolding(Locale(identifier: "en_US_POSIX")))

        #expect(first < second)
        #expect(!(second < first))
    }

    @Test("what cannot be seen does not move a name to the top")
    func invisible() {
        #expect(sorted(["Bob", "\u{200B}\u{200B}Cy", " Anna"]) == [" Anna", "Bob", "\u{200B}\u{200B}Cy"])
    }
}
