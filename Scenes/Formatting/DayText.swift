import Foundation
import Models

/// Days and times in words and digits, in one zone, by fixed patterns: nothing here depends on the machine's language.
struct DayText: Sendable {
    static let unknown = "unknown time"

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    let zone: TimeZone

    /// Days since 1970-01-01 in the zone; nil where the time cannot be read.
    func dayNumber(_ timestamp: Timestamp?) -> Int? { date(timestamp)?.dayNumber }

    /// `09:00`.
    func time(_ timestamp: Timestamp?) -> String {
        date(timestamp).map { "\(padded($0.hour)):\(padded($0.minute))" } ?? Self.unknown
    }

    /// `09:00:05`.
    func timeWithSeconds(_ timestamp: Timestamp?) -> String {
        date(timestamp).map { "\(padded($0.hour)):\(padded($0.minute)):\(padded($0.second))" } ?? Self.unknown
    }

    /// `Today`, `January 5`, or `January 5, 2025` where the year is another than now.
    func day(_ timestamp: Timestamp?, now: Timestamp) -> String {
        guard let date = date(timestamp) else { return Self.unknown }
        let today = self.date(now)
        if date.dayNumber == today?.dayNumber { return "Today" }
        let day = "\(Self.months[date.month - 1]) \(date.day)"
        return date.year == today?.year ? day : "\(day), \(date.year)"
    }

    /// The time today, the day else.
    func short(_ timestamp: Timestamp?, now: Timestamp) -> String {
        guard let day = dayNumber(timestamp) else { return Self.unknown }
        return day == dayNumber(now) ? time(timestamp) : self.day(timestamp, now: now)
    }

    /// `online`, `last seen 09:00`, `last seen January 4`; `offline` where nobody knows when.
    func presence(_ presence: Presence?, now: Timestamp) -> String {
        guard let presence else { return "offline" }
        if presence.state == .online { return "online" }
        guard let seen = presence.lastActiveAt, dayNumber(seen) != nil else {
            return presence.state == .unavailable ? "away" : "offline"
        }
        return "last seen \(short(seen, now: now))"
    }

    /// How long until the calendar day changes next.
    func untilNextDay(_ now: Timestamp) -> Duration {
        let hour: Int64 = 3_600_000
        guard let today = dayNumber(now) else { return .seconds(86_400) }
        var before: Int64 = 0
        var after = 49 * hour
        while after - before > 1 {
            let middle = before + (after - before) / 2
            let day = dayNumber(now + .milliseconds(middle))
            if day == today { before = middle } else { after = middle }
        }
        return .milliseconds(after)
    }

    private func date(_ timestamp: Timestamp?) -> CivilDate? { timestamp.flatMap { CivilDate($0, in: zone) } }

    private func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}
