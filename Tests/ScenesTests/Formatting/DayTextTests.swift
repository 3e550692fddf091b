import Foundation
import Models
import Testing

@testable import Scenes

@Suite("DayText")
struct DayTextTests {
    private let text = DayText(zone: .gmt)
    private let now = Fixture.now

    @Test(
        "times are of 24 hours, in the zone",
        arguments: [
            ("UTC", "09:00"), ("Asia/Kathmandu", "14:45"), ("America/New_York", "04:00"),
            ("Pacific/Kiritimati", "23:00"),
        ])
    func time(_ zone: String, _ expected: String) {
        #expect(DayText(zone: Fixture.zone(zone)).time(now) == expected)
    }

    @Test("seconds are shown where asked for")
    func seconds() {
        #expect(text.timeWithSeconds(now + .milliseconds(5_999)) == "09:00:05")
    }

    @Test(
        "today is Today, other days are month and day, other years say so",
        arguments: [
            ("2026-01-05T00:00:00Z", "Today"), ("2026-01-05T23:59:59Z", "Today"), ("2026-01-04T23:59:59Z", "January 4"),
            ("2026-01-06T00:00:00Z", "January 6"), ("2025-12-31T12:00:00Z", "December 31, 2025"),
            ("2024-02-29T12:00:00Z", "February 29, 2024"),
        ])
    func day(_ time: String, _ expected: String) {
        #expect(text.day(Fixture.time(time), now: now) == expected)
    }

    @Test("the day is that of the zone")
    func zonedDay() {
        let late = Fixture.time("2026-01-04T23:30:00Z")

        #expect(DayText(zone: Fixture.zone("Europe/Berlin")).day(late, now: now) == "Today")
        #expect(text.day(late, now: now) == "January 4")
    }

    @Test("what cannot be read is unknown", arguments: [nil, Int64.min, Int64.max, 300_000_000_000_000])
    func unknown(_ milliseconds: Int64?) {
        let time = milliseconds.map { Timestamp(milliseconds: $0) }

        #expect(text.time(time) == "unknown time")
        #expect(text.day(time, now: now) == "unknown time")
        #expect(text.short(time, now: now) == "unknown time")
        #expect(text.dayNumber(time) == nil)
    }

    @Test("the short form is the time today and the day else")
    func short() {
        #expect(text.short(now, now: now) == "09:00")
        #expect(text.short(now + .seconds(-86_400), now: now) == "January 4")
    }

    @Test("presence says when somebody who is away or gone was last seen")
    func presence() {
        let seen = now + .seconds(-600)

        #expect(text.presence(nil, now: now) == "offline")
        #expect(text.presence(Presence(state: .online, lastActiveAt: seen), now: now) == "online")
        #expect(text.presence(Presence(state: .unavailable, lastActiveAt: seen), now: now) == "last seen 08:50")
        #expect(text.presence(Presence(state: .offline, lastActiveAt: seen), now: now) == "last seen 08:50")
        #expect(text.presence(Presence(state: .offline), now: now) == "offline")
        #expect(text.presence(Presence(state: .unavailable), now: now) == "away")
        #expect(
            text.presence(Presence(state: .offline, lastActiveAt: now + .seconds(-86_400)), now: now)
                == "last seen January 4")
        #expect(
            text.presence(Presence(state: .offline, lastActiveAt: Timestamp(milliseconds: .max)), now: now)
                == "offline")
    }

    @Test(
        "the next day begins at midnight of the zone, also where the clocks change",
        arguments: [
            ("UTC", "2026-01-05T09:00:00Z", 54_000_000), ("UTC", "2026-01-05T23:59:59.999Z", 1),
            ("UTC", "2026-01-05T00:00:00Z", 86_400_000), ("Asia/Kathmandu", "2026-01-05T18:00:00Z", 900_000),
            // 23 and 25 hours long.
            ("Europe/Berlin", "2026-03-28T23:00:00Z", 82_800_000),
            ("Europe/Berlin", "2026-10-24T22:00:00Z", 90_000_000),
            // Midnight itself is skipped: the day begins at one.
            ("Africa/Cairo", "2026-04-23T21:00:00Z", 3_600_000),
        ])
    func midnight(_ zone: String, _ time: String, _ expected: Int) {
        #expect(DayText(zone: Fixture.zone(zone)).untilNextDay(Fixture.time(time)) == .milliseconds(expected))
    }

    @Test("midnight comes a day later where now itself cannot be read")
    func midnightOfNowhere() {
        #expect(text.untilNextDay(Timestamp(milliseconds: .max)) == .seconds(86_400))
    }
}
