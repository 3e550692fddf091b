import Foundation
import Models
import Testing

@Suite("Timestamp")
struct TimestampTests {
    private let end = Timestamp(milliseconds: .max)
    private let beginning = Timestamp(milliseconds: .min)

    @Test("sums and differences are exact to the millisecond")
    func exact() {
        let time = Timestamp(milliseconds: 1_767_603_600_123)

        #expect((time + .milliseconds(877)).milliseconds == 1_767_603_601_000)
        #expect(time + .seconds(-1) - time == .milliseconds(-1_000))
        #expect(time < time + .milliseconds(1))
    }

    @Test("they stop at the ends instead of trapping")
    func ends() {
        #expect(end + .seconds(1) == end)
        #expect(beginning + .seconds(-1) == beginning)
        #expect(end - beginning == .milliseconds(Int64.max))
        #expect(beginning - end == .milliseconds(Int64.min))
        #expect(Timestamp(milliseconds: 0) + .seconds(Int64.max) == end)
        #expect(Timestamp(milliseconds: 0) + .seconds(Int64.min) == beginning)
    }

    @Test("a duration's milliseconds are whole, towards zero, and bounded")
    func durations() {
        #expect(Duration.microseconds(1_999).milliseconds == 1)
        #expect(Duration.microseconds(-1_999).milliseconds == -1)
        #expect(Duration.seconds(Int64.max).milliseconds == .max)
        #expect(Duration.seconds(Int64.min).milliseconds == .min)
    }

    @Test("in JSON it is an integer; a fraction, a string or too large a number is not read")
    func coding() throws {
        let data = try JSONEncoder().encode([Timestamp(milliseconds: 1_700_000_000_123)])

        #expect(String(decoding: data, as: UTF8.self) == "[1700000000123]")
        for text in ["[1.5]", "[\"1\"]", "[9223372036854775808]", "[null]", "[true]"] {
            #expect(throws: (any Error).self) { try JSONDecoder().decode([Timestamp].self, from: Data(text.utf8)) }
        }
    }

    @Test(
        "ISO 8601 is written with milliseconds and read with any fraction",
        arguments: [
            ("2026-01-05T09:00:00Z", 1_767_603_600_000, "2026-01-05T09:00:00.000Z"),
            ("2026-01-05T09:00:00.123Z", 1_767_603_600_123, "2026-01-05T09:00:00.123Z"),
            ("2026-01-05T09:00:00.1Z", 1_767_603_600_100, "2026-01-05T09:00:00.100Z"),
            ("2026-01-05T09:00:00.999999999Z", 1_767_603_600_999, "2026-01-05T09:00:00.999Z"),
            ("2026-01-05 09:00:00", 1_767_603_600_000, "2026-01-05T09:00:00.000Z"),
            ("1969-12-31T23:59:59.999Z", -1, "1969-12-31T23:59:59.999Z"),
            ("2024-02-29T12:00:00Z", 1_709_208_000_000, "2024-02-29T12:00:00.000Z"),
            ("2016-12-31T23:59:60Z", 1_483_228_800_000, "2017-01-01T00:00:00.000Z"),
            ("0001-01-01T00:00:00Z", -62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
            ("9999-12-31T23:59:59.999Z", 253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ])
    func iso8601(text: String, milliseconds: Int64, written: String) {
        let time = Timestamp(iso8601: text)

        #expect(time == Timestamp(milliseconds: milliseconds))
        #expect(time?.iso8601 == written)
    }

    @Test(
        "what is no such date is not read, and never crashes",
        arguments: [
            "", "now", "2026-01-05", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-02-30T00:00:00Z",
            "2026-02-30T00:00:60Z", "2025-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-01-05T24:00:00Z",
            "2026-01-05T09:60:00Z", "2026-01-05T09:00:61Z", "2026-01-05T09:00:00.Z", "2026-01-05T09:00:00+01:00",
            "2026-1-5T9:00:00Z", "0000-01-01T00:00:00Z", "99999-01-01T00:00:00Z", "-2026-01-05T09:00:00Z",
            "２０２６-01-05T09:00:00Z", "2026-01-05T09:00:00.٣Z", " 2026-01-05T09:00:00Z", "2026-01-05T09:00:00Z\n",
        ])
    func unreadable(text: String) {
        #expect(Timestamp(iso8601: text) == nil)
    }

    @Test("outside the years 1 to 9999 nothing is written")
    func outside() {
        for milliseconds in [Int64.min, -62_135_596_800_001, 253_402_300_800_000, .max] {
            #expect(Timestamp(milliseconds: milliseconds).iso8601 == nil)
        }
    }
}
