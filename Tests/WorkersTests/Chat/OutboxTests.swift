import Foundation
import Models
import Testing

@testable import Workers

@Suite("Outbox")
struct OutboxTests {
    private let first = TransactionID("t1")
    private let second = TransactionID("t2")
    private let third = TransactionID("t3")

    private func entry(_ id: TransactionID) -> Outbox.Entry {
        Outbox.Entry(
            message: OutgoingMessage(
                transactionID: id, body: RemoteText(id.raw), createdAt: start, state: .sending),
            content: Data(id.raw.utf8))
    }

    private func states(_ outbox: Outbox) -> [OutgoingMessage.State] { outbox.messages(in: lobby).map(\.state) }

    private func outbox(_ ids: [TransactionID]) -> Outbox {
        var outbox = Outbox()
        for id in ids { _ = outbox.handle(.enqueue(entry(id), lobby)) }
        return outbox
    }

    private func failure(_ id: TransactionID, _ fault: NetworkFault = .unreachable) -> Outbox.Event {
        .failed(id, lobby, .network(fault), fraction: 0)
    }

    @Test("a message is attempted at once")
    func enqueue() {
        var outbox = Outbox()

        let actions = outbox.handle(.enqueue(entry(first), lobby))

        #expect(actions == [.changed(lobby), .attempt(first, lobby, Data("t1".utf8))])
        #expect(states(outbox) == [.sending])
    }

    @Test("what is accepted has its place, but is neither shown nor tried before it is stored")
    func accepted() {
        var outbox = Outbox()

        let accepted = outbox.handle(.accept(entry(first), lobby)) + outbox.handle(.accept(entry(second), lobby))
        let overtaking = outbox.handle(.stored(second, lobby))
        let stored = outbox.handle(.stored(first, lobby))

        #expect(accepted.isEmpty)
        #expect(overtaking == [.changed(lobby)])
        #expect(stored == [.changed(lobby), .attempt(first, lobby, Data("t1".utf8))])
        #expect(outbox.messages(in: lobby).map(\.transactionID) == [first, second])
    }

    @Test("what cannot be stored leaves no trace, and those behind it go on")
    func unstorable() {
        var outbox = Outbox()
        _ = outbox.handle(.accept(entry(first), lobby))
        _ = outbox.handle(.accept(entry(second), lobby))
        _ = outbox.handle(.stored(second, lobby))

        let actions = outbox.handle(.refused(first, lobby))

        #expect(actions == [.attempt(second, lobby, Data("t2".utf8))])
        #expect(outbox.messages(in: lobby).map(\.transactionID) == [second])
    }

    @Test("what is stored while the room waits, waits too")
    func storedBehind() {
        var outbox = outbox([first])
        _ = outbox.handle(.accept(entry(second), lobby))
        let failed = outbox.handle(failure(first))

        let stored = outbox.handle(.stored(second, lobby))

        #expect(!failed.contains(.firstAttemptEnded(second)))
        #expect(stored == [.changed(lobby), .firstAttemptEnded(second)])
        #expect(states(outbox) == [.waiting, .waiting])
    }

    @Test("what an earlier run left waits for the server, ahead of what is new, and goes out in order")
    func restored() {
        var outbox = Outbox()
        var earlier = [entry(first), entry(second)]
        earlier[0].message.state = .waiting
        earlier[1].message.state = .failed(.tooLarge)

        let restored = outbox.handle(.restore(earlier, lobby))
        let new = outbox.handle(.enqueue(entry(third), lobby))
        let back = outbox.handle(.networkReturned)

        #expect(restored == [.changed(lobby)])
        #expect(new == [.changed(lobby), .firstAttemptEnded(third)])
        #expect(states(outbox) == [.waiting, .failed(.tooLarge), .waiting])
        #expect(back == [.cancelWait(lobby), .attempt(first, lobby, Data("t1".utf8))])
    }

    @Test("where nothing that an earlier run left is due, what is new goes at once")
    func restoredFailures() {
        var outbox = Outbox()
        var earlier = [entry(first), entry(second)]
        earlier[0].message.state = .sent(EventID("$1"))
        earlier[1].message.state = .failed(.tooLarge)
        _ = outbox.handle(.restore(earlier, lobby))

        let new = outbox.handle(.enqueue(entry(third), lobby))

        #expect(new == [.changed(lobby), .attempt(third, lobby, Data("t3".utf8))])
    }

