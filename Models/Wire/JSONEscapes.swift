/// What stands behind backslashes in the texts of JSON. RFC 8259, section 7.
package enum JSONEscapes {
    /// The bytes of a text without its escapes. Nil where one is none of JSON's, and for half a surrogate pair.
    package static func removed(from text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            let byte = text[index]
            index += 1
            guard byte == UInt8(ascii: "\\") else {
                result.append(byte)
                continue
            }
            guard index < text.count else { return nil }
            let kind = text[index]
            index += 1
            if kind == UInt8(ascii: "u") {
                guard let scalar = scalar(text, &index) else { return nil }
                result.append(contentsOf: scalar.utf8)
            } else {
                guard let plain = plain(kind) else { return nil }
                result.append(plain)
            }
        }
        return result
    }

    private static func plain(_ kind: UInt8) -> UInt8? {
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): kind
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    /// `index` stands behind the `u`.
    private static func scalar(_ text: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Unicode.Scalar? {
        guard let first = unit(text, &index) else { return nil }
        // Half a pair is no scalar by itself.
        guard (0xD800...0xDBFF).contains(first) else { return Unicode.Scalar(first) }
        guard index + 1 < text.count, text[index] == UInt8(ascii: "\\"), text[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        index += 2
        guard let second = unit(text, &index), (0xDC00...0xDFFF).contains(second) else { return nil }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    }

    private static func unit(_ text: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> UInt32? {
        guard text.count - index >= 4 else { return nil }
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = digit(text[index]) else { return nil }
            unit = unit << 4 | digit
            index += 1
        }
        return unit
    }

    private static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
