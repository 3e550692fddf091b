import Models
import Testing

@testable import Server

@Suite struct RequestCauseTests {
    @Test("a request counts from its beginning to its end, once")
    func counts() {
        let activity = Activity()
        let cause = RequestCause(activity: activity)

        cause.begin()
        cause.begin()

        #expect(activity.outstanding == ["server request"])
        cause.end()
        cause.end()
        #expect(activity.isIdle)
    }

    @Test("a parked request does not count, and counts again once it is woken")
    func parking() {
        let activity = Activity()
        let cause = RequestCause(activity: activity)
        cause.begin()

        cause.park()
        cause.park()

        #expect(activity.isIdle)
        cause.unpark()
        #expect(activity.outstanding == ["server request"])
        cause.end()
        #expect(activity.isIdle)
    }

    @Test("a request that ends while parked leaves the count right")
    func endsParked() {
        let activity = Activity()
        let cause = RequestCause(activity: activity)
        cause.begin()
        cause.park()

        cause.end()
        cause.unpark()

        #expect(activity.isIdle)
    }
}
