import Testing

@testable import Scenes

@Suite("OutgoingText")
struct OutgoingTextTests {
    @Test("control characters other than tab and newline are taken out and counted")
    func controls() {
        let text = OutgoingText("a\u{1B}[31mb\u{7}\tc\nd\u{9B}\u{7F}\0")

        #expect(text.text == "a[31mb\tc\nd")
        #expect(text.removed == 5)
    }

    @Test("a line of another system ends with one newline, which is no change worth a word")
    func lineEnds() {
        let text = OutgoingText("a\r\nb\rc")

        #expect(text.text.utf8.elementsEqual("a\nbc".utf8))
        #expect(text.removed == 1)
    }

    @Test("joiners and letters of all scripts stay")
    func untouched() {
        let text = OutgoingText("👨‍👩‍👧 שלום é")

        #expect(text.text.utf8.elementsEqual("👨‍👩‍👧 שלום é".utf8))
        #expect(text.removed == 0)
    }

    @Test("what shows nothing is empty", arguments: ["", " ", "\n\t", "\u{7}", "\u{200B}\u{2060}"])
    func empty(_ typed: String) {
        #expect(OutgoingText(typed).isEmpty)
    }

    @Test("one visible character is enough", arguments: [".", "👋", " x "])
    func visible(_ typed: String) {
        #expect(!OutgoingText(typed).isEmpty)
    }
}
