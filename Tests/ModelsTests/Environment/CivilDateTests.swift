import Foundation
import Models
import Testing

@Suite("CivilDate")
struct CivilDateTests {
    /// What Foundation's calendar says.
    private func expected(_ time: Timestamp, _ zone: TimeZone) -> CivilDate? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let seconds = (Double(time.milliseconds) / 1_000).rounded(.down)
        let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second], from: Date(timeIntervalSince1970: seconds))
        guard let year = parts.year, let month = parts.month, let day = parts.day, let hour = parts.hour,
            let minute = parts.minute, let second = parts.second
        else { return nil }
        return CivilDate(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second,
            millisecond: Int(time.milliseconds - Int64(seconds) * 1_000))
    }

    @Test(
        "it agrees with Foundation's calendar in every zone, on ordinary days and around clock changes",
        arguments: [
            "UTC", "Europe/Berlin", "America/New_York", "America/St_Johns", "Asia/Kolkata", "Asia/Kathmandu",
            "Australia/Lord_Howe", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Pacific/Apia", "Africa/Casablanca",
        ])
    func zones(name: String) throws {
        let zone = try #require(TimeZone(identifier: name))
        var generator = SplitMix64(state: 11)
        var times: [Timestamp] = []
        // Since 1971, for older offsets with seconds are rounded differently.
        for _ in 0..<600 {
            times.append(Timestamp(milliseconds: .random(in: 31_536_000_000...4_102_444_800_000, using: &generator)))
        }
        var change = Date(timeIntervalSince1970: 1_600_000_000)
        for _ in 0..<12 {
            guard let next = zone.nextDaylightSavingTimeTransition(after: change), next > change else { break }
            change = next
            for offset: Int64 in [-3_600_001, -1_001, -1_000, -1, 0, 1, 1_000, 3_600_000] {
                times.append(Timestamp(milliseconds: Int64(next.timeIntervalSince1970) * 1_000 + offset))
            }
        }

        for time in times {
            #expect(CivilDate(time, in: zone) == expected(time, zone), "\(time.milliseconds) in \(name)")
        }
    }

    @Test("every day of four centuries has its number, and leap years are where they belong")
    func days() throws {
        let day: Int64 = 86_400_000
        var number = CivilDate(year: 1800, month: 1, day: 1).dayNumber
        var date = CivilDate(year: 1800, month: 1, day: 1)
        var leapDays = 0

        while date.year < 2200 {
            let read = try #require(CivilDate(Timestamp(milliseconds: Int64(number) * day)))
            guard read == date, date.dayNumber == number else {
                Issue.record("\(read), number \(date.dayNumber), where \(date), number \(number), was due")
                break
            }
            if date.month == 2, date.day == 29 { leapDays += 1 }
            date = following(date)
            number += 1
        }

        #expect(leapDays == 97)
    }

    private func following(_ date: CivilDate) -> CivilDate {
        let isLeap = date.year % 4 == 0 && (date.year % 100 != 0 || date.year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        if date.day < lengths[date.month - 1] {
            return CivilDate(year: date.year, month: date.month, day: date.day + 1)
        }
        if date.month < 12 { return CivilDate(year: date.year, month: date.month + 1, day: 1) }
        return CivilDate(year: date.year + 1, month: 1, day: 1)
    }

    @Test("before 1970 milliseconds count forwards too")
    func beforeTheEpoch() {
        #expect(
            CivilDate(Timestamp(milliseconds: -1))
                == CivilDate(year: 1969, month: 12, day: 31, hour: 23, minute: 59, second: 59, millisecond: 999))
    }

    @Test("outside the years 1 to 9999 there is no date, in any zone, and nothing traps")
    func outside() throws {
        let east = try #require(TimeZone(secondsFromGMT: 14 * 3_600))
        let west = try #require(TimeZone(secondsFromGMT: -12 * 3_600))

        for zone in [.gmt, east, west] {
            for milliseconds in [Int64.min, -62_135_596_800_001, 253_402_300_800_000, .max] {
                #expect(CivilDate(Timestamp(milliseconds: milliseconds), in: zone) == nil)
            }
        }
        #expect(CivilDate(Timestamp(milliseconds: 253_402_300_799_999), in: east) == nil)
        #expect(CivilDate(Timestamp(milliseconds: -62_135_596_800_000), in: west) == nil)
        #expect(CivilDate(Timestamp(milliseconds: 253_402_300_799_999), in: west)?.year == 9999)
    }
}
