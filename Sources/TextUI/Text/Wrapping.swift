extension SafeLine {
    /// The line in pieces of at most `columns` (at least 1): broken at blanks, beside wide characters, and within a word
    /// only where the word alone is too long. Never empty; blanks at a break are left out.
    public func wrapped(to columns: Int) -> [SafeLine] {
        let columns = max(1, columns)
        guard width > columns else { return [trimmed] }
        switch make {
        case .ascii: return pieces(of: ASCIIClusters(bytes: Array(text.utf8)), columns)
        case .simple: return pieces(of: MeasuredClusters(simple: text), columns)
        case .clusters: return pieces(of: MeasuredClusters(text), columns)
        }
    }

    private func pieces(of clusters: some Clusters, _ columns: Int) -> [SafeLine] {
        let ranges = Wrapping.ranges(of: clusters, columns: columns)
        guard !ranges.isEmpty else { return [.empty] }
        return ranges.map { range in
            var width = 0
            var isTooWide = false
            for index in range {
                isTooWide = isTooWide || clusters.width(index) > columns
                width += Wrapping.width(clusters.width(index), columns)
            }
            guard isTooWide else { return SafeLine(text: clusters.text(range), width: width, make: make) }
            let text = range.map { clusters.width($0) > columns ? "…" : clusters.text($0..<$0 + 1) }.joined()
            return SafeLine(text: text, width: width, make: .clusters)
        }
    }
}

/// The clusters of a line by number.
private protocol Clusters {
    var count: Int { get }
    func width(_ index: Int) -> Int
    func isBlank(_ index: Int) -> Bool
    func text(_ range: Range<Int>) -> String
}

private struct ASCIIClusters: Clusters {
    let bytes: [UInt8]

    var count: Int { bytes.count }
    func width(_ index: Int) -> Int { 1 }
    func isBlank(_ index: Int) -> Bool { bytes[index] == 0x20 }
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

private struct MeasuredClusters: Clusters {
    private let source: String
    private var starts: [String.Index] = []
    private var widths: [Int32] = []
    /// By number: blanks have the width 0 here, which no cluster of a safe line has.
    private static let blank: Int32 = 0

    init(simple source: String) {
        self.source = source
        reserve(source.utf8.count)
        let scalars = source.unicodeScalars
        var index = scalars.startIndex
        while index < scalars.endIndex {
            let scalar = scalars[index]
            starts.append(index)
            widths.append(scalar == " " ? Self.blank : Int32(SimpleText.width(of: scalar) ?? 1))
            index = scalars.index(after: index)
        }
        starts.append(index)
    }

    init(_ source: String) {
        self.source = source
        reserve(source.utf8.count)
        ColumnWidth.withWidths { measure in
            var index = source.startIndex
            while index < source.endIndex {
                let character = source[index]
                starts.append(index)
                widths.append(character == " " ? Self.blank : Int32(measure.of(character.unicodeScalars)))
                index = source.index(after: index)
            }
            starts.append(index)
        }
    }

    private mutating func reserve(_ count: Int) {
        starts.reserveCapacity(count + 1)
        widths.reserveCapacity(count)
    }

    var count: Int { widths.count }
    func width(_ index: Int) -> Int { isBlank(index) ? 1 : Int(widths[index]) }
    func isBlank(_ index: Int) -> Bool { widths[index] == Self.blank }
    func text(_ range: Range<Int>) -> String { String(source[starts[range.lowerBound]..<starts[range.upperBound]]) }
}

private enum Wrapping {
    /// What a cluster takes; one that is wider than a whole line shows as `…`.
    static func width(_ width: Int, _ columns: Int) -> Int { width > columns ? 1 : width }

    /// Fills lines greedily. Each range is one line, without the blanks at its end.
    static func ranges(of clusters: some Clusters, columns: Int) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var (start, index, used) = (0, 0, 0)
        var opportunity: Int?
        // Indentation alone is no line: the word behind it is rather broken.
        var hasText = false

        func breakLine(at end: Int) {
            var last = end
            while last > start, clusters.isBlank(last - 1) { last -= 1 }
            if last > start { ranges.append(start..<last) }
            start = end
            while start < clusters.count, clusters.isBlank(start) { start += 1 }
            (index, used, opportunity, hasText) = (start, 0, nil, false)
        }

        while index < clusters.count {
            let width = width(clusters.width(index), columns)
            let isBesideWide = hasText && (width > 1 || clusters.width(index - 1) > 1)
            if used + width > columns {
                breakLine(at: clusters.isBlank(index) || isBesideWide ? index : opportunity ?? index)
            } else if clusters.isBlank(index) {
                used += 1
                index += 1
                if hasText { opportunity = index }
            } else {
                if isBesideWide { opportunity = index }
                hasText = true
                used += width
                index += 1
            }
        }
        breakLine(at: clusters.count)
        return ranges
    }
}
