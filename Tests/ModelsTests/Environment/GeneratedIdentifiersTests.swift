import Models
import Testing

@Suite("GeneratedIdentifiers")
struct GeneratedIdentifiersTests {
    @Test("one seed is one stream; another seed another")
    func seeded() {
        let first = GeneratedIdentifiers(seed: 1)
        let again = GeneratedIdentifiers(seed: 1)
        let other = GeneratedIdentifiers(seed: 2)

        let stream = (0..<20).map { _ in first.next(length: 12) }

        #expect((0..<20).map { _ in again.next(length: 12) } == stream)
        #expect(Set(stream).count == 20)
        #expect(!stream.contains(other.next(length: 12)))
    }

    @Test("they have the length asked for, of small letters and digits, all of which occur")
    func alphabet() {
        let text = GeneratedIdentifiers(seed: 1).next(length: 5_000)

        #expect(text.utf8.count == 5_000)
        #expect(Set(text) == Set("abcdefghijklmnopqrstuvwxyz0123456789"))
        #expect(GeneratedIdentifiers(seed: 1).next(length: 0) == "")
    }

    @Test("fractions are spread over the whole of nought to one, without the one")
    func fractions() {
        let source = GeneratedIdentifiers(seed: 1)

        let fractions = (0..<2_000).map { _ in source.nextFraction() }

        #expect(fractions.allSatisfy { (0..<1).contains($0) })
        for tenth in 0..<10 {
            let count = fractions.filter { Int($0 * 10) == tenth }.count
            #expect((130...270).contains(count))
        }
    }

    @Test("the system's own do not repeat")
    func system() {
        let source = GeneratedIdentifiers()

        #expect(Set((0..<1_000).map { _ in source.next(length: 16) }).count == 1_000)
    }

    @Test("many tasks at once draw from one stream without taking anything twice")
    func concurrent() async {
        let source = GeneratedIdentifiers(seed: 1)

        let drawn = await withTaskGroup(of: [String].self) { group in
            for _ in 0..<8 { group.addTask { (0..<500).map { _ in source.next(length: 16) } } }
            return await group.reduce(into: []) { $0 += $1 }
        }

        #expect(Set(drawn).count == 4_000)
    }
}
