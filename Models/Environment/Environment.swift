import Foundation

/// Everything that would make two runs of the same scene differ, by name.
public struct Environment: Sendable {
    public var clock: any WallClock
    public var timeZone: TimeZone
    public var locale: Locale
    public var identifiers: any IdentifierSource
    public var activity: Activity

    public init(
        clock: any WallClock, timeZone: TimeZone, locale: Locale, identifiers: any IdentifierSource,
        activity: Activity = Activity()
    ) {
        self.clock = clock
        self.timeZone = timeZone
        self.locale = locale
        self.identifiers = identifiers
        self.activity = activity
    }

    /// The machine's time and zone. The locale is fixed: what Words prints does not depend on `LANG`.
    public static func live() -> Environment {
        Environment(
            clock: SystemClock(), timeZone: .current, locale: Locale(identifier: "en_US_POSIX"),
            identifiers: GeneratedIdentifiers())
    }

    /// Time that stands still, UTC, and identifiers from a seeded stream.
    public static func virtual(
        clock: VirtualClock, timeZone: TimeZone = .gmt, seed: UInt64 = 1, activity: Activity = Activity()
    ) -> Environment {
        Environment(
            clock: clock, timeZone: timeZone, locale: Locale(identifier: "en_US_POSIX"),
            identifiers: GeneratedIdentifiers(seed: seed), activity: activity)
    }

    /// Does `work` once, `delay` from now. It counts as activity from firing until it has returned.
    public func after(
        _ delay: Duration, _ cause: String = "timer", _ work: @escaping @Sendable () async -> Void
    ) -> any ScheduledTimer {
        clock.schedule(after: delay) { [activity] in activity.run(cause, work) }
    }
}
