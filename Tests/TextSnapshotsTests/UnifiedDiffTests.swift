import Testing

@testable import TextSnapshots

@Suite("UnifiedDiff")
struct UnifiedDiffTests {
    @Test("equal texts have no difference")
    func equal() {
        #expect(UnifiedDiff(expected: ["a", "b"], actual: ["a", "b"]) == nil)
        #expect(UnifiedDiff(expected: [], actual: []) == nil)
    }

    @Test("a changed line shows with four lines around it")
    func context() {
        let expected = (1...12).map { "line \($0)" }
        var actual = expected
        actual[6] = "changed"

        let difference = UnifiedDiff(expected: expected, actual: actual)

        #expect(
            difference?.lines == [
                "--- expected", "+++ actual", "@@ -3,9 +3,9 @@",
                " line 3", " line 4", " line 5", " line 6", "-line 7", "+changed", " line 8", " line 9", " line 10",
                " line 11",
            ])
    }

    @Test("changes far apart stand in hunks of their own, changes close together share one")
    func hunks() {
        let expected = (1...30).map { "line \($0)" }
        var actual = expected
        actual[0] = "first"
        actual[8] = "ninth"
        actual[29] = "last"

        let places = UnifiedDiff(expected: expected, actual: actual)?.lines.filter { $0.hasPrefix("@@") }

        #expect(places == ["@@ -1,13 +1,13 @@", "@@ -26,5 +26,5 @@"])
    }

    @Test("all that is new or gone has its place counted as diff does")
    func empty() {
        #expect(
            UnifiedDiff(expected: [], actual: ["new"])?.lines
                == ["--- expected", "+++ actual", "@@ -0,0 +1 @@", "+new"])
        #expect(
            UnifiedDiff(expected: ["old", "older"], actual: [], expectedName: "a.txt", actualName: "b.txt")?.lines
                == ["--- a.txt", "+++ b.txt", "@@ -1,2 +0,0 @@", "-old", "-older"])
    }

    @Test("trailing blanks are marked")
    func trailingBlanks() {
        let difference = UnifiedDiff(expected: ["a", "same "], actual: ["a  ", "same "])

        #expect(difference?.lines.suffix(3) == ["-a", "+a  ¬", " same ¬"])
    }

    @Test("composed and decomposed letters differ, and are spelled out")
    func composition() {
        let difference = UnifiedDiff(expected: ["caf\u{E9} ü"], actual: ["cafe\u{301} ü"])

        #expect(difference?.lines.suffix(2) == ["-caf\\u{E9} \\u{FC}", "+cafe\\u{301} \\u{FC}"])
    }

    @Test("letters that differ to the eye are not spelled out")
    func legible() {
        let difference = UnifiedDiff(expected: ["über"], actual: ["ober ü"])

        #expect(difference?.lines.suffix(2) == ["-über", "+ober ü"])
    }

    @Test("what cannot be seen is spelled out wherever it stands")
    func invisible() {
        let difference = UnifiedDiff(expected: ["ab", "\u{1B}[2J"], actual: ["a\u{200B}b\r", "\u{1B}[2J"])

        #expect(difference?.lines.suffix(3) == ["-ab", "+a\\u{200B}b\\r", " \\u{1B}[2J"])
    }

    @Test("a text is split at LF alone, and a missing LF at its end is said")
    func bytes() {
        let difference = UnifiedDiff(expectedText: "a\r\nb\n".utf8, actualText: "a\nb".utf8)

        #expect(
            difference?.lines.suffix(5) == ["-a\\r", "-b", "+a", "+b", "\\ No newline at end"])
    }

    @Test("bytes that are no text show as numbers")
    func invalid() {
        let difference = UnifiedDiff(expectedText: [0x61, 0xFF, 0x0A], actualText: [0x61, 0x0A])

        #expect(difference?.lines.suffix(2) == ["-a\\xFF", "+a"])
    }

    @Test("applying the difference to the expected lines gives the actual ones", arguments: 1...60)
    func roundTrip(seed: Int) {
        var generator = SmallGenerator(state: UInt64(seed))
        let words = ["a", "b", "c", "", "d "]
        let expected = (0..<Int.random(in: 0...20, using: &generator)).compactMap { _ in
            words.randomElement(using: &generator)
        }
        let actual = (0..<Int.random(in: 0...20, using: &generator)).compactMap { _ in
            words.randomElement(using: &generator)
        }

        let lines = UnifiedDiff(expected: expected, actual: actual, context: 1_000)?.lines.dropFirst(3) ?? []

        let removed = lines.filter { !$0.hasPrefix("+") }.map { String($0.dropFirst()).replacing("¬", with: "") }
        let added = lines.filter { !$0.hasPrefix("-") }.map { String($0.dropFirst()).replacing("¬", with: "") }
        #expect(expected == actual || (removed == expected && added == actual))
    }

    @Test("ten thousand changed lines are compared at once")
    func large() {
        let expected = (0..<10_000).map { "old \($0)" }
        let actual = (0..<10_000).map { "new \($0)" }

        #expect(UnifiedDiff(expected: expected, actual: actual)?.lines.count == 20_003)
    }
}

/// A seeded generator: the same numbers every time.
private struct SmallGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 33)
    }
}
