import Testing

@testable import SceneScript

@Suite("GoldenLine")
struct GoldenLineTests {
    @Test(
        "matches by bytes, with [..] for any text",
        arguments: [
            ("Contacts", "Contacts", true), ("Contacts", "contacts", false), ("", "", true), ("", "x", false),
            ("[..]", "", true), ("[..]", "anything", true), ("a[..]", "a", true), ("a[..]a", "a", false),
            ("a[..]a", "aa", true), ("[..]b[..]", "abc", true), ("[..]b[..]", "ac", false),
            ("a[..]b[..]c", "a b b c", true),
            ("a[..]bb[..]c", "a b c", false), ("[..]ab", "aab", true), ("[..][..]", "", true),
            ("\u{E9}", "e\u{301}", false), ("x¬", "x", true), ("x ¬", "x ", true), ("¬", "", true), ("x¬¬", "x¬", true),
            ("x ", "x", false), ("(nothing)¬", "(nothing)", true),
        ])
    func matching(_ pattern: String, _ line: String, _ isMatch: Bool) {
        #expect(GoldenLine(pattern).matches(line) == isMatch)
    }

    @Test("three points alone stand for any lines, however far they are indented")
    func anyLines() {
        #expect(GoldenLine("...").isAnyLines)
        #expect(GoldenLine("    ... ").isAnyLines)
        #expect(!GoldenLine("...x").isAnyLines)
        #expect(!GoldenLine("... ...").isAnyLines)
    }

    @Test("every line is written so that it matches itself, and its end can be seen")
    func source() {
        for line in ["", " ", "x", "x ", "x\t", "¬", "x¬", "(nothing)", "[..]", "...", "é", "e\u{301}", "[words]a"] {
            let source = GoldenLine.source(of: line)

            #expect(GoldenLine(source).isAnyLines || GoldenLine(source).matches(line), "\(line)")
            #expect(source.last != " " && source.last != "\t" && !source.isEmpty, "\(line)")
        }
    }

    @Test("many wildcards against a long line take no time")
    func manyWildcards() {
        let pattern = GoldenLine(String(repeating: "[..]a", count: 200) + "b")

        #expect(!pattern.matches(String(repeating: "a", count: 4_000)))
    }
}
