/// Durations as scripts write them: `500ms`, `31s`, `2m`, `1h30m`, `1d`.
enum DurationText {
    private static let units: [(name: String, milliseconds: Int64)] = [
        ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]

    /// A century: longer than any script waits, and short enough that no sum of timestamps overflows.
    private static let longest: Int64 = 36_525 * 86_400_000

    /// Nil where `text` is no duration, or is longer than a century.
    static func duration(_ text: String) -> Duration? {
        var rest = Substring(text)
        var total: Int64 = 0
        repeat {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            let unit = rest.dropFirst(digits.count).prefix { $0.isASCII && $0.isLetter }
            rest = rest.dropFirst(digits.count + unit.count)
            guard let number = Int64(digits), let scale = units.first(where: { $0.name == unit })?.milliseconds
            else { return nil }
            let (product, overflow) = number.multipliedReportingOverflow(by: scale)
            guard !overflow, product <= longest - total else { return nil }
            total += product
        } while !rest.isEmpty
        return .milliseconds(total)
    }
}

extension DurationText {
    /// `duration` in the greatest unit in which it is a whole number.
    static func text(_ duration: Duration) -> String {
        let milliseconds = duration.milliseconds
        let unit = units.last { milliseconds % $0.milliseconds == 0 && milliseconds >= $0.milliseconds } ?? units[0]
        return "\(milliseconds / unit.milliseconds)\(unit.name)"
    }
}
