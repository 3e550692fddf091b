import Foundation

/// Walks once over a JSON text (RFC 8259) and reads out of it what is asked for, building nothing of the rest.
///
/// Brackets, commas, colons, words and the ends of texts are checked as it goes, and nesting is bounded by
/// `JSONValue.depthLimit`: after a fault it stands at the end and gives nothing any more. What a number or a text says is
/// looked at only where it is asked for, so that one which nobody can read is absent and spoils nothing beside it.
///
/// Each function that reads passes over one value, whatever that is.
package struct JSONReader {
    /// Offsets are counted from here.
    let bytes: UnsafeRawBufferPointer
    private(set) var index: Int
    private var depth = 0
    /// Whether a fault was found so far.
    package private(set) var isMalformed = false

    /// Reads the one value that is `data`, or that stands in `range` of it. Nil where it is no JSON, nests too deep, or
    /// `body` returns nil.
    package static func read<Result>(
        _ data: Data, in range: Range<Int>? = nil, _ body: (inout JSONReader) -> Result?
    ) -> Result? {
        data.withUnsafeBytes { bytes in
            var reader = JSONReader(range.map { UnsafeRawBufferPointer(rebasing: bytes[$0]) } ?? bytes)
            let result = body(&reader)
            reader.skipSpace()
            return !reader.isMalformed && reader.next == nil ? result : nil
        }
    }

    private init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        // A reader may ignore a byte order mark. RFC 8259, section 8.1.
        index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        skipSpace()
    }

    /// The byte here; nil at the end.
    var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    var isAtObject: Bool { next == UInt8(ascii: "{") }

    private mutating func fail() {
        isMalformed = true
        index = bytes.count
    }

    private mutating func faulty<Value>() -> Value? {
        fail()
        return nil
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        index += 1
        return true
    }
}

// MARK: Structure

extension JSONReader {
    /// Passes over one value and tells where it stands.
    @discardableResult
    package mutating func skip() -> Range<Int> {
        let start = index
        switch next {
        case UInt8(ascii: "{"):
            list(closedBy: UInt8(ascii: "}")) { reader in
                if reader.name() != nil { reader.skip() }
            }
        case UInt8(ascii: "["): list(closedBy: UInt8(ascii: "]")) { $0.skip() }
        case UInt8(ascii: "\""): _ = text()
        case UInt8(ascii: "t"): word("true")
        case UInt8(ascii: "f"): word("false")
        case UInt8(ascii: "n"): word("null")
        default: _ = number()
        }
        return start..<index
    }

    /// Tells `member` of each member of an object that has a name of `Key`, the first where several have the same.
    ///
    /// - Returns: Whether there was an object.
    @discardableResult
    package mutating func object<Key: JSONKey>(_ member: (Key, inout JSONReader) -> Void) -> Bool {
        guard isAtObject else {
            skip()
            return false
        }
        var seen: UInt64 = 0
        list(closedBy: UInt8(ascii: "}")) { reader in
            guard let name = reader.name() else { return }
            guard let (number, key) = Key.names.find(name, reader), seen & (1 << UInt64(number)) == 0 else {
                reader.skip()
                return
            }
            seen |= 1 << UInt64(number)
            reader.visit { member(key, &$0) }
        }
        return !isMalformed
    }

    /// Tells `member` of each member of an object, whatever its name; one whose name cannot be read is passed over.
    ///
    /// - Returns: Whether there was an object.
    @discardableResult
    package mutating func members(_ member: (String, inout JSONReader) -> Void) -> Bool {
        guard isAtObject else {
            skip()
            return false
        }
        list(closedBy: UInt8(ascii: "}")) { reader in
            guard let name = reader.name() else { return }
            guard let text = reader.string(name) else {
                reader.skip()
                return
            }
            reader.visit { member(text, &$0) }
        }
        return !isMalformed
    }

    /// Tells `element` of each element of an array.
    ///
    /// - Returns: Whether there was an array.
    @discardableResult
    package mutating func array(_ element: (inout JSONReader) -> Void) -> Bool {
        guard next == UInt8(ascii: "[") else {
            skip()
            return false
        }
        list(closedBy: UInt8(ascii: "]")) { reader in reader.visit(element) }
        return !isMalformed
    }

