import Models
import Testing

@testable import Workers

@Suite("TypingMachine")
struct TypingMachineTests {
    private func key(_ seconds: Int64) -> TypingMachine.Event { .key(at: start + .seconds(seconds)) }

    @Test("the first key says that one is typing, and starts the pause")
    func first() {
        var machine = TypingMachine()

        #expect(machine.handle(key(0)) == [.send(true), .startStopTimer(.seconds(5))])
    }

    @Test("further keys only start the pause anew")
    func further() {
        var machine = TypingMachine()
        _ = machine.handle(key(0))
        _ = machine.handle(.answered)

        #expect(machine.handle(key(3)) == [.startStopTimer(.seconds(5))])
    }

    @Test("it is said again every twenty seconds while keys go on")
    func repetition() {
        var machine = TypingMachine()
        var said: [Int64] = []

        for second in stride(from: Int64(0), through: 60, by: 4) {
            if machine.handle(key(second)).contains(.send(true)) {
                said.append(second)
                _ = machine.handle(.answered)
            }
        }

        #expect(said == [0, 20, 40, 60])
    }

    @Test("the pause after the last key takes it back")
    func pause() {
        var machine = TypingMachine()
        _ = machine.handle(key(0))
        _ = machine.handle(.answered)

        #expect(machine.handle(.stopTimerFired) == [.cancelStopTimer, .send(false)])
        #expect(machine.handle(.stopTimerFired).isEmpty)
    }

    @Test("so does a message; without typing a message says nothing")
    func message() {
        var machine = TypingMachine()
        let before = machine.handle(.messageSent)
        _ = machine.handle(key(0))
        _ = machine.handle(.answered)

        #expect(before.isEmpty)
        #expect(machine.handle(.messageSent) == [.cancelStopTimer, .send(false)])
    }

    @Test("two requests never overtake each other: the second waits for the first")
    func oneAtATime() {
        var machine = TypingMachine()
        _ = machine.handle(key(0))

        let sent = machine.handle(.messageSent)
        let answered = machine.handle(.answered)

        #expect(sent == [.cancelStopTimer])
        #expect(answered == [.send(false)])
    }

    @Test("keys again before the answer leave nothing to say")
    func resumed() {
        var machine = TypingMachine()
        _ = machine.handle(key(0))
        _ = machine.handle(.messageSent)
        _ = machine.handle(key(1))

        #expect(machine.handle(.answered).isEmpty)
    }
}
