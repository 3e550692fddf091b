/// What differs between two texts, line by line, as `diff -u` shows it.
///
/// Lines are compared byte for byte, never as `String`: to `String`, `é` composed and decomposed are the same and `\r\n`
/// is one character. Whatever the eye would miss is made visible: a line that ends in blanks gets a `¬` where the
/// blanks end, control and invisible characters are spelled out (`\r`, `\u{200B}`), and of two lines that look alike
/// but differ in their bytes every character beyond ASCII is spelled out.
///
///     let difference = UnifiedDiff(expected: ["Contacts", "  Bob"], actual: ["Contacts", "  Alice"])
///     print(difference ?? "the same")
///
/// prints
///
///     --- expected
///     +++ actual
///     @@ -1,2 +1,2 @@
///      Contacts
///     -  Bob
///     +  Alice
public struct UnifiedDiff: Equatable, Sendable, CustomStringConvertible {
    /// The difference, one line each: two of names, then for each hunk its place and its lines.
    public let lines: [String]

    /// The lines joined with newlines, without one at the end.
    public var description: String { lines.joined(separator: "\n") }

    /// The difference between two lists of lines; nil where all bytes are the same.
    ///
    /// - Parameters:
    ///   - context: How many unchanged lines to show around each change.
    ///   - expectedName: What stands behind `---`; name the golden file, if there is one.
    ///   - actualName: What stands behind `+++`.
    public init?(
        expected: [String], actual: [String], context: Int = 4,
        expectedName: String = "expected", actualName: String = "actual"
    ) {
        self.init(
            expected: expected.map { SnapshotLine(bytes: Array($0.utf8)) },
            actual: actual.map { SnapshotLine(bytes: Array($0.utf8)) },
            context: context, names: (expectedName, actualName))
    }

    /// The difference between two texts of lines that end in LF; nil where all bytes are the same.
    ///
    /// A last line without LF is marked as in `diff`: `\ No newline at end`.
    public init?(
        expectedText: some Sequence<UInt8>, actualText: some Sequence<UInt8>, context: Int = 4,
        expectedName: String = "expected", actualName: String = "actual"
    ) {
        self.init(
            expected: SnapshotLine.split(expectedText), actual: SnapshotLine.split(actualText),
            context: context, names: (expectedName, actualName))
    }

    private init?(
        expected: [SnapshotLine], actual: [SnapshotLine], context: Int, names: (expected: String, actual: String)
    ) {
        guard expected != actual else { return nil }
        var lines = ["--- \(names.expected)", "+++ \(names.actual)"]
        for hunk in Edit.hunks(of: Edit.script(from: expected, to: actual), context: max(0, context)) {
            lines += hunk.rendered()
        }
        self.lines = lines
    }
}

/// One step of the way from the expected lines to the actual ones.
struct Edit {
    enum Kind: Character { case kept = " ", removed = "-", added = "+" }

    var kind: Kind
    var line: SnapshotLine
    /// The number of lines above it on either side.
    var expectedAbove: Int
    var actualAbove: Int

    /// Past this many lines on either side a changed middle is shown as replaced whole: the shortest way would take
    /// memory with the square of it.
    private static let limitOfSearch = 3_000

    /// The shortest way from one list to the other.
    static func script(from expected: [SnapshotLine], to actual: [SnapshotLine]) -> [Edit] {
        let shorter = min(expected.count, actual.count)
        let head = zip(expected, actual).prefix { $0 == $1 }.count
        let tail = min(zip(expected.reversed(), actual.reversed()).prefix { $0 == $1 }.count, shorter - head)
        let old = Array(expected[head..<(expected.count - tail)])
        let new = Array(actual[head..<(actual.count - tail)])
        var (removed, added) = (Set(old.indices), Set(new.indices))
        if max(old.count, new.count) <= limitOfSearch {
            (removed, added) = ([], [])
            for change in new.difference(from: old) {
                switch change {
                case .remove(let offset, _, _): removed.insert(offset)
                case .insert(let offset, _, _): added.insert(offset)
                }
            }
        }

        var edits: [Edit] = []
        var (left, right) = (0, 0)
        func append(_ kind: Kind, _ line: SnapshotLine) {
            edits.append(Edit(kind: kind, line: line, expectedAbove: left, actualAbove: right))
            if kind != .added { left += 1 }
            if kind != .removed { right += 1 }
        }
        expected.prefix(head).forEach { append(.kept, $0) }
        while left < head + old.count || right < head + new.count {
            if left < head + old.count, removed.contains(left - head) {
                append(.removed, old[left - head])
            } else if right < head + new.count, added.contains(right - head) {
                append(.added, new[right - head])
            } else {
                append(.kept, old[left - head])
            }
        }
        expected.suffix(tail).forEach { append(.kept, $0) }
        return edits
    }

    /// The changes with their surroundings; changes whose surroundings touch share a hunk.
    static func hunks(of edits: [Edit], context: Int) -> [Hunk] {
        var ranges: [Range<Int>] = []
        for index in edits.indices where edits[index].kind != .kept {
            let range = max(0, index - context)..<min(edits.count, index + context + 1)
            if let last = ranges.last, last.upperBound >= range.lowerBound {
                ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
            } else {
                ranges.append(range)
            }
        }
        return ranges.map { Hunk(edits: Array(edits[$0])) }
    }
}

/// A run of changes with the unchanged lines around them.
struct Hunk {
    var edits: [Edit]

    func rendered() -> [String] {
        let looksLikeAnother = lookalikes()
        var lines = [header]
        for edit in edits {
            lines.append(String(edit.kind.rawValue) + edit.line.visible(spelled: looksLikeAnother(edit)))
            if !edit.line.isEnded { lines.append("\\ No newline at end") }
        }
        return lines
    }

    private var header: String {
        let expected = edits.count { $0.kind != .added }
        let actual = edits.count { $0.kind != .removed }
        func place(_ above: Int?, _ count: Int) -> String {
            let first = (above ?? 0) + (count == 0 ? 0 : 1)
            return count == 1 ? "\(first)" : "\(first),\(count)"
        }
        return "@@ -\(place(edits.first?.expectedAbove, expected)) +\(place(edits.first?.actualAbove, actual)) @@"
    }

    /// Tells of a changed line whether one on the other side looks the same.
    private func lookalikes() -> (Edit) -> Bool {
        let removed = Set(edits.filter { $0.kind == .removed }.map(\.line.looks))
        let added = Set(edits.filter { $0.kind == .added }.map(\.line.looks))
        return { edit in
            edit.kind != .kept && (edit.kind == .removed ? added : removed).contains(edit.line.looks)
        }
    }
}
