/// Which pattern of a golden stands for which part of the output.
enum Alignment: Equatable {
    /// The pattern matches that part.
    case kept(pattern: Int, part: Int)
    /// A wildcard for any number of parts stands for these.
    case any(pattern: Int, parts: Range<Int>)
    /// The pattern stands where that part is, and does not match it.
    case replaced(pattern: Int, part: Int)
    case removed(pattern: Int)
    case added(part: Int)

    var pattern: Int? {
        switch self {
        case .kept(let pattern, _), .any(let pattern, _), .replaced(let pattern, _), .removed(let pattern): pattern
        case .added: nil
        }
    }

    /// Past this many comparisons nothing is kept: the table would take too long.
    private static let mostComparisons = 4_000_000

    /// Keeps as many patterns as can be kept in order; a wildcard between two of them takes what is left between.
    static func align(_ patterns: [GoldenLine], _ parts: [String]) -> [Alignment] {
        let literals = patterns.indices.filter { !patterns[$0].isAnyLines }
        var alignment: [Alignment] = []
        var (pattern, part) = (0, 0)
        for anchor in anchors(literals, patterns, parts) {
            alignment += gap(pattern..<anchor.pattern, patterns, part..<anchor.part)
            alignment.append(.kept(pattern: anchor.pattern, part: anchor.part))
            (pattern, part) = (anchor.pattern + 1, anchor.part + 1)
        }
        return alignment + gap(pattern..<patterns.count, patterns, part..<parts.count)
    }

    /// The longest common subsequence of patterns without wildcard lines and parts.
    private static func anchors(
        _ literals: [Int], _ patterns: [GoldenLine], _ parts: [String]
    ) -> [(pattern: Int, part: Int)] {
        guard literals.count * parts.count <= mostComparisons else { return [] }
        let width = parts.count + 1
        var longest = [Int32](repeating: 0, count: (literals.count + 1) * width)
        var matches = [Bool](repeating: false, count: literals.count * width)
        for row in literals.indices.reversed() {
            for column in parts.indices.reversed() {
                let isMatch = patterns[literals[row]].matches(parts[column])
                matches[row * width + column] = isMatch
                let below = longest[(row + 1) * width + column]
                let right = longest[row * width + column + 1]
                let diagonal = isMatch ? longest[(row + 1) * width + column + 1] + 1 : 0
                longest[row * width + column] = max(below, right, diagonal)
            }
        }
        var anchors: [(pattern: Int, part: Int)] = []
        var (row, column) = (0, 0)
        while row < literals.count, column < parts.count {
            let here = longest[row * width + column]
            if matches[row * width + column], here == longest[(row + 1) * width + column + 1] + 1 {
                anchors.append((literals[row], column))
                (row, column) = (row + 1, column + 1)
            } else if here == longest[(row + 1) * width + column] {
                row += 1
            } else {
                column += 1
            }
        }
        return anchors
    }

    /// What stands between two kept patterns: nothing of it matches, but for wildcards.
    private static func gap(_ gap: Range<Int>, _ patterns: [GoldenLine], _ parts: Range<Int>) -> [Alignment] {
        guard let wildcard = gap.first(where: { patterns[$0].isAnyLines }),
            let last = gap.last(where: { patterns[$0].isAnyLines })
        else { return replaced(gap, parts) }
        let head = min(wildcard - gap.lowerBound, parts.count)
        let tail = min(gap.upperBound - last - 1, parts.count - head)
        let middle = parts.lowerBound + head..<parts.upperBound - tail
        return replaced(gap.lowerBound..<wildcard, parts.lowerBound..<middle.lowerBound)
            + [.any(pattern: wildcard, parts: middle)]
            + (wildcard + 1..<last + 1).map { .removed(pattern: $0) }
            + replaced(last + 1..<gap.upperBound, middle.upperBound..<parts.upperBound)
    }

    private static func replaced(_ patterns: Range<Int>, _ parts: Range<Int>) -> [Alignment] {
        let pairs = zip(patterns, parts).map { Alignment.replaced(pattern: $0, part: $1) }
        return pairs + patterns.dropFirst(pairs.count).map { .removed(pattern: $0) }
            + parts.dropFirst(pairs.count).map { .added(part: $0) }
    }
}
