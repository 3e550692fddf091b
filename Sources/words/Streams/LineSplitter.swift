/// Parts of a stream of bytes, put together to lines without their ends. A value.
struct LineSplitter {
    /// So much of a line is kept, in bytes; the rest is dropped. Far above what any command may have.
    static let limit = 1_024 * 1_024

    private var rest: [UInt8] = []

    /// The lines that end in `part`. Bytes that are not UTF-8 are replaced.
    mutating func take(_ part: ArraySlice<UInt8>) -> [String] {
        var lines: [String] = []
        var part = part
        while let end = part.firstIndex(of: UInt8(ascii: "\n")) {
            keep(part[..<end])
            lines.append(Self.text(rest))
            rest.removeAll(keepingCapacity: true)
            part = part[(end + 1)...]
        }
        keep(part)
        return lines
    }

    /// The last line, which needs no end; nil where there is none.
    mutating func finish() -> String? {
        defer { rest = [] }
        return rest.isEmpty ? nil : Self.text(rest)
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        rest += bytes.prefix(Self.limit - rest.count)
    }

    private static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes[...], as: UTF8.self)
    }
}
