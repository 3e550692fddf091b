import Models

/// Walks once over a JSON text and checks it, without building anything. RFC 8259.
///
/// What it lets pass every reader can read: text is UTF-8 without lone surrogates, nesting is bounded.
struct JSONScanner {
    enum Failure: Error, Equatable, Sendable {
        /// It is not JSON, or not UTF-8.
        case malformed
        case tooDeep
        /// A number that is no integer within ±(2^53 - 1), which events may not hold.
        case unsafeNumber
    }

    enum Numbers: Sendable { case integersOnly, any }

    private static let limit: Int64 = 9_007_199_254_740_991
    private let bytes: [UInt8]
    private let numbers: Numbers
    private let depthLimit: Int
    private(set) var index = 0

    init(_ bytes: [UInt8], numbers: Numbers, depthLimit: Int) {
        self.bytes = bytes
        self.numbers = numbers
        self.depthLimit = depthLimit
    }

    var isAtEnd: Bool { index == bytes.count }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    mutating func skipSpace() {
        while index < bytes.count, bytes[index] == 0x20 || (bytes[index] >= 0x09 && bytes[index] <= 0x0D) {
            guard bytes[index] != 0x0B, bytes[index] != 0x0C else { return }
            index += 1
        }
    }

    /// Passes over one value. Members of the object at depth 1 are told to `member` with the bytes of their values.
    mutating func value(depth: Int = 1, member: ((String, Range<Int>) -> Void)? = nil) throws(Failure) {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): try object(depth, member)
        case UInt8(ascii: "["): try array(depth)
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "t"): try literal("true")
        case UInt8(ascii: "f"): try literal("false")
        case UInt8(ascii: "n"): try literal("null")
        default: try number()
        }
    }

    private mutating func object(_ depth: Int, _ member: ((String, Range<Int>) -> Void)?) throws(Failure) {
        guard depth <= depthLimit else { throw .tooDeep }
        index += 1
        skipSpace()
        if next == UInt8(ascii: "}") {
            index += 1
            return
        }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw .malformed }
            let name = index
            try string()
            let nameRange = name..<index
            skipSpace()
            try expect(UInt8(ascii: ":"))
            skipSpace()
            let start = index
            try value(depth: depth + 1)
            if let member { member(Self.decoded(bytes[nameRange]), start..<index) }
            skipSpace()
            if next == UInt8(ascii: "}") { break }
            try expect(UInt8(ascii: ","))
        }
        index += 1
    }

    private mutating func array(_ depth: Int) throws(Failure) {
        guard depth <= depthLimit else { throw .tooDeep }
        index += 1
        skipSpace()
        if next == UInt8(ascii: "]") {
            index += 1
            return
        }
        while true {
            try value(depth: depth + 1)
            skipSpace()
            if next == UInt8(ascii: "]") { break }
            try expect(UInt8(ascii: ","))
        }
        index += 1
    }

    private mutating func expect(_ byte: UInt8) throws(Failure) {
        guard next == byte else { throw .malformed }
        index += 1
    }

    private mutating func literal(_ word: StaticString) throws(Failure) {
        for offset in 0..<word.utf8CodeUnitCount { try expect(word.utf8Start[offset]) }
    }

    private mutating func string() throws(Failure) {
        index += 1
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                return
            case UInt8(ascii: "\\"): try escape()
            case 0..<0x20: throw .malformed
            default: index += 1
            }
        }
        throw .malformed
    }

    private mutating func escape() throws(Failure) {
        index += 1
        guard let byte = next else { throw .malformed }
        index += 1
        guard byte == UInt8(ascii: "u") else {
            guard "\"\\/bfnrt".utf8.contains(byte) else { throw .malformed }
            return
        }
        let unit = try hexadecimal()
        guard (0xD800...0xDFFF).contains(unit) else { return }
        guard unit < 0xDC00 else { throw .malformed }
        try expect(UInt8(ascii: "\\"))
        try expect(UInt8(ascii: "u"))
        guard (0xDC00...0xDFFF).contains(try hexadecimal()) else { throw .malformed }
    }

    private mutating func hexadecimal() throws(Failure) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(UnicodeScalar(byte)).hexDigitValue else { throw .malformed }
            unit = unit << 4 | UInt32(digit)
            index += 1
        }
        return unit
    }

    private mutating func number() throws(Failure) {
        let start = index
        if next == UInt8(ascii: "-") { index += 1 }
        let whole = digits()
        guard whole > 0, whole == 1 || bytes[index - whole] != UInt8(ascii: "0") else { throw .malformed }
        var isInteger = true
        if next == UInt8(ascii: ".") {
            isInteger = false
            index += 1
            guard digits() > 0 else { throw .malformed }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            isInteger = false
            index += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
            guard digits() > 0 else { throw .malformed }
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        switch numbers {
        case .integersOnly:
            guard isInteger, let value = Int64(text), value.magnitude <= Self.limit.magnitude else {
                throw .unsafeNumber
            }
        case .any:
            guard let value = Double(text), value.isFinite else { throw .unsafeNumber }
        }
    }

    private mutating func digits() -> Int {
        let start = index
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
        return index - start
    }

    /// The text of a string that has been checked; `quoted` includes its quotation marks.
    static func decoded(_ quoted: ArraySlice<UInt8>) -> String {
        let inner = quoted.dropFirst().dropLast()
        guard inner.contains(UInt8(ascii: "\\")) else { return String(decoding: inner, as: UTF8.self) }
        // Checked, so that all of it can be read.
        let plain = inner.withUnsafeBufferPointer { JSONEscapes.removed(from: $0) }
        return String(decoding: plain ?? [], as: UTF8.self)
    }
}
