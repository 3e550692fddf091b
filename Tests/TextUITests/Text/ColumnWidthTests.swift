import Testing

@testable import TextUI

@Suite("ColumnWidth")
struct ColumnWidthTests {
    @Test(
        "a cluster takes the columns that a terminal gives it",
        arguments: [
            ("a", 1), ("é", 1), ("e\u{301}", 1), ("…", 1), ("·", 1), ("—", 1), ("ж", 1), ("ก", 1), ("กำ", 2), ("א", 1),
            ("日", 2), ("ｆ", 2), ("한", 2), ("ア", 2), ("ｱ", 1), ("　", 2), ("𠀋", 2), ("\u{1112}\u{1161}\u{11AB}", 2),
            ("👋", 2), ("👋🏽", 2), ("🏽", 2), ("👨‍👩‍👧‍👦", 2), ("👩🏽‍💻", 2), ("🏳️‍🌈", 2), ("❤", 1), ("❤️", 2), ("❤️‍🔥", 2),
            ("🇩🇪", 2), ("🇩", 2), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2), ("1️⃣", 2), ("#️⃣", 2), ("1⃣", 2), ("©", 1), ("©️", 2), ("☺️", 2),
            ("\u{301}", 0), ("क्षि", 3), ("🏽🏽", 4), ("a🏽", 3), ("ẕ̸̢͜͠", 1), ("🫨", 2), ("␛", 1),
        ])
    func clusters(text: String, columns: Int) {
        #expect(ColumnWidth.of(text) == columns, "\(text)")
    }

    @Test("a text takes the sum")
    func sums() {
        #expect(ColumnWidth.of("") == 0)
        #expect(ColumnWidth.of("hello 👋") == 8)
        #expect(ColumnWidth.of("日本 a") == 6)
    }

    @Test("the short way for simple characters gives what the long way gives")
    func simple() {
        for value in UInt32(0x20)..<0x1F700 {
            guard let scalar = UnicodeScalar(value), let width = SimpleText.width(of: scalar) else { continue }
            let isSame = width == ColumnWidth.of(Character(scalar)) && Sanitiser.notation(for: scalar) == nil
            if !isSame { Issue.record("U+\(String(value, radix: 16))") }
        }
    }
}
