import Foundation
import Models
import Testing

@Suite("VirtualClock")
struct VirtualClockTests {
    private let clock = VirtualClock(now: Timestamp(milliseconds: 0))
    private let fired = Locked<[String]>([])

    private func schedule(_ name: String, _ delay: Duration) -> any ScheduledTimer {
        clock.schedule(after: delay) { [fired, clock] in
            fired.withLock { $0.append("\(name)@\(clock.now.milliseconds)") }
        }
    }

    private var names: [String] { fired.withLock { $0 } }

    @Test("timers fire in the order of their time, those of one time in the order of their making")
    func order() async {
        _ = schedule("late", .seconds(2))
        _ = schedule("first", .seconds(1))
        _ = schedule("second", .seconds(1))
        _ = schedule("now", .seconds(-5))

        await clock.advance(by: .seconds(3)) {}

        #expect(names == ["now@0", "first@1000", "second@1000", "late@2000"])
        #expect(clock.now == Timestamp(milliseconds: 3_000))
    }

    @Test("what is not due stays, and fires once when it is")
    func notYet() async {
        _ = schedule("a", .seconds(2))

        await clock.advance(by: .milliseconds(1_999)) {}
        let before = names
        await clock.advance(by: .milliseconds(1)) {}
        await clock.advance(by: .seconds(9)) {}

        #expect(before == [])
        #expect(names == ["a@2000"])
        #expect(clock.nextDeadline == nil)
    }

    @Test("a cancelled timer does not fire")
    func cancel() async {
        let timer = schedule("a", .seconds(1))
        timer.cancel()
        timer.cancel()

        await clock.advance(by: .seconds(2)) {}

        #expect(names == [])
    }

    @Test("a timer may start another within the same advance, and may cancel one")
    func nested() async {
        let victim = schedule("victim", .seconds(3))
        _ = clock.schedule(after: .seconds(1)) { [fired, clock] in
            victim.cancel()
            _ = clock.schedule(after: .seconds(1)) { fired.withLock { $0.append("inner@\(clock.now.milliseconds)") } }
        }

        await clock.advance(by: .seconds(5)) {}

        #expect(names == ["inner@2000"])
    }

    @Test("everything settles before each timer and at the end")
    func settles() async {
        _ = schedule("a", .seconds(1))
        _ = schedule("b", .seconds(2))

        await clock.advance(by: .seconds(2)) { [fired] in fired.withLock { $0.append("settled") } }

        #expect(names == ["settled", "a@1000", "settled", "b@2000", "settled"])
    }

    @Test("time never goes back")
    func monotonic() async {
        await clock.advance(by: .seconds(5)) {}

        _ = clock.fireNext(upTo: Timestamp(milliseconds: 1_000))

        #expect(clock.now == Timestamp(milliseconds: 5_000))
    }
}

@Suite("Environment")
struct EnvironmentTests {
    @Test("work after a delay counts as activity from its firing to its end, and not before")
    func after() async {
        let clock = VirtualClock(now: Timestamp(milliseconds: 0))
        let environment = Environment.virtual(clock: clock)
        let (gate, open) = AsyncStream<Void>.makeStream()
        _ = environment.after(.seconds(1), "work") { for await _ in gate { break } }
        let before = environment.activity.isIdle

        _ = clock.fireNext(upTo: Timestamp(milliseconds: 1_000))
        let during = environment.activity.outstanding
        open.yield()
        await environment.activity.idle()

        #expect(before)
        #expect(during == ["work"])
        #expect(environment.activity.isIdle)
    }

    @Test("the live environment does not depend on the machine's language")
    func live() {
        #expect(Environment.live().locale.identifier == "en_US_POSIX")
    }

    @Test("the system's clock fires, and tells a time of this century")
    func system() async {
        let clock = SystemClock()
        let before = clock.now

        await withCheckedContinuation { continuation in
            _ = clock.schedule(after: .milliseconds(2)) { continuation.resume() }
        }

        #expect(clock.now - before >= .milliseconds(1))
        #expect((2020...2100).contains(CivilDate(before)?.year ?? 0))
    }
}
