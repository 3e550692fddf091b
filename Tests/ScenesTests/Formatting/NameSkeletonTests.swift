import Models
import Testing

@testable import Scenes

@Suite("NameSkeleton")
struct NameSkeletonTests {
    private func skeleton(_ text: String) -> NameSkeleton { NameSkeleton(RemoteText(text)) }

    @Test("every letter of the table has the skeleton of what it looks like")
    func table() {
        for (letter, others) in LookAlikes.groups {
            for other in others.unicodeScalars {
                #expect(
                    skeleton("x\(letter)x") == skeleton("x\(other)x"), "\(letter) \(String(other.value, radix: 16))")
            }
        }
    }

    @Test("no letter of the table looks like two letters")
    func unambiguous() {
        let all = LookAlikes.groups.flatMap { Array($0.1.unicodeScalars) }

        #expect(all.filter { scalar in all.count { $0 == scalar } > 1 }.isEmpty)
    }

    /// Names out of letters that are special to the skeleton: pairs, digits, look-alikes, marks, emoji, other scripts.
    private func names(_ count: Int) -> [String] {
        let alphabet = Array("abBrnmvwoO0lI1|i!éọßаВοΣςσ한か山👋ｆ𝐁 ".unicodeScalars) + ["\u{301}", "\u{200D}", "\u{93F}"]
        var generator = SplitMix64(state: 12)
        return (0..<count).map { _ in
            var scalars = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                if let scalar = alphabet.randomElement(using: &generator) { scalars.append(scalar) }
            }
            return String(scalars)
        }
    }

    @Test("what cannot be seen changes nothing, wherever it stands")
    func invisible() { addInvisible(to: 2_000) }

    func addInvisible(to count: Int) {
        let invisible: [Unicode.Scalar] = [
            "\u{200B}", "\u{200C}", "\u{200D}", "\u{2060}", "\u{FEFF}", "\u{AD}", "\u{34F}", "\u{61C}", "\u{202A}",
            "\u{202E}", "\u{2066}", "\u{2069}", "\u{200E}", "\u{FE0F}", "\u{E0020}", "\u{3164}", "\u{115F}", "\u{7}",
            "\u{9B}", "\u{7F}", "\u{180E}", "\u{FFF9}",
        ]
        var generator = SplitMix64(state: 5)
        for name in names(count) {
            var scalars = Array(name.unicodeScalars)
            for _ in 0..<3 {
                guard let scalar = invisible.randomElement(using: &generator) else { continue }
                scalars.insert(scalar, at: Int.random(in: 0...scalars.count, using: &generator))
            }
            var changed = String.UnicodeScalarView()
            changed.append(contentsOf: scalars)
            let escaped = scalars.map { String($0.value, radix: 16) }.joined(separator: " ")
            #expect(skeleton(name) == skeleton(String(changed)), "\(escaped)")
        }
    }

    @Test("a skeleton is its own skeleton")
    func idempotent() { repeatSkeletons(of: 2_000) }

    func repeatSkeletons(of count: Int) {
        for name in names(count) {
            let once = skeleton(name)
            #expect(skeleton(once.raw) == once, "\(name)")
        }
    }

    @Test("composed and decomposed letters have one skeleton")
    func composition() {
        #expect(skeleton("Zo\u{EB}") == skeleton("Zoe\u{308}"))
        #expect(skeleton("\u{D55C}") == skeleton("\u{1112}\u{1161}\u{11AB}"))
    }
}

@Suite("NameSkeleton, at length")
struct NameSkeletonSoakTests {
    @Test("what cannot be seen changes nothing, wherever it stands, and a skeleton is its own skeleton (5,000 names)")
    func names() {
        NameSkeletonTests().addInvisible(to: 5_000)
        NameSkeletonTests().repeatSkeletons(of: 5_000)
    }
}
