/// The target of a request line, taken apart. RFC 9112, section 3.2.1.
struct RequestTarget: Sendable {
    var path: String
    var segments: [String]
    var query: [(name: String, value: String)]

    /// Nil where the target is no path, or where a part does not decode to UTF-8.
    init?(_ target: String) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = parts.first, path.hasPrefix("/") else { return nil }
        self.path = String(path)
        var pieces = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        if pieces.last?.isEmpty == true { pieces.removeLast() }
        segments = []
        for piece in pieces {
            guard let segment = PercentEncoding.decode(piece) else { return nil }
            segments.append(segment)
        }
        guard let query = PercentEncoding.decodeForm(parts.count > 1 ? parts[1] : "") else { return nil }
        self.query = query
    }
}

/// Reading of percent-encoded text.
enum PercentEncoding {
    /// A `%` that no two hexadecimal digits follow stands for itself. Nil where the result is not UTF-8.
    static func decode(_ text: Substring, plusIsSpace: Bool = false) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = hexadecimalByte(rest.prefix(2)) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else if plusIsSpace, byte == UInt8(ascii: "+") {
                bytes.append(UInt8(ascii: " "))
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// `name=value&…`, where `+` is a space. Nil where a part is not UTF-8.
    static func decodeForm(_ text: Substring) -> [(name: String, value: String)]? {
        var pairs: [(name: String, value: String)] = []
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decode(parts.first ?? "", plusIsSpace: true),
                let value = decode(parts.count > 1 ? parts[1] : "", plusIsSpace: true)
            else { return nil }
            pairs.append((name: name, value: value))
        }
        return pairs
    }

    private static func hexadecimalByte(_ digits: Substring.UTF8View) -> UInt8? {
        guard digits.count == 2, digits.allSatisfy({ isHexadecimal($0) }) else { return nil }
        return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
