import Foundation

/// A calendar day and time of day in the proleptic Gregorian calendar, by integer arithmetic.
///
/// Date formatters are slow to make, read the machine's locale and lose milliseconds; this neither reads nor loses
/// anything. The algorithm is Howard Hinnant's "days from civil" (chrono-compatible low-level date algorithms).
public struct CivilDate: Equatable, Sendable {
    public var year: Int
    /// 1 to 12.
    public var month: Int
    /// 1 to 31.
    public var day: Int
    public var hour: Int
    public var minute: Int
    public var second: Int
    public var millisecond: Int

    public init(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, millisecond: Int = 0
    ) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.millisecond = millisecond
    }

    /// Nil outside the years 1 to 9999 of the zone, which no honest clock shows.
    public init?(_ timestamp: Timestamp, in zone: TimeZone = .gmt) {
        let limit: Int64 = 253_402_300_799_999
        guard (-62_135_596_800_000...limit).contains(timestamp.milliseconds) else { return nil }
        let date = Date(timeIntervalSince1970: Double(timestamp.milliseconds.floorDivided(by: 1_000)))
        let local = timestamp.milliseconds + Int64(zone.secondsFromGMT(for: date)) * 1_000
        let days = Int(local.floorDivided(by: 86_400_000))
        let ofDay = Int(local - Int64(days) * 86_400_000)
        let shifted = days + 719_468
        let era = shifted.floorDivided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        hour = ofDay / 3_600_000
        minute = ofDay / 60_000 % 60
        second = ofDay / 1_000 % 60
        millisecond = ofDay % 1_000
        guard (1...9_999).contains(year) else { return nil }
    }

    /// Days since 1970-01-01; tells whether two dates are the same calendar day.
    public var dayNumber: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = shiftedYear.floorDivided(by: 400)
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

extension Timestamp {
    /// `2026-01-05T09:00:00.000Z`; nil outside the years 1 to 9999.
    public var iso8601: String? {
        guard let date = CivilDate(self) else { return nil }
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
            + "T\(padded(date.hour, 2)):\(padded(date.minute, 2)):\(padded(date.second, 2))"
            + ".\(padded(date.millisecond, 3))Z"
    }

    /// Reads `2026-01-05T09:00:00Z`, with or without a fraction of a second, in UTC; nil for anything else.
    public init?(iso8601 text: String) {
        let pattern = #/(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2}):(\d{2})(?:\.([0-9]{1,9}))?Z?/#
        guard let match = text.wholeMatch(of: pattern),
            let year = Int(match.1), let month = Int(match.2), let day = Int(match.3),
            let hour = Int(match.4), let minute = Int(match.5), let second = Int(match.6),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61
        else { return nil }
        let fraction = (match.7.map(String.init) ?? "").padding(toLength: 3, withPad: "0", startingAt: 0)
        let days = CivilDate(year: year, month: month, day: day).dayNumber
        let seconds = ((Int64(days) * 24 + Int64(hour)) * 60 + Int64(minute)) * 60 + Int64(second)
        self.init(milliseconds: seconds * 1_000 + (Int64(fraction) ?? 0))
        // A day that the month does not have comes back as one of the next.
        let midnight = Timestamp(milliseconds: Int64(days) * 86_400_000)
        guard let back = CivilDate(midnight), back.day == day, CivilDate(self) != nil else { return nil }
    }
}

extension BinaryInteger {
    /// Division that rounds towards minus infinity.
    func floorDivided(by divisor: Self) -> Self {
        let quotient = self / divisor
        return (self % divisor != 0 && (self < 0) != (divisor < 0)) ? quotient - 1 : quotient
    }
}
