import Models
import Testing

@Suite("Activity")
struct ActivityTests {
    private let activity = Activity()

    @Test("it is idle when every cause has ended, whatever their order")
    func causes() {
        activity.begin("a")
        activity.begin("b")
        activity.begin("a")
        let during = activity.outstanding
        activity.end("b")
        activity.end("a")
        let before = activity.isIdle
        activity.end("a")

        #expect(during == ["a (2)", "b"])
        #expect(!before)
        #expect(activity.isIdle)
        #expect(activity.outstanding == [])
    }

    @Test("waiting returns at once when idle, else with the last end, for everyone who waits")
    func idle() async {
        await activity.idle()
        activity.begin("a")
        let waited = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<10 {
                group.addTask { [activity] in
                    await activity.idle()
                    waited.withLock { $0 += 1 }
                }
            }
            let before = waited.withLock { $0 }
            activity.end("a")
            await group.waitForAll()

            #expect(before == 0)
        }
        #expect(waited.withLock { $0 } == 10)
    }

    @Test("a task counts from its start until it has returned")
    func run() async {
        let (gate, open) = AsyncStream<Void>.makeStream()

        let task = activity.run("task") { for await _ in gate { break } }
        let during = activity.outstanding
        open.yield()
        await task.value

        #expect(during == ["task"])
        #expect(activity.isIdle)
    }

    @Test("work in place counts until it has returned or thrown")
    func during() async {
        struct Failure: Error {}

        let inside = await activity.during("work") { activity.outstanding }
        let thrown = await #expect(throws: Failure.self) {
            try await activity.during("work") { throw Failure() }
        }

        #expect(inside == ["work"])
        #expect(thrown != nil)
        #expect(activity.isIdle)
    }

    @Test("a poll counts except while the server holds it")
    func poll() {
        var idle: [Bool] = []

        activity.beginPoll("p")
        idle.append(activity.isIdle)
        activity.park(poll: "p")
        idle.append(activity.isIdle)
        activity.unpark(poll: "p")
        idle.append(activity.isIdle)
        activity.endPoll("p")
        idle.append(activity.isIdle)

        #expect(idle == [false, true, false, true])
    }

    @Test("between a poll that ends and the next the count does not touch zero")
    func handOver() {
        activity.beginPoll("1")
        activity.park(poll: "1")
        activity.unpark(poll: "1")
        activity.beginPoll("2")
        activity.endPoll("1")
        let between = activity.isIdle
        activity.park(poll: "2")

        #expect(!between)
        #expect(activity.isIdle)
    }

    @Test("a poll that its client gives up while it is held leaves the count right, whatever the server says later")
    func givenUp() {
        activity.beginPoll("p")
        activity.park(poll: "p")
        activity.endPoll("p")
        activity.unpark(poll: "p")
        activity.park(poll: "p")
        activity.endPoll("p")

        #expect(activity.isIdle)
        activity.begin("a")
        #expect(!activity.isIdle)
    }

    @Test("every sequence of calls about polls keeps the count: idle exactly when no poll is under way unparked")
    func anySequence() {
        var generator = SplitMix64(state: 3)
        var model: [String: Bool] = [:]

        for step in 0..<20_000 {
            let id = ["p", "q", "r"][Int.random(in: 0..<3, using: &generator)]
            switch Int.random(in: 0..<4, using: &generator) {
            case 0:
                activity.beginPoll(id)
                model[id] = model[id] ?? false
            case 1:
                activity.park(poll: id)
                if model[id] != nil { model[id] = true }
            case 2:
                activity.unpark(poll: id)
                if model[id] != nil { model[id] = false }
            default:
                activity.endPoll(id)
                model[id] = nil
            }
            #expect(activity.isIdle == !model.values.contains(false), "step \(step)")
        }
    }
}
