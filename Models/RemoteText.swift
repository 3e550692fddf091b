/// Text that somebody else wrote: a name, a message, a server's explanation.
///
/// It is a type of its own so that it cannot reach a terminal by accident: the text renderer's sanitiser is the only
/// code that turns it into something printable. A graphical view may read `unsanitised`, since its labels do not
/// interpret control characters.
public struct RemoteText: Hashable, Sendable, ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// The text as it came, byte for byte.
    public let unsanitised: String

    public init(_ unsanitised: String) { self.unsanitised = unsanitised }

    public init(stringLiteral value: String) { self.unsanitised = value }

    public var isEmpty: Bool { unsanitised.isEmpty }

    public static func == (left: Self, right: Self) -> Bool {
        left.unsanitised.hasSameBytes(as: right.unsanitised)
    }

    public func hash(into hasher: inout Hasher) {
        for byte in unsanitised.utf8 { hasher.combine(byte) }
    }
}

extension RemoteText {
    /// Mixes words of ours with words of theirs: `"User \(name) has joined"`; the whole then counts as theirs.
    public struct StringInterpolation: StringInterpolationProtocol {
        var text = ""

        public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

        public mutating func appendLiteral(_ literal: String) { text += literal }
        public mutating func appendInterpolation(_ remote: RemoteText) { text += remote.unsanitised }
        public mutating func appendInterpolation(_ local: String) { text += local }
        public mutating func appendInterpolation(_ number: Int) { text += String(number) }
        public mutating func appendInterpolation<Kind>(_ identifier: Identifier<Kind>) { text += identifier.raw }
    }

    public init(stringInterpolation: StringInterpolation) { self.unsanitised = stringInterpolation.text }
}

extension RemoteText: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(unsanitised)
    }
}
