import Models
import Testing

@Suite("Same bytes")
struct SameBytesTests {
    @Test("what is canonically equivalent is not the same bytes", arguments: [("é", "e\u{301}"), ("Å", "\u{212B}")])
    func equivalent(left: String, right: String) {
        #expect(left == right)
        #expect(!left.hasSameBytes(as: right))
    }

    @Test("marks in another order are as many bytes and not the same")
    func order() {
        let (left, right) = ("a\u{323}\u{307}", "a\u{307}\u{323}")

        #expect(left == right && left.utf8.count == right.utf8.count)
        #expect(!left.hasSameBytes(as: right))
    }

    @Test(
        "short, long, empty and of another make",
        arguments: ["", "a", "0123456789abcdef", String(repeating: "ü", count: 40)])
    func same(text: String) {
        let copy = String(decoding: Array(text.utf8), as: UTF8.self)

        #expect(text.hasSameBytes(as: copy))
        #expect(!text.hasSameBytes(as: copy + "x"))
        #expect(!(copy + "y").hasSameBytes(as: text + "x"))
    }
}