    /// Lets `body` read the value here; passes over it where it does not.
    private mutating func visit(_ body: (inout JSONReader) -> Void) {
        let start = index
        body(&self)
        if index == start { skip() }
    }

    /// From one bracket to the other: each part is passed over by `part`.
    private mutating func list(closedBy end: UInt8, _ part: (inout JSONReader) -> Void) {
        depth += 1
        guard depth <= JSONValue.depthLimit else { return fail() }
        index += 1
        skipSpace()
        while !take(end) {
            part(&self)
            skipSpace()
            // A comma too many at the end is taken, as the platform's decoder takes it.
            guard take(UInt8(ascii: ",")) || next == end else { return fail() }
            skipSpace()
        }
        depth -= 1
    }

    /// The name of a member; afterwards its value is here. Nil after a fault.
    private mutating func name() -> JSONText? {
        guard let name = text() else { return nil }
        skipSpace()
        guard take(UInt8(ascii: ":")) else { return faulty() }
        skipSpace()
        return name
    }

    private mutating func word(_ word: StaticString) {
        for offset in 0..<word.utf8CodeUnitCount where !take(word.utf8Start[offset]) { return fail() }
    }

    /// Passes over what looks like a number. Nil after a fault.
    mutating func number() -> Range<Int>? {
        let start = index
        guard next == UInt8(ascii: "-") || isAtDigit else { return faulty() }
        repeat { index += 1 } while isAtDigit || isAtNumberMark
        return start..<index
    }

    var isAtDigit: Bool { next.map { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") } ?? false }

    private var isAtNumberMark: Bool {
        switch next {
        case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"), UInt8(ascii: "-"): true
        default: false
        }
    }
}

// MARK: Texts

/// Where a text stands, between its quotation marks, and what was seen in passing.
struct JSONText {
    var range: Range<Int>
    var hasEscapes = false
    /// Control characters have to be escaped: nobody can read one with such in it.
    var hasControls = false
}

extension JSONReader {
    /// Passes over a text. Nil after a fault.
    mutating func text() -> JSONText? {
        guard take(UInt8(ascii: "\"")) else { return faulty() }
        let start = index
        var text = JSONText(range: start..<start)
        while true {
            skipPlain()
            switch next {
            case UInt8(ascii: "\""):
                text.range = start..<index
                index += 1
                return text
            case UInt8(ascii: "\\"):
                text.hasEscapes = true
                index += 1
                // What is escaped may be a quotation mark.
                guard let escaped = next, escaped != 0 else { return faulty() }
                index += 1
            // There is no zero byte in JSON: it comes with other encodings, which are none of Matrix's.
            case nil, 0: return faulty()
            default:
                text.hasControls = true
                index += 1
            }
        }
    }

    /// Goes to the next quotation mark, backslash or control character, or to the end; eight bytes at a time.
    private mutating func skipPlain() {
        while bytes.count - index >= 8 {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let special =
                Self.zeros(word ^ 0x2222_2222_2222_2222) | Self.zeros(word ^ 0x5C5C_5C5C_5C5C_5C5C)
                | (word &- 0x2020_2020_2020_2020) & ~word & 0x8080_8080_8080_8080
            guard special == 0 else {
                // Carries can only make false marks above a true one.
                index += special.trailingZeroBitCount / 8
                return
            }
            index += 8
        }
        while let byte = next, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { index += 1 }
    }

    /// The high bit of the lowest byte that is zero, and perhaps others above it.
    private static func zeros(_ word: UInt64) -> UInt64 {
        (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
    }

    /// What `text` says; nil where that is no UTF-8 or not escaped as it has to be.
    func string(_ text: JSONText) -> String? {
        guard !text.hasControls else { return nil }
        let slice = UnsafeRawBufferPointer(rebasing: bytes[text.range]).assumingMemoryBound(to: UInt8.self)
        guard text.hasEscapes else { return String(validating: slice, as: UTF8.self) }
        return JSONEscapes.removed(from: slice).flatMap { String(validating: $0, as: UTF8.self) }
    }
}
