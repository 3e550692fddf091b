import Testing

@testable import TextUI

@Suite("Wrapping and cutting")
struct WrappingTests {
    private func wrap(_ text: String, _ columns: Int) -> [String] {
        Sanitiser.line(text).wrapped(to: columns).map(\.text)
    }

    @Test("lines break at blanks, which go with the break")
    func blanks() {
        #expect(wrap("one two three", 13) == ["one two three"])
        #expect(wrap("one two three", 12) == ["one two", "three"])
        #expect(wrap("one two three", 8) == ["one two", "three"])
        #expect(wrap("one two three", 7) == ["one two", "three"])
        #expect(wrap("one two three", 6) == ["one", "two", "three"])
        #expect(wrap("a    b", 3) == ["a", "b"])
        #expect(wrap("  indented text", 10) == ["  indented", "text"])
        #expect(wrap("", 10) == [""])
        #expect(wrap("     ", 2) == [""])
    }

    @Test("a letter that is one character with the blank behind it stays where the blank goes")
    func prepended() {
        #expect(wrap("ab \u{11A87} ", 10) == ["ab \u{11A87}"])
        #expect(Sanitiser.line("ab \u{11A87}  cd").cut(to: 6).text == "ab \u{11A87}…")
    }

    @Test("a word that is too long is broken, at a cluster")
    func longWords() {
        #expect(wrap("abcdefgh", 3) == ["abc", "def", "gh"])
        #expect(wrap("ab cdefgh", 4) == ["ab", "cdef", "gh"])
        #expect(wrap("e\u{301}e\u{301}e\u{301}", 2) == ["e\u{301}e\u{301}", "e\u{301}"])
        #expect(wrap("  abcdef", 4) == ["  ab", "cdef"])
    }

    @Test("wide characters break beside each other, and one too wide shows as …")
    func wide() {
        #expect(wrap("日本語", 4) == ["日本", "語"])
        #expect(wrap("日本語", 5) == ["日本", "語"])
        #expect(wrap("ab日本語cd", 6) == ["ab日本", "語cd"])
        #expect(wrap("👨‍👩‍👧👨‍👩‍👧", 2) == ["👨‍👩‍👧", "👨‍👩‍👧"])
        #expect(wrap("日a", 1) == ["…", "a"])
    }

    @Test("a cut ends in … and at a cluster")
    func cuts() {
        func cut(_ text: String, _ columns: Int) -> String { Sanitiser.line(text).cut(to: columns).text }

        #expect(cut("Alice", 5) == "Alice")
        #expect(cut("Alice", 4) == "Ali…")
        #expect(cut("Alice B", 7) == "Alice B")
        #expect(cut("Alice B", 6) == "Alice…")
        #expect(cut("日本語", 5) == "日本…")
        #expect(cut("日本語", 4) == "日…")
        #expect(cut("👨‍👩‍👧👨‍👩‍👧", 3) == "👨‍👩‍👧…")
        #expect(cut("日", 1) == "…")
        #expect(cut("a", 0) == "")
    }

    @Test("padding fills up to a width, and never cuts")
    func padding() {
        #expect(Sanitiser.line("日").padded(to: 4).text == "日  ")
        #expect(Sanitiser.line("Alice").padded(to: 3).text == "Alice")
    }

    @Test("no piece is wider than asked for, and nothing but blanks is lost", arguments: 1...30)
    func generated(columns: Int) {
        var texts = TextGenerator(seed: UInt64(columns))

        for _ in 0..<100 {
            let line = Sanitiser.line(texts.next())
            let pieces = line.wrapped(to: columns)
            #expect(pieces.allSatisfy { $0.width <= columns && $0.width == ColumnWidth.of($0.text) })
            #expect(line.cut(to: columns).width <= columns)
            let before = line.text.unicodeScalars.filter { $0 != " " }
            let after = pieces.flatMap { $0.text.unicodeScalars.filter { $0 != " " } }
            #expect(columns < 3 || Array(before) == after, "\(line.text)")
        }
    }
}
