/// An opaque identifier of the chat service, compared byte for byte.
///
/// Swift compares strings by canonical equivalence; two identifiers that differ only in composition are different
/// people, so equality here looks at the bytes. Matrix client-server API, appendix "Common Identifier Format".
public struct Identifier<Kind>: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let raw: String

    public init(_ raw: String) { self.raw = raw }

    public var description: String { raw }

    public static func == (left: Self, right: Self) -> Bool { left.raw.hasSameBytes(as: right.raw) }

    public static func < (left: Self, right: Self) -> Bool {
        left.raw.utf8.lexicographicallyPrecedes(right.raw.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        var text = raw
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}

extension Identifier: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(raw)
    }
}

extension Identifier: CodingKeyRepresentable {
    public var codingKey: any CodingKey { raw.codingKey }

    public init?(codingKey: some CodingKey) { self.init(codingKey.stringValue) }
}

/// What an identifier is of: these tell the types below apart, and have no values.
public enum UserKind: Sendable {}
public enum RoomKind: Sendable {}
public enum EventKind: Sendable {}
public enum DeviceKind: Sendable {}
public enum TransactionKind: Sendable {}

/// `@local:server`, unique for ever.
public typealias UserID = Identifier<UserKind>
/// `!opaque:server`.
public typealias RoomID = Identifier<RoomKind>
/// `$opaque`, given by the server when it has stored an event.
public typealias EventID = Identifier<EventKind>
/// The scope of transaction ids; lives as long as a session, across renewals of its tokens.
public typealias DeviceID = Identifier<DeviceKind>
/// Made by the client, once for each message, and kept on every retry.
public typealias TransactionID = Identifier<TransactionKind>

extension Identifier where Kind == UserKind {
    /// The part between `@` and the first `:`; the whole where the form is another.
    public var localPart: String {
        guard raw.hasPrefix("@"), let colon = raw.firstIndex(of: ":") else { return raw }
        return String(raw[raw.index(after: raw.startIndex)..<colon])
    }
}
