import Models

/// Hostile and ordinary texts from a seeded stream.
struct TextGenerator {
    private var generator: SplitMix64

    init(seed: UInt64) { generator = SplitMix64(state: seed) }

    private static let pieces: [String] = [
        "hello", "world ", "a", " ", "  ", "=", "\"", "\\", "#", "/", "é", "e\u{301}", "ü", "日本語", "漢", "한국어", "ｆｕｌｌ",
        "👋", "👋🏽", "👨‍👩‍👧", "🇩🇪", "🇩", "1️⃣", "❤️", "❤", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "क्षि", "می‌خواهم", "ไทย", "ẕ̸̢͜͠", "ᄀ", "ᅡ",
        "\u{1B}[2J", "\u{1B}]0;title\u{7}", "\u{1B}]52;c;aGk=\u{1B}\\", "\u{1B}", "\u{9B}31m", "\u{E}", "\u{F}",
        "\u{7}", "\u{8}",
        "\r", "\n", "\r\n", "\t", "\u{0}", "\u{7F}", "\u{85}", "\u{90}q", "\u{9C}", "\u{202E}", "\u{202A}", "\u{2066}",
        "\u{2069}",
        "\u{200E}", "\u{200F}", "\u{61C}", "\u{200B}", "\u{200C}", "\u{200D}", "\u{FEFF}", "\u{2060}", "\u{AD}",
        "\u{34F}",
        "\u{2028}", "\u{2029}", "\u{FE0F}", "\u{FE0E}", "\u{E0041}", "\u{E007F}", "\u{FFFD}", "\u{E000}", "\u{10FFFF}",
        "\u{FFFE}",
        "\u{115F}", "\u{3164}", "\u{180E}", "\u{301}", "\u{20E3}", "\u{1F3FD}", "\u{206A}", "\u{FFF9}", "\u{3000}",
        "\u{A0}",
    ]

    /// Up to eight pieces, some of them any scalar there is.
    mutating func next() -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...8, using: &generator) {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0: text += scalar(upTo: 0x10FFFF)
            case 1: text += scalar(upTo: 0x2FF)
            default: text += Self.pieces.randomElement(using: &generator) ?? ""
            }
        }
        return text
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    private mutating func scalar(upTo limit: UInt32) -> String {
        UnicodeScalar(UInt32.random(in: 0...limit, using: &generator)).map { String($0) } ?? "\u{FFFD}"
    }
}
