import Testing

@testable import Models

@Suite("ActivityPause")
struct ActivityPauseTests {
    private let activity = Activity()

    /// Waits in the task that calls it; what is returned ends the wait.
    private func waiting(in work: @escaping @Sendable (@escaping @Sendable (PausedContinuation) -> Void) async -> Void)
        async -> PausedContinuation
    {
        await withCheckedContinuation { found in
            _ = Task { await work { found.resume(returning: $0) } }
        }
    }

    @Test("work that waits does not count, with all that it is done within, until the wait ends")
    func pause() async {
        let wait = await waiting { [activity] found in
            await activity.during("command") {
                await activity.during("login") {
                    await withCheckedContinuation { continuation in
                        let wait = PausedContinuation(continuation)
                        wait.pause()
                        found(wait)
                    }
                }
            }
        }
        let during = activity.outstanding
        activity.begin("timer")
        wait.resume()
        let resumed = Set(activity.outstanding)
        activity.end("timer")
        await activity.idle()

        #expect(during == [])
        #expect(resumed.isSuperset(of: ["timer"]))
        #expect(activity.outstanding == [])
    }

    @Test("a wait counts again before what ends it stops to count")
    func neverZero() async {
        let wait = await waiting { [activity] found in
            await activity.during("login") {
                await withCheckedContinuation { continuation in
                    let wait = PausedContinuation(continuation)
                    wait.pause()
                    found(wait)
                }
                let (forever, _) = AsyncStream<Void>.makeStream()
                for await _ in forever {}
            }
        }

        wait.resume()

        #expect(activity.outstanding == ["login"])
    }

    @Test("an end that comes first lets a pause never begin, and each happens once")
    func endFirst() async {
        await activity.during("work") {
            let pause = ActivityPause()
            pause.end()
            pause.begin()
            let afterEnd = activity.isIdle
            let other = ActivityPause()
            other.begin()
            other.begin()
            let paused = activity.isIdle
            other.end()
            other.end()

            #expect(!afterEnd)
            #expect(paused)
            #expect(activity.outstanding == ["work"])
        }
        #expect(activity.isIdle)
    }

    @Test("work that ends while it is paused stays uncounted")
    func endsPaused() async {
        let kept = Locked<ActivityPause?>(nil)
        await activity.during("work") {
            let pause = ActivityPause()
            pause.begin()
            kept.withLock { $0 = pause }
        }

        kept.withLock { $0 }?.end()

        #expect(activity.isIdle)
        #expect(activity.outstanding == [])
    }

    @Test("a task of its own is not paused with the work that has started it")
    func ownTask() async {
        let (gate, open) = AsyncStream<Void>.makeStream()
        await activity.during("command") {
            let own = activity.run("typing") { for await _ in gate { break } }
            let pause = ActivityPause()
            pause.begin()

            #expect(activity.outstanding == ["typing"])

            open.yield()
            await own.value
            pause.end()
        }
    }

    @Test("a poll that a fault holds is parked")
    func poll() async {
        activity.beginPoll("p")
        await Activity.during(poll: "p", of: activity) {
            let pause = ActivityPause()
            pause.begin()
            let held = activity.isIdle
            pause.end()

            #expect(held)
            #expect(!activity.isIdle)
        }
        activity.endPoll("p")
    }

    @Test("who joins shared work does not count while it goes on, and counts before it has ended")
    func shared() async {
        let (gate, open) = AsyncStream<Void>.makeStream()
        let work = SharedWork { () -> Int in
            for await _ in gate { break }
            return 7
        }
        let joined = activity.run("joiner") { #expect(await work.joined == 7) }
        await activity.idle()
        open.yield()

        #expect(await work.value == 7)
        await joined.value
        #expect(await work.joined == 7)
        #expect(activity.isIdle)
    }
}
