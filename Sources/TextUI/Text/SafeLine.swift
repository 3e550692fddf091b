import Models

/// One line that may be printed: printable characters only, and its width in columns is known.
///
/// It can be made in no other way than through `Sanitiser`; joining, cutting, padding and wrapping keep it safe. In a
/// literal, whatever is put between `\(` and `)` is sanitised on its way in.
public struct SafeLine: Equatable, Sendable {
    public let text: String
    /// In columns of a terminal.
    public let width: Int
    /// What it is made of, for the short ways.
    let make: Make

    enum Make: Int {
        /// Printable ASCII alone: a byte is a cluster and a column.
        case ascii
        /// Nothing but `SimpleText`: a scalar is a cluster.
        case simple
        /// Anything.
        case clusters
    }

    public static let empty = SafeLine(text: "", width: 0, make: .ascii)

    init(text: String, width: Int, make: Make) {
        self.text = text
        self.width = width
        self.make = make
    }

    /// That many blanks.
    static func blanks(_ count: Int) -> SafeLine {
        SafeLine(text: String(repeating: " ", count: max(0, count)), width: max(0, count), make: .ascii)
    }

    var isBlank: Bool { text.utf8.allSatisfy { $0 == UInt8(ascii: " ") } }

    public static func == (left: Self, right: Self) -> Bool { left.text.hasSameBytes(as: right.text) }

    public static func + (left: Self, right: Self) -> Self {
        SafeLine(
            text: left.text + right.text, width: left.width + right.width,
            make: left.make.rawValue > right.make.rawValue ? left.make : right.make)
    }

    /// The line without blanks at its end.
    var trimmed: SafeLine {
        let blanks = text.utf8.reversed().prefix { $0 == UInt8(ascii: " ") }.count
        guard blanks > 0 else { return self }
        // Not as characters: some letters form one with the blank behind them, and would go with it.
        return SafeLine(text: String(Substring(text.utf8.dropLast(blanks))), width: width - blanks, make: make)
    }

    /// The line as it is, or cut at a cluster with `…` at its end, so that it takes at most `columns`.
    public func cut(to columns: Int) -> SafeLine {
        guard width > columns else { return self }
        guard columns > 0 else { return .empty }
        return head(columns - 1).line.trimmed + SafeLine(text: "…", width: 1, make: .simple)
    }

    /// Followed by blanks up to `columns`; as it is where it is wider.
    public func padded(to columns: Int) -> SafeLine { width < columns ? self + .blanks(columns - width) : self }

    /// As many clusters from the start as fit, and where the rest begins.
    func head(_ columns: Int) -> (line: SafeLine, rest: String.Index) {
        guard width > columns else { return (self, text.endIndex) }
        if make == .ascii {
            let end = text.utf8.index(text.startIndex, offsetBy: max(0, columns))
            return (SafeLine(text: String(text[..<end]), width: max(0, columns), make: .ascii), end)
        }
        return ColumnWidth.withWidths { widths in
            var (index, used) = (text.startIndex, 0)
            while index < text.endIndex {
                let wide = widths.of(text[index].unicodeScalars)
                guard used + wide <= columns else { break }
                used += wide
                index = text.index(after: index)
            }
            return (SafeLine(text: String(text[..<index]), width: used, make: .clusters), index)
        }
    }
}

extension SafeLine: ExpressibleByStringInterpolation {
    public struct StringInterpolation: StringInterpolationProtocol {
        var line = SafeLine.empty

        public init(literalCapacity: Int, interpolationCount: Int) {}

        public mutating func appendLiteral(_ literal: String) { line = line + Sanitiser.line(literal) }
        public mutating func appendInterpolation(_ part: SafeLine) { line = line + part }
        public mutating func appendInterpolation(_ remote: RemoteText) { line = line + Sanitiser.line(remote) }
        public mutating func appendInterpolation(_ text: String) { line = line + Sanitiser.line(text) }
        public mutating func appendInterpolation(_ number: Int) { line = line + Sanitiser.line(String(number)) }
    }

    public init(stringLiteral value: String) { self = Sanitiser.line(value) }
    public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.line }
}

extension [SafeLine] {
    /// One line of all, with `separator` in between.
    func joined(separator: SafeLine) -> SafeLine {
        guard var line = first else { return .empty }
        for part in dropFirst() { line = line + separator + part }
        return line
    }
}

/// Several lines that may be printed: a message with its line breaks.
public struct SafeText: Equatable, Sendable {
    public let lines: [SafeLine]

    init(lines: [SafeLine]) { self.lines = lines }

    /// All lines, wrapped to at most `columns`.
    public func wrapped(to columns: Int) -> [SafeLine] { lines.flatMap { $0.wrapped(to: columns) } }
}

extension SafeLine {
    /// The line, or `…` and as many clusters from its end as fit.
    func tail(_ columns: Int) -> SafeLine {
        guard width > columns else { return self }
        guard columns > 0 else { return .empty }
        return ColumnWidth.withWidths { widths in
            var (index, used) = (text.endIndex, 0)
            while index > text.startIndex {
                let previous = text.index(before: index)
                let wide = widths.of(text[previous].unicodeScalars)
                guard used + wide <= columns - 1 else { break }
                used += wide
                index = previous
            }
            return SafeLine(text: "…" + text[index...], width: used + 1, make: .clusters)
        }
    }
}
