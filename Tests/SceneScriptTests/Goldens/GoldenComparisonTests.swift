import Models
import Testing

@testable import SceneScript

@Suite("GoldenComparison")
struct GoldenComparisonTests {
    private func matches(_ golden: [String], _ output: [String]) -> Bool {
        GoldenComparison(golden: golden, output: output).matches
    }

    private func updated(_ golden: [String], _ output: [String]) -> [String] {
        GoldenComparison(golden: golden, output: output).updated
    }

    @Test("lines match in their order, with ... for any number of them")
    func matching() {
        #expect(matches(["a", "b"], ["a", "b"]))
        #expect(!matches(["a", "b"], ["b", "a"]))
        #expect(!matches(["a"], ["a", "b"]))
        #expect(!matches(["a", "b"], ["a"]))
        #expect(matches(["..."], []))
        #expect(matches(["...", "c"], ["a", "c", "b", "c"]))
        #expect(matches(["a", "...", "b", "...", "c"], ["a", "b", "x", "b", "c"]))
        #expect(!matches(["a", "...", "b", "...", "c"], ["a", "x", "c"]))
        #expect(matches(["a", "", "b"], ["a", "", "b"]))
    }

    @Test("a block can say that nothing was printed")
    func nothing() {
        #expect(matches(["(nothing)"], []))
        #expect(!matches(["(nothing)"], ["a"]))
        #expect(!matches(["(nothing)"], ["(nothing)"]))
    }

    @Test("a marked line is printed on that kind of server alone")
    func marked() {
        let golden = ["a", "[words]b [..]", "[matrix]c", "[matrix]...", "d"]
        func matches(_ output: [String], words isWords: Bool) -> Bool {
            GoldenComparison(golden: golden, output: output, isWords: isWords).matches
        }

        #expect(matches(["a", "b 1", "d"], words: true))
        #expect(!matches(["a", "c", "d"], words: true))
        #expect(!matches(["a", "d"], words: true))
        #expect(matches(["a", "c", "x", "y", "d"], words: false))
        #expect(!matches(["a", "b 1", "d"], words: false))
        #expect(!matches(["a", "[matrix]c", "d"], words: false))
        #expect(GoldenComparison(golden: ["[words]a"], output: [], isWords: false).matches)
    }

    @Test("an update leaves the lines of the other kind of server where they are, and the marks of its own")
    func updateOfMarked() {
        let golden = ["a", "[words]b [..]", "[matrix]c", "d", "[matrix]e"]
        func updated(_ output: [String], words isWords: Bool = true) -> [String] {
            GoldenComparison(golden: golden, output: output, isWords: isWords).updated
        }

        #expect(updated(["a", "b 1", "D"]) == ["a", "[words]b [..]", "[matrix]c", "D", "[matrix]e"])
        #expect(updated(["a", "x y", "d"]) == ["a", "[words]x y", "[matrix]c", "d", "[matrix]e"])
        #expect(updated(["a", "C", "d", "e"], words: false) == ["a", "[words]b [..]", "[matrix]C", "d", "[matrix]e"])
        #expect(updated([]) == ["[matrix]c", "[matrix]e"])
        #expect(updated(["a", "[words]b", "d"]) == ["a", "[words][..]words]b", "[matrix]c", "d", "[matrix]e"])
    }

    @Test("a difference of another kind of server shows its lines without marks, and no others")
    func differenceOfMarked() {
        let comparison = GoldenComparison(golden: ["[words]a", "[matrix]b"], output: ["c"], isWords: false)

        let difference = comparison.difference(expectedName: "a.scene:3 alice", actualName: "printed")

        #expect(difference?.lines == ["--- a.scene:3 alice", "+++ printed", "@@ -1 +1 @@", "-b", "+c"])
    }

    @Test("a difference shows what a wildcard stands for as the same")
    func difference() {
        let comparison = GoldenComparison(
            golden: ["[..]  Alice  hello", "...", "end"], output: ["09:00  Alice  hello", "x", "y", "End"])

        let difference = comparison.difference(expectedName: "a.scene:3 alice", actualName: "printed")

        #expect(
            difference?.lines == [
                "--- a.scene:3 alice", "+++ printed", "@@ -1,4 +1,4 @@", " 09:00  Alice  hello", " x", " y", "-end",
                "+End",
            ])
    }

    @Test("an update keeps lines and wildcards that still match")
    func update() {
        #expect(updated(["a", "b"], ["a", "c"]) == ["a", "c"])
        #expect(updated(["[..]a", "b"], ["xa", "c"]) == ["[..]a", "c"])
        #expect(updated(["a", "...", "c"], ["a", "x", "y", "d"]) == ["a", "...", "d"])
        #expect(updated(["a", "...", "c"], ["b", "x", "c"]) == ["b", "...", "c"])
        #expect(updated(["a", "...", "c"], ["b", "d"]) == ["b", "...", "d"])
        #expect(updated(["a"], []) == ["(nothing)"])
        #expect(updated(["(nothing)"], ["a", ""]) == ["a", "¬"])
        #expect(updated(["a", "c"], ["a", "b", "c"]) == ["a", "b", "c"])
        #expect(updated(["a", "b", "c"], ["a", "c"]) == ["a", "c"])
    }

    @Test("an update keeps a wildcard within a line whose other words have changed")
    func updateWithinALine() {
        #expect(updated(["[..]  Alice  hello there"], ["09:00  Alice  hello you"]) == ["[..]  Alice  hello you"])
        #expect(updated(["09:[..]  Alice  hello"], ["09:17  Alice  bye"]) == ["09:[..]  Alice  bye"])
        #expect(updated(["[..] has joined"], ["something else altogether"]) == ["something else altogether"])
        #expect(updated(["[..] one two "], ["x one three "]) == ["[..] one three ¬"])
    }

    @Test("whatever was there and whatever is printed, an update matches, and a second one changes nothing")
    func updateIsRightAndFinal() { update(rounds: 2_000) }

    func update(rounds: Int) {
        var random = SplitMix64(state: 7)
        let words = [
            "a", "b", "a b", "", "[..]", "...", "a [..]", "[..] b", "¬", "b ", "(nothing)", "[words]a", "[matrix]b",
        ]
        for _ in 0..<rounds {
            let golden = (0..<Int.random(in: 1...6, using: &random)).compactMap { _ in
                words.randomElement(using: &random)
            }
            let output = (0..<Int.random(in: 0...6, using: &random)).compactMap { _ in
                words.randomElement(using: &random)
            }

            let new = updated(golden, output)

            #expect(matches(new, output), "\(golden) \(output) \(new)")
            if !matches(golden, output) { #expect(updated(new, output) == new, "\(golden) \(output)") }
        }
    }
}

@Suite("GoldenComparison, at length")
struct GoldenComparisonSoakTests {
    @Test("whatever was there and whatever is printed, an update matches, and a second one changes nothing")
    func updateIsRightAndFinal() { GoldenComparisonTests().update(rounds: 5_000) }
}
