import Models
import Testing
import Workers

@testable import Scenes

@MainActor
@Suite("ChatroomInteractor: opening a channel")
struct ChatroomChannelOpeningTests {
    @Test("a channel that one is in is shown and not joined again")
    func joined() async {
        let scene = ChannelScene()

        await scene.interactor.start(request: .init())
        await scene.time.settle()

        #expect(scene.presenter.calls == [.reachability(.online), .messages(["$1"], isLoading: false)])
        #expect(scene.chat.calls == [.subscribe, .markRead(ChannelScene.id)])
    }

    @Test("another one is joined when it is opened", arguments: [nil, Membership.invite, .leave])
    func joins(_ membership: Membership?) async {
        let scene = ChannelScene(membership.map { ChannelScene.tea($0, timeline: Timeline()) })

        await scene.interactor.start(request: .init())

        #expect(scene.chat.calls == [.subscribe, .join(ChannelScene.id)])
    }

    @Test("until its history is there nothing can be sent and nobody hears of keys; then all can")
    func onHold() async {
        let scene = ChannelScene(nil)
        await scene.start()

        await scene.interactor.send(request: .init(text: "too soon"))
        await scene.interactor.typed(request: .init())
        let early = scene.presenter.calls
        // It has been joined, and the history is on its way.
        let short = ChannelScene.tea(timeline: ChatroomScene.messages(5...6, hasOlder: true))
        let whole = Fixture.channels(ChannelScene.general, ChannelScene.tea(timeline: ChatroomScene.messages(1...6)))
        scene.chat.older = [.success((whole, hasMore: false))]
        scene.chat.meanwhile = { [scene] call in
            if case .loadOlder = call { await scene.interactor.send(request: .init(text: "still too soon")) }
        }
        await scene.publish(short)
        await scene.interactor.send(request: .init(text: "now"))

        #expect(early == [.send(removed: 0, .refused(.stillLoading))])
        #expect(scene.presenter.calls.dropFirst().contains(.send(removed: 0, .refused(.stillLoading))))
        #expect(scene.presenter.calls.contains(.messages(["$5", "$6"], isLoading: true)))
        #expect(scene.presenter.calls.contains(.messages(ChatroomScene.ids(1...6), isLoading: false)))
        #expect(scene.presenter.calls.last == .send(removed: 0, nil))
        #expect(
            scene.chat.calls == [
                .loadOlder(ChannelScene.id), .markRead(ChannelScene.id), .send("now", ChannelScene.id),
            ])
    }

    @Test("history that cannot be fetched is said, and does not hold the channel for ever")
    func historyFails() async {
        let scene = ChannelScene(ChannelScene.tea(timeline: ChatroomScene.messages(1...2, hasOlder: true)))
        scene.chat.older = [.failure(.network(.timedOut))]

        await scene.interactor.start(request: .init())
        await scene.interactor.send(request: .init(text: "hello"))

        #expect(scene.presenter.calls.contains(.failure(.network(.timedOut))))
        #expect(scene.presenter.calls.last == .send(removed: 0, nil))
    }

    @Test("a channel that cannot be joined says so, and that nothing can be sent for that")
    func joinFails() async {
        let scene = ChannelScene(nil)
        scene.chat.failure = .refused("No.")

        await scene.interactor.start(request: .init())
        await scene.interactor.send(request: .init(text: "hello"))

        #expect(
            scene.presenter.calls.suffix(3) == [
                .joinFailure(.refused("No.")), .messages([], isLoading: false), .send(removed: 0, .refused(.notJoined)),
            ])
    }

    @Test("a channel that one had left, and that cannot be joined, is asked for its history once at most")
    func joinFailsOfOneLeft() async {
        let left = ChannelScene.tea(.leave, timeline: ChatroomScene.messages(1...2, hasOlder: true))
        let scene = ChannelScene(left)
        scene.chat.failure = .refused("No.")
        scene.chat.older = Array(repeating: .failure(.refused("You are not in this room.")), count: 9)
        await scene.start()

        for _ in 0..<3 { await scene.publish(left) }

        #expect(scene.chat.calls.isEmpty)
        #expect(scene.presenter.calls.isEmpty)
    }

    @Test("the next connection tries again, once, and then the channel is on hold until it is there")
    func joinsLater() async {
        let scene = ChannelScene(nil)
        let offline = Models.Connection.offline(reason: .timedOut, retryAt: nil)
        scene.chat.state = Fixture.channels([], connection: offline)
        scene.chat.failure = .network(.unreachable)
        await scene.start()

        scene.chat.failure = nil
        await scene.chat.publish(Fixture.channels(ChannelScene.general), [.connection])
        await scene.time.settle()
        await scene.interactor.send(request: .init(text: "too soon"))
        await scene.publish(ChannelScene.tea())
        await scene.interactor.send(request: .init(text: "now"))

        #expect(scene.chat.calls.filter { $0 == .join(ChannelScene.id) }.count == 1)
        #expect(scene.presenter.calls.contains(.send(removed: 0, .refused(.stillLoading))))
        #expect(scene.presenter.calls.last == .send(removed: 0, nil))
    }

    @Test("one that comes while a join is under way is not lost: where that fails, another follows", arguments: [1, 2])
    func joinsAgain(_ failures: Int) async {
        let scene = ChannelScene(nil)
        await scene.start()
        let offline = Models.Connection.offline(reason: .timedOut, retryAt: nil)
        let failing = Locked(failures)
        scene.chat.failure = .network(.timedOut)
        scene.chat.meanwhile = { [scene] call in
            guard case .join = call else { return }
            let isFirst = failing.withLock { count in
                count -= 1
                return count == failures - 1
            }
            if failing.withLock({ $0 }) < 0 { scene.chat.failure = nil }
            guard isFirst else { return }
            await scene.chat.publish(Fixture.channels([], connection: offline), [.connection])
            await scene.chat.publish(Fixture.channels(ChannelScene.general), [.connection])
        }

        await scene.chat.publish(Fixture.channels(ChannelScene.general), [.connection])
        await scene.time.settle()

        #expect(scene.chat.calls.filter { $0 == .join(ChannelScene.id) }.count == 2)
        let told = scene.presenter.calls.filter { $0 == .joinFailure(.network(.timedOut)) }.count
        #expect(told == failures - 1, "what has another try behind it is not told")
    }

    @Test("a connection that comes back to a channel that one is in joins nothing")
    func staysJoined() async {
        let scene = ChannelScene()
        await scene.start()

        await scene.chat.publish(Fixture.channels(ChannelScene.general, ChannelScene.tea()), [.connection])
        await scene.time.settle()

        #expect(scene.chat.calls.isEmpty)
    }

    @Test("who joins and leaves stands where the server has it")
    func statusLines() async {
        let scene = ChannelScene()
        await scene.start()
        let items = [
            Fixture.message(1),
            TimelineItem(
                id: EventID("$2"), sender: Fixture.bob.chatID, timestamp: Fixture.now,
                content: .joined(Fixture.bob.chatID)),
            Fixture.message(3),
            TimelineItem(
                id: EventID("$4"), sender: Fixture.bob.chatID, timestamp: Fixture.now,
                content: .left(Fixture.bob.chatID)),
        ]

        await scene.publish(ChannelScene.tea(timeline: Timeline(items: items)))

        #expect(scene.presenter.calls == [.messages(["$1", "$2", "$3", "$4"], isLoading: false)])
    }

    @Test("why one is here is said first")
    func notice() async {
        let scene = ChannelScene()
        scene.interactor.notice = "The channel Cocoa has been deleted."

        await scene.interactor.start(request: .init())

        #expect(scene.presenter.calls.first == .notice("The channel Cocoa has been deleted."))
    }
}
