/// A point in time: whole milliseconds since 1970-01-01T00:00:00Z.
///
/// An integer, because floating-point dates lose milliseconds on the way through text.
public struct Timestamp: Hashable, Comparable, Sendable, Codable {
    public var milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    public init(from decoder: any Decoder) throws {
        self.init(milliseconds: try decoder.singleValueContainer().decode(Int64.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }

    public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

    /// Later by `duration`, stopping at the ends of what can be represented.
    public static func + (left: Self, duration: Duration) -> Self {
        let (sum, overflow) = left.milliseconds.addingReportingOverflow(duration.milliseconds)
        guard overflow else { return Self(milliseconds: sum) }
        return Self(milliseconds: duration < .zero ? .min : .max)
    }

    public static func - (left: Self, right: Self) -> Duration {
        let (difference, overflow) = left.milliseconds.subtractingReportingOverflow(right.milliseconds)
        guard overflow else { return .milliseconds(difference) }
        return .milliseconds(left < right ? Int64.min : Int64.max)
    }
}

extension Duration {
    /// Whole milliseconds, rounded towards zero, stopping at the ends of `Int64`.
    public var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, overflowed) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        if overflowed { return seconds < 0 ? .min : .max }
        return sum
    }
}
