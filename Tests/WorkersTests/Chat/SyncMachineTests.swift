import Models
import Testing

@testable import Workers

@Suite("SyncMachine")
struct SyncMachineTests {
    private func online(at position: String = "s1") -> SyncMachine {
        var machine = SyncMachine(hold: .seconds(30))
        _ = machine.handle(.start)
        _ = machine.handle(.applied(position: position))
        return machine
    }

    private func failed(_ fault: NetworkFault, fraction: Double = 0) -> SyncMachine.Event {
        .failed(.network(fault), at: start, fraction: fraction)
    }

    @Test("the first poll asks for everything, is not held, and has a longer limit")
    func first() {
        var machine = SyncMachine(hold: .seconds(30))

        let actions = machine.handle(.start)

        #expect(
            actions == [.connection(.connecting), .poll(since: nil, hold: .zero, deadline: .seconds(300))])
    }

    @Test("a session that goes on from a stored position wants its first answer at once")
    func resumed() {
        var machine = SyncMachine(hold: .seconds(30), position: "s7")

        let first = machine.handle(.start)
        let next = machine.handle(.applied(position: "s8"))

        #expect(first == [.connection(.connecting), .poll(since: "s7", hold: .zero, deadline: .seconds(15))])
        #expect(next == [.connection(.online), .poll(since: "s8", hold: .seconds(30), deadline: .seconds(45))])
    }

    @Test("an answer that is late again and again is given twice the time, up to sixteen times; after one, as before")
    func patience() {
        var machine = online()
        var deadlines: [Duration] = []

        for _ in 0..<6 {
            _ = machine.handle(failed(.timedOut))
            for case .poll(_, _, let deadline) in machine.handle(.timerFired) { deadlines.append(deadline) }
        }
        _ = machine.handle(.applied(position: "s2"))
        _ = machine.handle(failed(.unreachable))

        #expect(deadlines == [30, 60, 120, 240, 240, 240].map { .seconds($0) })
        #expect(machine.handle(.timerFired) == [.poll(since: "s2", hold: .zero, deadline: .seconds(15))])
    }

    @Test("after a batch the next poll is long, from where that batch ended, with fifteen seconds of grace")
    func next() {
        var machine = SyncMachine(hold: .seconds(30))
        _ = machine.handle(.start)

        let actions = machine.handle(.applied(position: "s1"))

        #expect(actions == [.connection(.online), .poll(since: "s1", hold: .seconds(30), deadline: .seconds(45))])
        #expect(machine.position == "s1")
    }

    @Test("a failure keeps the position, says until when it waits, and asks again from the same place")
    func failure() {
        var machine = online()

        let waiting = machine.handle(failed(.unreachable))
        let again = machine.handle(.timerFired)

        #expect(
            waiting == [
                .connection(.offline(reason: .unreachable, retryAt: start + .seconds(1))), .wait(.seconds(1)),
            ])
        #expect(again == [.poll(since: "s1", hold: .zero, deadline: .seconds(15))])
    }

    @Test("waits double from one second to sixty, and begin anew after a success")
    func doubling() {
        var machine = online()
        var waits: [Duration] = []

        for _ in 0..<8 {
            for case .wait(let wait) in machine.handle(failed(.timedOut)) { waits.append(wait) }
            _ = machine.handle(.timerFired)
        }
        _ = machine.handle(.applied(position: "s2"))
        let afterSuccess = machine.handle(failed(.timedOut)).last

        #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        #expect(afterSuccess == .wait(.seconds(1)))
    }

    @Test("jitter takes away up to a quarter")
    func jitter() {
        var machine = online()

        let actions = machine.handle(failed(.unreachable, fraction: 0.5))

        #expect(actions.last == .wait(.milliseconds(875)))
    }

    @Test("a wait that the server asks for is kept to, even when the network is back")
    func retryAfter() {
        var machine = online()

        let actions = machine.handle(failed(.limited(retryAfter: .seconds(7))))
        let early = machine.handle(.networkReturned)

        #expect(actions.last == .wait(.seconds(7)))
        #expect(early.isEmpty)
        #expect(machine.phase == .waiting)
    }

    @Test("a network that is back ends the wait")
    func networkReturned() {
        var machine = online()
        _ = machine.handle(failed(.unreachable))

        let actions = machine.handle(.networkReturned)

        #expect(actions == [.cancelWait, .poll(since: "s1", hold: .zero, deadline: .seconds(15))])
    }

    @Test(
        "a session that is over ends the loop for good, and what is kept of it only where it is over for good too",
        arguments: [(ChatServiceError.sessionEnded, false), (.sessionExpired, true)])
    func ended(_ error: ChatServiceError, _ isExpired: Bool) {
        var machine = online()

        let actions = machine.handle(.failed(error, at: start, fraction: 0))
        let later =
            machine.handle(.timerFired) + machine.handle(.networkReturned) + machine.handle(.start)
            + machine.handle(.sessionOver(.sessionEnded)) + machine.handle(.applied(position: "s2"))

        #expect(actions == [.connection(.ended), .end(isExpired: isExpired)])
        #expect(later.isEmpty)
        #expect(machine.phase == .ended)
        #expect(machine.isExpired == isExpired)
        #expect(machine.position == "s1")
    }

    @Test("what another request was told ends a poll that is held, and a wait")
    func toldElsewhere() {
        var polling = online()
        var waiting = online()
        _ = waiting.handle(failed(.unreachable))

        #expect(polling.handle(.sessionOver(.sessionExpired)) == [.connection(.ended), .end(isExpired: true)])
        #expect(
            waiting.handle(.sessionOver(.sessionEnded)) == [.cancelWait, .connection(.ended), .end(isExpired: false)])
        #expect(polling.phase == .ended && waiting.phase == .ended)
    }

    @Test("a refused position is given up once, and everything asked for anew")
    func refusedPosition() {
        var machine = online()

        _ = machine.handle(.failed(.refused("unknown token"), at: start, fraction: 0))
        let again = machine.handle(.timerFired)

        #expect(again == [.poll(since: nil, hold: .zero, deadline: .seconds(300))])
    }

    @Test("stopping while waiting takes the timer back; nothing follows")
    func stop() {
        var machine = online()
        _ = machine.handle(failed(.unreachable))

        let actions = machine.handle(.stop)

        #expect(actions == [.cancelWait])
        #expect(machine.handle(.timerFired).isEmpty)
    }
}
