import Models
import Testing

@testable import TextUI

@Suite("Sanitiser")
struct SanitiserTests {
    @Test(
        "what could command a terminal or hide is shown",
        arguments: [
            ("\u{1B}[2J", "␛[2J"), ("\u{1B}", "␛"), ("a\u{7}\u{8}\u{0}", "a␇␈␀"), ("\u{E}x\u{F}", "␎x␏"),
            ("a\tb", "a␉b"),
            ("a\r\nb", "a␍␊b"), ("\u{7F}", "␡"), ("\u{9B}31m", "<U+009B>31m"), ("\u{85}", "<U+0085>"),
            ("\u{202E}abc", "<U+202E>abc"), ("\u{2066}x\u{2069}", "<U+2066>x<U+2069>"),
            ("a\u{200E}\u{200F}\u{61C}", "a<U+200E><U+200F><U+061C>"),
            ("a\u{200B}b", "a<U+200B>b"), ("a\u{200D}b", "a<U+200D>b"), ("a\u{200C}b", "a<U+200C>b"),
            ("\u{FEFF}", "<U+FEFF>"),
            ("\u{2028}\u{2029}", "<U+2028><U+2029>"), ("so\u{AD}ft", "so<U+00AD>ft"), ("\u{E0041}", "<U+E0041>"),
            ("\u{3164}", "<U+3164>"), ("\u{E000}", "<U+E000>"), ("\u{10FFFF}", "<U+10FFFF>"), ("\u{FFFD}", "\u{FFFD}"),
            ("👋\u{FE0F}\u{FE0F}", "👋\u{FE0F}<U+FE0F>"), ("x\u{FE0F}", "x<U+FE0F>"), ("1\u{FE0F}", "1<U+FE0F>"),
            ("👨\u{200D}", "👨<U+200D>"), ("👨\u{200D}a", "👨<U+200D>a"), ("🏴\u{E0061}\u{E007F}", "🏴<U+E0061><U+E007F>"),
        ])
    func controls(text: String, shown: String) {
        #expect(Array(Sanitiser.line(text).text.unicodeScalars) == Array(shown.unicodeScalars))
    }

    @Test(
        "ordinary text of any script, and joiners where they belong, stay as they are",
        arguments: [
            "hello", "Grüße, 日本語 한국어 ｆｕｌｌ", "e\u{301}", "👨‍👩‍👧‍👦", "👩🏽‍💻 🏳️‍🌈 ❤️‍🔥", "🇩🇪", "1️⃣", "❤️", "❤\u{FE0E}", "©️", "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
            "می‌خواهم", "क्‍ष", "שלום", "ไทย", "a\u{A0}b",
        ])
    func kept(text: String) {
        #expect(Array(Sanitiser.line(text).text.utf8) == Array(text.utf8))
    }

    @Test("marks without a letter stand on a circle, and too many marks are spelled out")
    func marks() {
        let zalgo = "a" + String(repeating: "\u{301}", count: 10)

        #expect(Sanitiser.line("\u{301}a").text == "\u{25CC}\u{301}a")
        #expect(Sanitiser.line("\u{1161}").text == "<U+1161>")
        #expect(
            Array(Sanitiser.line(zalgo).text.unicodeScalars)
                == Array(("a" + String(repeating: "\u{301}", count: 8) + "<U+0301><U+0301>").unicodeScalars))
    }

    @Test("a line feed parts the lines of a text, blank lines at its end are dropped")
    func lines() {
        #expect(Sanitiser.text("a\n\nb\n \n\n").lines.map(\.text) == ["a", "", "b"])
        #expect(Sanitiser.text("a\r\nb").lines.map(\.text) == ["a␍", "b"])
        #expect(Sanitiser.text("").lines.map(\.text) == [""])
        #expect(Sanitiser.text("\n").lines.map(\.text) == [""])
    }

    @Test("no text leaves anything but printables, and its width is known", arguments: 0..<8)
    func generated(seed: UInt64) { check(seed: seed, rounds: 600) }

    func check(seed: UInt64, rounds: Int) {
        var texts = TextGenerator(seed: seed)

        for _ in 0..<rounds {
            let text = texts.next()
            let line = Sanitiser.line(text)
            #expect(line.text.unicodeScalars.allSatisfy(isPrintable(in: line.text)), "\(text.debugDescription)")
            #expect(line.width == ColumnWidth.of(line.text), "\(text.debugDescription)")
            #expect(Sanitiser.line(line.text) == line, "\(text.debugDescription)")
        }
    }
}

@Suite("Sanitiser, at length")
struct SanitiserSoakTests {
    @Test("no text leaves anything but printables, and its width is known", arguments: 0..<8)
    func generated(seed: UInt64) { SanitiserTests().check(seed: seed, rounds: 1_500) }
}
