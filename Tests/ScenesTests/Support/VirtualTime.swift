import Foundation
import Models

/// An environment whose time stands still until a test advances it.
struct VirtualTime {
    let clock: VirtualClock
    let environment: Environment

    init(_ now: Timestamp = Fixture.now, zone: TimeZone = .gmt) {
        clock = VirtualClock(now: now)
        environment = .virtual(clock: clock, timeZone: zone)
    }

    /// Waits until nothing is going on.
    func settle() async { await environment.activity.idle() }

    @MainActor
    func advance(_ duration: Duration) async {
        await clock.advance(by: duration) { await environment.activity.idle() }
    }
}
