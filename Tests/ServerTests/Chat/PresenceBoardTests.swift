import Models
import Testing

@testable import Server

@Suite("PresenceBoard")
struct PresenceBoardTests {
    private let ann = UserID("@ann:ex.org")

    private func time(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1_000) }

    @Test("a sync brings online, and one timer watches over it")
    func online() {
        var board = PresenceBoard()

        let actions = board.handle(.syncBegan(state: .online), of: ann, now: time(0))

        #expect(
            actions == [
                .publish(ann), .save(ann), .wake(ann, at: time(300)),
            ])
        #expect(board.handle(.syncEnded, of: ann, now: time(30)) == [.wake(ann, at: time(60))])
        #expect(board.handle(.syncBegan(state: .online), of: ann, now: time(30)) == [])
        #expect(board.handle(.timePassed, of: ann, now: time(60)) == [.wake(ann, at: time(300))])
        #expect(board.person(ann)?.state == .online)
    }

    @Test("gone half a minute after the last of several syncs")
    func gone() {
        var board = PresenceBoard()
        _ = board.handle(.syncBegan(state: .online), of: ann, now: time(0))
        _ = board.handle(.syncBegan(state: .online), of: ann, now: time(0))
        _ = board.handle(.syncEnded, of: ann, now: time(1))
        _ = board.handle(.timePassed, of: ann, now: time(31))
        #expect(board.person(ann)?.state == .online)

        _ = board.handle(.syncEnded, of: ann, now: time(40))
        _ = board.handle(.timePassed, of: ann, now: time(69))
        #expect(board.person(ann)?.state == .online)
        let actions = board.handle(.timePassed, of: ann, now: time(70))

        #expect(actions.contains(.publish(ann)))
        #expect(board.person(ann)?.state == .offline)
        #expect(board.person(ann)?.lastActiveAt == time(0))
    }

    @Test("idle after five minutes without an act, and back with the next")
    func idle() {
        var board = PresenceBoard()
        _ = board.handle(.syncBegan(state: .online), of: ann, now: time(0))
        _ = board.handle(.acted, of: ann, now: time(100))
        _ = board.handle(.timePassed, of: ann, now: time(300))
        #expect(board.person(ann)?.state == .online)

        _ = board.handle(.timePassed, of: ann, now: time(400))
        #expect(board.person(ann)?.state == .unavailable)
        _ = board.handle(.syncBegan(state: .online), of: ann, now: time(401))
        #expect(board.person(ann)?.state == .unavailable)
        _ = board.handle(.acted, of: ann, now: time(402))

        #expect(board.person(ann)?.state == .online)
    }

    @Test("what is set holds, with its message, until it is changed")
    func set() {
        var board = PresenceBoard()
        _ = board.handle(.syncBegan(state: .online), of: ann, now: time(0))

        let actions = board.handle(.set(.offline, message: "bye"), of: ann, now: time(5))

        #expect(actions.first == .publish(ann))
        #expect(board.person(ann)?.state == .offline)
        #expect(board.person(ann)?.message == "bye")
        #expect(board.handle(.set(.offline, message: "bye"), of: ann, now: time(6)) == [])
    }

    @Test("acts are saved once a minute at most")
    func saving() {
        var board = PresenceBoard()
        _ = board.handle(.syncBegan(state: .online), of: ann, now: time(0))

        #expect(board.handle(.acted, of: ann, now: time(30)) == [])
        #expect(board.handle(.acted, of: ann, now: time(61)) == [.save(ann)])
    }
}

@Suite("TypingBoard")
struct TypingBoardTests {
    private let ann = UserID("@ann:ex.org")
    private let bob = UserID("@bob:ex.org")
    private let room = RoomID("!r:ex.org")

    private func time(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1_000) }

    @Test("the set is told when it changes, not when somebody goes on typing")
    func changes() {
        var board = TypingBoard()

        let first = board.handle(.started(ann, room, until: time(30)), now: time(0))
        let again = board.handle(.started(ann, room, until: time(50)), now: time(20))
        let other = board.handle(.started(bob, room, until: time(25)), now: time(20))

        #expect(first == [.publish(room), .wake(room, at: time(30))])
        #expect(again == [])
        #expect(other == [.publish(room), .wake(room, at: time(25))])
        #expect(board.people(in: room) == [ann, bob])
    }

    @Test("people drop out one by one as their time is over")
    func expires() {
        var board = TypingBoard()
        _ = board.handle(.started(ann, room, until: time(30)), now: time(0))
        _ = board.handle(.started(bob, room, until: time(25)), now: time(0))

        let first = board.handle(.timePassed(room), now: time(25))
        let second = board.handle(.timePassed(room), now: time(30))

        #expect(first == [.publish(room), .wake(room, at: time(30))])
        #expect(second == [.publish(room)])
        #expect(board.people(in: room) == [])
    }

    @Test("stopping what was not going on is nothing")
    func stop() {
        var board = TypingBoard()

        #expect(board.handle(.stopped(ann, room), now: time(0)) == [])
        _ = board.handle(.started(ann, room, until: time(30)), now: time(0))
        #expect(board.handle(.stopped(ann, room), now: time(1)) == [.publish(room)])
        #expect(board.handle(.timePassed(room), now: time(30)) == [])
    }
}
