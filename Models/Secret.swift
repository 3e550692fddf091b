/// A password or a token. It prints as `<redacted>` however it is printed, dumped or interpolated.
public struct Secret: Hashable, Sendable {
    private let value: String

    public init(_ value: String) { self.value = value }

    /// The secret itself. Only for the body or header of a request and for the 0600 session file.
    public func reveal() -> String { value }

    public var isEmpty: Bool { value.isEmpty }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "<redacted>" }
    public var debugDescription: String { "<redacted>" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Secret: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}