    @Test("the second of a room is attempted after the first has its answer")
    func order() {
        var outbox = outbox([first])

        let queued = outbox.handle(.enqueue(entry(second), lobby))
        let answered = outbox.handle(.sent(first, lobby, EventID("$1")))

        #expect(queued == [.changed(lobby)])
        #expect(
            answered == [.changed(lobby), .firstAttemptEnded(first), .attempt(second, lobby, Data("t2".utf8))])
        #expect(states(outbox) == [.sent(EventID("$1")), .sending])
    }

    @Test("rooms do not wait for each other")
    func rooms() {
        var outbox = outbox([first])

        let actions = outbox.handle(.enqueue(entry(second), RoomID("!other:words.test")))

        #expect(actions.contains(.attempt(second, RoomID("!other:words.test"), Data("t2".utf8))))
    }

    @Test("a fault that may pass makes all that is due wait, and the same transaction is tried again")
    func waiting() {
        var outbox = outbox([first, second])

        let failed = outbox.handle(failure(first))
        let again = outbox.handle(.timerFired(lobby))

        #expect(
            failed == [
                .changed(lobby), .firstAttemptEnded(first), .firstAttemptEnded(second), .wait(lobby, .seconds(1)),
            ])
        #expect(states(outbox) == [.waiting, .waiting])
        #expect(again == [.attempt(first, lobby, Data("t1".utf8))])
    }

    @Test("a message behind one that waits is waiting from the start")
    func behind() {
        var outbox = outbox([first])
        _ = outbox.handle(failure(first))

        let actions = outbox.handle(.enqueue(entry(second), lobby))

        #expect(actions == [.changed(lobby), .firstAttemptEnded(second)])
        #expect(states(outbox) == [.waiting, .waiting])
    }

    @Test("waits double with the failures of one message")
    func doubling() {
        var outbox = outbox([first])
        var waits: [Duration] = []

        for _ in 0..<4 {
            for case .wait(_, let wait) in outbox.handle(failure(first)) { waits.append(wait) }
            _ = outbox.handle(.timerFired(lobby))
        }

        #expect(waits == [1, 2, 4, 8].map { .seconds($0) })
    }

    @Test("a refused message fails with the reason and lets the next one pass")
    func refused() {
        var outbox = outbox([first, second])

        let actions = outbox.handle(.failed(first, lobby, .forbidden("You have left."), fraction: 0))

        #expect(
            actions == [.changed(lobby), .firstAttemptEnded(first), .attempt(second, lobby, Data("t2".utf8))])
        #expect(states(outbox) == [.failed(.refused("You have left.")), .sending])
    }

    @Test("its event takes a message out, whether by transaction or by event id, and only once")
    func echo() {
        var byTransaction = outbox([first])
        var byEvent = outbox([first])
        _ = byEvent.handle(.sent(first, lobby, EventID("$1")))

        let early = byTransaction.handle(.echoed(lobby, first, EventID("$1")))
        let late = byEvent.handle(.echoed(lobby, nil, EventID("$1")))
        let repeated = byEvent.handle(.echoed(lobby, first, EventID("$1")))

        #expect(early == [.changed(lobby), .firstAttemptEnded(first)])
        #expect(late == [.changed(lobby), .firstAttemptEnded(first)])
        #expect(repeated.isEmpty)
        #expect(states(byTransaction).isEmpty)
        #expect(states(byEvent).isEmpty)
    }

    @Test("a lost answer after the echo is not tried again, and the next message goes")
    func lostAnswerAfterEcho() {
        var outbox = outbox([first, second])
        _ = outbox.handle(.echoed(lobby, first, EventID("$1")))

        let actions = outbox.handle(failure(first))

        #expect(actions == [.firstAttemptEnded(first), .attempt(second, lobby, Data("t2".utf8))])
    }

    @Test("an echo while waiting ends the wait")
    func echoWhileWaiting() {
        var outbox = outbox([first])
        _ = outbox.handle(failure(first))

        let actions = outbox.handle(.echoed(lobby, first, EventID("$1")))

        #expect(actions == [.changed(lobby), .firstAttemptEnded(first), .cancelWait(lobby)])
        #expect(outbox.handle(.timerFired(lobby)).isEmpty)
    }

    @Test("an echo of the first of several that wait leaves the others waiting for the timer")
    func echoOfFirstOfTwo() {
        var outbox = outbox([first, second])
        _ = outbox.handle(failure(first))

        _ = outbox.handle(.echoed(lobby, first, EventID("$1")))
        let actions = outbox.handle(.timerFired(lobby))

        #expect(actions == [.attempt(second, lobby, Data("t2".utf8))])
    }

    @Test("a wait that the server asks for is kept to, and the network's return does not shorten it")
    func limited() {
        var outbox = outbox([first])

        let actions = outbox.handle(failure(first, .limited(retryAfter: .seconds(2))))
        let returned = outbox.handle(.networkReturned)

        #expect(actions.last == .wait(lobby, .seconds(2)))
        #expect(returned.isEmpty)
    }

    @Test("a wait of more than thirty seconds is told instead of kept")
    func limitedForLong() {
        var outbox = outbox([first])

        _ = outbox.handle(failure(first, .limited(retryAfter: .seconds(90))))

        #expect(states(outbox) == [.failed(.refused("the server asks to wait 90 s before the next message"))])
    }

    @Test("the network's return tries what waits")
    func networkReturned() {
        var outbox = outbox([first])
        _ = outbox.handle(failure(first))

        let actions = outbox.handle(.networkReturned)

        #expect(actions == [.cancelWait(lobby), .attempt(first, lobby, Data("t1".utf8))])
    }

    @Test("retry tries failed and waiting ones again, in their order")
    func retry() {
        var outbox = outbox([first, second, third])
        _ = outbox.handle(.failed(first, lobby, .refused("no"), fraction: 0))
        _ = outbox.handle(failure(second))

        let actions = outbox.handle(.retry(lobby))

        #expect(actions == [.changed(lobby), .cancelWait(lobby), .attempt(first, lobby, Data("t1".utf8))])
        #expect(states(outbox) == [.sending, .sending, .sending])
    }

    @Test("the end of the session fails all that is due; what is sent stays sent")
    func sessionEnded() {
        var outbox = outbox([first, second, third])
        _ = outbox.handle(.sent(first, lobby, EventID("$1")))

        let actions = outbox.handle(.failed(second, lobby, .sessionEnded, fraction: 0))

        #expect(states(outbox) == [.sent(EventID("$1")), .failed(.sessionEnded), .failed(.sessionEnded)])
        #expect(!actions.contains { if case .attempt = $0 { true } else { false } })
    }

    @Test("a session that has run out leaves all that is due waiting, and nothing is tried in it any more")
    func sessionExpired() {
        var outbox = outbox([first, second, third])
        _ = outbox.handle(.sent(first, lobby, EventID("$1")))

        let actions = outbox.handle(.failed(second, lobby, .sessionExpired, fraction: 0))
        let later = outbox.handle(.networkReturned) + outbox.handle(.timerFired(RoomID("!other:words.test")))

        #expect(states(outbox) == [.sent(EventID("$1")), .waiting, .waiting])
        #expect(
            actions == [
                .cancelWait(lobby), .changed(lobby), .firstAttemptEnded(second), .firstAttemptEnded(third),
            ])
        #expect(later.isEmpty)
    }

    @Test("it ends a wait, and what is on its way may still arrive")
    func sessionExpiresMeanwhile() {
        let other = RoomID("!other:words.test")
        var outbox = outbox([first, second])
        _ = outbox.handle(failure(first))
        _ = outbox.handle(.enqueue(entry(third), other))

        let actions = outbox.handle(.sessionExpired)
        let arrived = outbox.handle(.sent(third, other, EventID("$3")))

        #expect(actions.contains(.cancelWait(lobby)) && actions.contains(.firstAttemptEnded(third)))
        #expect(states(outbox) == [.waiting, .waiting])
        #expect(outbox.messages(in: other).map(\.state) == [.sent(EventID("$3"))])
        #expect(arrived.contains(.changed(other)))
    }

    @Test("whatever happens, each message is attempted with its own transaction and no two of a room at once")
    func never() { step(1_500) }

    func step(_ steps: Int) {
        var generator = SplitMix64(state: 7)
        var outbox = Outbox()
        var inFlight: TransactionID?
        var confirmed: Set<TransactionID> = []
        var order: [TransactionID] = []

        for step in 0..<steps {
            let id = TransactionID("t\(step)")
            let event: Outbox.Event =
                switch Int.random(in: 0..<6, using: &generator) {
                case 0: .enqueue(entry(id), lobby)
                case 1: .timerFired(lobby)
                case 2: .networkReturned
                case 3: inFlight.map { .sent($0, lobby, EventID("$\($0)")) } ?? .networkReturned
                case 4: inFlight.map { failure($0) } ?? .networkReturned
                default: inFlight.map { .echoed(lobby, $0, EventID("$\($0)")) } ?? .networkReturned
                }
            if case .sent(let id, _, _) = event, confirmed.insert(id).inserted { order.append(id) }
            if case .sent = event { inFlight = nil }
            if case .failed = event { inFlight = nil }
            for case .attempt(let id, _, let content) in outbox.handle(event) {
                #expect(inFlight == nil)
                #expect(content == Data(id.raw.utf8))
                inFlight = id
            }
        }

        let numbers = order.compactMap { Int($0.raw.dropFirst()) }
        #expect(numbers == numbers.sorted())
        #expect(numbers.count > 100)
    }
}

@Suite("Outbox, at length")
struct OutboxSoakTests {
    @Test("whatever happens, each message is attempted with its own transaction and no two of a room at once")
    func never() { OutboxTests().step(3_000) }
}
