import Models
import Testing

@testable import Scenes

@Suite("Initials")
struct InitialsTests {
    @Test(
        "the first and the last word give one letter each",
        arguments: [
            ("Bob", "B"), ("bob", "B"), ("Bob Smith", "BS"), ("Anna Maria Lee", "AL"), ("  Bob   Smith ", "BS"),
            ("(Bob) \"Smith\"", "BS"), ("élan vital", "ÉV"), ("山田 太郎", "山太"), ("007 Bond", "0B"), ("Bob 👋", "B"),
            ("👋", "👋"), ("👨‍👩‍👧 🎉", "👨‍👩‍👧"), ("...", "."), ("", "?"), ("\u{200B}", "?"), ("\u{301}Bob", "B"),
        ])
    func initials(_ name: String, _ expected: String) {
        #expect(Initials.of(RemoteText(name)) == RemoteText(expected))
    }

    @Test("a letter under a thousand marks stays small")
    func bounded() {
        let initials = Initials.of(RemoteText("B" + String(repeating: "\u{301}", count: 1_000)))

        #expect(initials.unsanitised.unicodeScalars.count <= 12)
    }
}
