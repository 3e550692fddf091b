import Testing

@testable import words

@Suite("LineSplitter")
struct LineSplitterTests {
    private func lines(_ parts: String...) -> [String] {
        var splitter = LineSplitter()
        return parts.flatMap { splitter.take(Array($0.utf8)[...]) } + [splitter.finish()].compactMap(\.self)
    }

    @Test("lines come whole, however they are cut, and without their ends")
    func cut() {
        #expect(lines("a", "b\nc\r", "\n\nd") == ["ab", "c", "", "d"])
        #expect(lines("a\n") == ["a"])
        #expect(lines().isEmpty)
    }

    @Test("bytes that are not UTF-8 are replaced")
    func invalid() {
        var splitter = LineSplitter()

        #expect(splitter.take([0x61, 0xFF, 0x0A]) == ["a\u{FFFD}"])
    }

    @Test("of a line without end only the beginning is kept, and the next line comes whole")
    func endless() {
        var splitter = LineSplitter()
        let part = [UInt8](repeating: UInt8(ascii: "x"), count: 65_536)[...]

        for _ in 0..<100 { #expect(splitter.take(part).isEmpty) }
        let long = splitter.take([0x0A])
        let next = splitter.take(Array("next\n".utf8)[...])

        #expect(long.map(\.utf8.count) == [LineSplitter.limit])
        #expect(next == ["next"])
    }
}
