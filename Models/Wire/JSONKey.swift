/// The names of the members of an object that are read: at most 64, in ASCII.
package protocol JSONKey: CaseIterable, RawRepresentable, Sendable where RawValue == String {
    /// Made once: `static let names = JSONNames<Key>()`.
    static var names: JSONNames<Self> { get }
}

/// The keys of one kind, to be found by the bytes of their names.
package struct JSONNames<Key: JSONKey>: Sendable {
    private struct Entry: Sendable {
        let name: [UInt8]
        let start: UInt64
        let key: Key
    }

    private let entries: [Entry]

    package init() {
        entries = Key.allCases.map { key in
            let name = Array(key.rawValue.utf8)
            return Entry(name: name, start: name.withUnsafeBytes { Self.start(of: $0) }, key: key)
        }
    }

    /// The key that `name` is, and its number.
    func find(_ name: JSONText, _ reader: JSONReader) -> (number: Int, key: Key)? {
        guard !name.hasEscapes else {
            guard let key = reader.string(name).flatMap({ Key(rawValue: $0) }) else { return nil }
            return entries.firstIndex { $0.name == Array(key.rawValue.utf8) }.map { ($0, key) }
        }
        let bytes = UnsafeRawBufferPointer(rebasing: reader.bytes[name.range])
        let start = Self.start(of: bytes)
        let index = entries.firstIndex { entry in
            entry.start == start && entry.name.count == bytes.count
                && (bytes.count <= 8 || entry.name.dropFirst(8).elementsEqual(bytes.dropFirst(8)))
        }
        return index.map { ($0, entries[$0].key) }
    }

    /// The first eight bytes, or as many as there are.
    private static func start(of name: UnsafeRawBufferPointer) -> UInt64 {
        if name.count >= 8 { return name.loadUnaligned(as: UInt64.self) }
        return name.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
