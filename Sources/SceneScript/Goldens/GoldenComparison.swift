import TextSnapshots

/// A golden block against what was printed.
struct GoldenComparison {
    private let golden: [String]
    /// Those of this kind of server.
    private let patterns: [GoldenLine]
    /// The lines of the other kind of server, and how many patterns stand before each.
    private let others: [(position: Int, line: GoldenLine)]
    private let output: [String]
    private let isWords: Bool

    /// - Parameter isWords: Whether it was printed on a server of Words' own kind.
    init(golden: [String], output: [String], isWords: Bool = true) {
        self.golden = golden
        self.output = output
        self.isWords = isWords
        var patterns: [GoldenLine] = []
        var others: [(position: Int, line: GoldenLine)] = []
        for line in golden == [GoldenLine.nothing] ? [] : golden.map({ GoldenLine($0) }) {
            if line.isFor(words: isWords) { patterns.append(line) } else { others.append((patterns.count, line)) }
        }
        self.patterns = patterns
        self.others = others
    }

    /// Whether every byte is as the block says.
    var matches: Bool {
        var (pattern, line) = (0, 0)
        /// Where the last `...` stands, and the first line that it does not take.
        var lastAny: (pattern: Int, line: Int)?
        while line < output.count {
            if pattern < patterns.count, patterns[pattern].isAnyLines {
                lastAny = (pattern, line)
                pattern += 1
            } else if pattern < patterns.count, patterns[pattern].matches(output[line]) {
                (pattern, line) = (pattern + 1, line + 1)
            } else if let any = lastAny {
                lastAny = (any.pattern, any.line + 1)
                (pattern, line) = (any.pattern + 1, any.line + 1)
            } else {
                return false
            }
        }
        return patterns[pattern...].allSatisfy(\.isAnyLines)
    }

    /// What differs, as `diff -u` shows it; lines that a wildcard stands for are shown as the same. Nil where all match.
    func difference(expectedName: String, actualName: String) -> UnifiedDiff? {
        guard !matches else { return nil }
        let expected = Alignment.align(patterns, output).flatMap { step -> [String] in
            switch step {
            case .kept(_, let line): [output[line]]
            case .any(_, let lines): Array(output[lines])
            case .replaced(let pattern, _), .removed(let pattern): [patterns[pattern].body]
            case .added: []
            }
        }
        return UnifiedDiff(expected: expected, actual: output, expectedName: expectedName, actualName: actualName)
    }

    /// The block that matches what was printed and keeps each line, and each wildcard, that still matches, and those of
    /// the other kind of server.
    var updated: [String] {
        guard !matches else { return golden }
        let others = others.map(\.line.text)
        guard !output.isEmpty else { return others.isEmpty ? [GoldenLine.nothing] : others }
        let merged = merged
        let isRight = GoldenComparison(golden: merged, output: output, isWords: isWords).matches
        return isRight ? merged : others + output.map(GoldenLine.source)
    }

    private var merged: [String] {
        var merged: [String] = []
        var rest = others[...]
        for step in Alignment.align(patterns, output) {
            while let other = rest.first, let pattern = step.pattern, other.position <= pattern {
                merged.append(other.line.text)
                rest.removeFirst()
            }
            switch step {
            case .kept(let pattern, _), .any(let pattern, _): merged.append(patterns[pattern].text)
            case .replaced(let pattern, let line):
                merged.append(patterns[pattern].mark + Self.merge(patterns[pattern], with: output[line]))
            case .added(let line): merged.append(GoldenLine.source(of: output[line]))
            case .removed: break
            }
        }
        return merged + rest.map(\.line.text)
    }

    /// `line` with those wildcards of `pattern` that stand for words of it, where the two have enough in common.
    private static func merge(_ pattern: GoldenLine, with line: String) -> String {
        let source = GoldenLine.source(of: line)
        guard pattern.hasWildcard else { return source }
        let patternWords = words(pattern.body)
        let lineWords = words(line)
        var merged = ""
        var keptCount = 0
        for step in Alignment.align(patternWords.map { GoldenLine(part: $0) }, lineWords) {
            switch step {
            case .kept(let index, _):
                merged += patternWords[index]
                if !isBlank(patternWords[index]) { keptCount += 1 }
            case .any(let index, _): merged += patternWords[index]
            case .replaced(_, let index), .added(let index): merged += lineWords[index]
            case .removed: break
            }
        }
        let literalCount = patternWords.count { $0 != GoldenLine.wildcard && !isBlank($0) }
        guard keptCount > 0, keptCount * 2 >= literalCount else { return source }
        let marked = source.utf8.count > line.utf8.count ? merged + String(GoldenLine.endMark) : merged
        return GoldenLine(marked).matches(line) ? marked : source
    }

    /// The runs of blanks and the runs of other characters, in their order.
    private static func words(_ line: String) -> [String] {
        var words: [String] = []
        for character in line {
            if let last = words.last?.last, (last == " ") == (character == " ") {
                words[words.count - 1].append(character)
            } else {
                words.append(String(character))
            }
        }
        return words
    }

    private static func isBlank(_ word: String) -> Bool { word.first == " " }
}
