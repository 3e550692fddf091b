import Foundation

/// What can be read out of a JSON text. A field that is missing or of another type is absent, never a failure of the
/// whole: what others wrote is read as far as it goes.
package protocol JSONReadable {
    /// Reads the value at `reader` and passes over it. Nil where it is something else.
    init?(from reader: inout JSONReader)
}

/// An object of which each member is read where it is there, and is as in an empty one where it is not.
package protocol JSONShape: JSONReadable {
    associatedtype Key: JSONKey

    init()
    mutating func take(_ key: Key, _ value: inout JSONReader)
}

extension JSONShape {
    package init?(from reader: inout JSONReader) {
        self.init()
        guard reader.object({ (key: Key, value) in take(key, &value) }) else { return nil }
    }
}

extension JSONReader {
    /// The value here; nil where it is none of the kind.
    package mutating func read<Value: JSONReadable>(_ type: Value.Type = Value.self) -> Value? { Value(from: &self) }

    /// The elements that can be read, in order; the others are passed over. Nil where there is no array.
    package mutating func elements<Element: JSONReadable>(of type: Element.Type = Element.self) -> [Element]? {
        var elements: [Element] = []
        let isArray = array { reader in
            if let element = Element(from: &reader) { elements.append(element) }
        }
        return isArray ? elements : nil
    }

    package mutating func string() -> String? {
        guard next == UInt8(ascii: "\"") else {
            skip()
            return nil
        }
        return text().flatMap { string($0) }
    }

    package mutating func bool() -> Bool? {
        let first = next
        skip()
        guard !isMalformed else { return nil }
        return first == UInt8(ascii: "t") ? true : first == UInt8(ascii: "f") ? false : nil
    }

    /// A number without a fraction, however written: `1.0` and `1e3` are integers.
    package mutating func integer() -> Int64? {
        guard next == UInt8(ascii: "-") || isAtDigit else {
            skip()
            return nil
        }
        return number().flatMap { plainInteger(in: $0) ?? decoded(Int64.self, $0) }
    }

    /// Any value; nil where a part of it cannot be read.
    package mutating func value() -> JSONValue? {
        switch next {
        case UInt8(ascii: "{"): return object()
        case UInt8(ascii: "["):
            var elements: [JSONValue?] = []
            array { elements.append($0.value()) }
            let readable = elements.compactMap(\.self)
            return isMalformed || readable.count < elements.count ? nil : .array(readable)
        case UInt8(ascii: "\""): return string().map { .string($0) }
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return bool().map { .bool($0) }
        case UInt8(ascii: "n"):
            skip()
            return isMalformed ? nil : .null
        default:
            return number().flatMap { range in
                plainInteger(in: range).map { .integer($0) } ?? decoded(JSONValue.self, range)
            }
        }
    }

    private mutating func object() -> JSONValue? {
        var members: [String: JSONValue] = [:]
        var isReadable = true
        self.members { name, reader in
            guard members[name] == nil else { return }
            guard let value = reader.value() else {
                isReadable = false
                return
            }
            members[name] = value
        }
        return isMalformed || !isReadable ? nil : .object(members)
    }

    /// Digits, perhaps with a sign, and nothing else.
    private func plainInteger(in range: Range<Int>) -> Int64? {
        let digits = bytes[range.lowerBound] == UInt8(ascii: "-") ? range.dropFirst() : range
        guard let first = digits.first, bytes[first] != UInt8(ascii: "0") || digits.count == 1 else { return nil }
        let isNegative = digits.count < range.count
        var value: Int64 = 0
        for index in digits {
            let digit = Int64(bytes[index]) - Int64(UInt8(ascii: "0"))
            guard (0...9).contains(digit) else { return nil }
            let (shifted, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (next, isPastEnd) = shifted.addingReportingOverflow(isNegative ? -digit : digit)
            guard !isTooLarge, !isPastEnd else { return nil }
            value = next
        }
        return value
    }

    /// What the platform's decoder makes of a number that is written in another way.
    private func decoded<Value: Decodable>(_ type: Value.Type, _ range: Range<Int>) -> Value? {
        try? JSONDecoder().decode(type, from: Data(bytes[range]))
    }
}

extension String: JSONReadable {
    package init?(from reader: inout JSONReader) {
        guard let text = reader.string() else { return nil }
        self = text
    }
}

extension Bool: JSONReadable {
    package init?(from reader: inout JSONReader) {
        guard let value = reader.bool() else { return nil }
        self = value
    }
}

extension Int64: JSONReadable {
    package init?(from reader: inout JSONReader) {
        guard let value = reader.integer() else { return nil }
        self = value
    }
}

extension Int: JSONReadable {
    package init?(from reader: inout JSONReader) {
        guard let value = reader.integer() else { return nil }
        self.init(exactly: value)
    }
}

extension Identifier: JSONReadable {
    package init?(from reader: inout JSONReader) {
        guard let text = reader.string() else { return nil }
        self.init(text)
    }
}

extension RemoteText: JSONReadable {
    package init?(from reader: inout JSONReader) {
        guard let text = reader.string() else { return nil }
        self.init(text)
    }
}

extension Timestamp: JSONReadable {
    package init?(from reader: inout JSONReader) {
        guard let milliseconds = reader.integer() else { return nil }
        self.init(milliseconds: milliseconds)
    }
}

extension JSONReadable where Self: RawRepresentable, RawValue == String {
    package init?(from reader: inout JSONReader) {
        guard let text = reader.string() else { return nil }
        self.init(rawValue: text)
    }
}

extension Membership: JSONReadable {}
extension Presence.State: JSONReadable {}
