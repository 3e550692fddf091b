/// One line of a golden block, as a pattern of bytes.
///
/// `...` alone stands for any lines, `[..]` within a line for any text. A `¬` at the end marks where a line ends whose
/// end could not be seen: one that is empty, or ends in a blank or in a `¬`. The block `(nothing)` says that nothing
/// was printed. A line that begins with `[words]` is printed on Words' own servers alone, one that begins with `[matrix]`
/// on all others.
struct GoldenLine: Equatable {
    static let wildcard = "[..]"
    static let anyLines = "..."
    static let nothing = "(nothing)"
    static let endMark: Character = "¬"
    private static let wordsMark = "[words]"
    private static let matrixMark = "[matrix]"

    /// For which kind of server it is; empty for a line of all.
    let mark: String
    /// As it stands in the script, behind its mark.
    let body: String
    var isAnyLines: Bool
    /// The bytes between the wildcards; one piece where there is none.
    private var pieces: [[UInt8]]

    init(_ text: String) {
        mark = Self.mark(of: text)
        body = String(text.dropFirst(mark.count))
        isAnyLines = body.split(separator: " ", omittingEmptySubsequences: true) == [Substring(Self.anyLines)]
        let end = Array(String(Self.endMark).utf8)
        let bytes = Array(body.utf8)
        pieces = Self.pieces(of: bytes.suffix(end.count).elementsEqual(end) ? bytes.dropLast(end.count) : bytes[...])
    }

    /// A pattern of a part of a line, which has no end to be marked.
    init(part: String) {
        mark = ""
        body = part
        isAnyLines = part == Self.wildcard
        pieces = Self.pieces(of: Array(part.utf8)[...])
    }

    /// As it stands in the script.
    var text: String { mark + body }

    var hasWildcard: Bool { pieces.count > 1 }

    /// Whether it is for servers of that kind.
    func isFor(words isWords: Bool) -> Bool { mark.isEmpty || (mark == Self.wordsMark) == isWords }

    private static func mark(of text: String) -> String {
        [wordsMark, matrixMark].first { text.hasPrefix($0) } ?? ""
    }

    /// Whether `line` is what the pattern says, byte for byte.
    func matches(_ line: String) -> Bool {
        guard let first = pieces.first, let last = pieces.last else { return false }
        var rest = Array(line.utf8)[...]
        guard pieces.count > 1 else { return rest.elementsEqual(first) }
        guard rest.starts(with: first), rest.count >= first.count + last.count, rest.suffix(last.count) == last[...]
        else { return false }
        rest = rest.dropFirst(first.count).dropLast(last.count)
        for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
            guard let end = Self.end(of: piece, in: rest) else { return false }
            rest = rest[end...]
        }
        return true
    }

    /// `line` as a golden block writes it, so that it matches itself and nothing is invisible.
    static func source(of line: String) -> String {
        let bytes = line.utf8
        let isUnseen = bytes.last.map { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } ?? true
        // What begins like a mark is none.
        let unmarked = mark(of: line).isEmpty ? line : wildcard + line.dropFirst()
        return isUnseen || line.last == endMark || line == nothing ? unmarked + String(endMark) : unmarked
    }

    private static func pieces(of bytes: ArraySlice<UInt8>) -> [[UInt8]] {
        var pieces: [[UInt8]] = [[]]
        var rest = bytes
        while let byte = rest.first {
            if rest.starts(with: wildcard.utf8) {
                pieces.append([])
                rest = rest.dropFirst(wildcard.utf8.count)
            } else {
                pieces[pieces.count - 1].append(byte)
                rest = rest.dropFirst()
            }
        }
        return pieces
    }

    private static func end(of piece: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard piece.count <= bytes.count else { return nil }
        let last = bytes.endIndex - piece.count
        return (bytes.startIndex...last).first { bytes[$0...].starts(with: piece) }.map { $0 + piece.count }
    }
}
