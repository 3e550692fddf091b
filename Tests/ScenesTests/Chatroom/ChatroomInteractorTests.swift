import Models
import Testing
import Workers

@testable import Scenes

@MainActor
@Suite("ChatroomInteractor")
struct ChatroomInteractorTests {
    private let room = Fixture.room
    private let offline = Models.Connection.offline(reason: .timedOut, retryAt: nil)

    @Test("what is known is shown at once, and marked as read")
    func start() async {
        let scene = ChatroomScene()

        await scene.interactor.start(request: .init())
        await scene.time.settle()

        #expect(scene.presenter.calls == [.reachability(.online), .messages(["$1"], isLoading: false)])
        #expect(scene.chat.calls == [.subscribe, .markRead(room)])
    }

    @Test("history is fetched until a page is full")
    func fills() async {
        let scene = ChatroomScene(ChatroomScene.messages(91...95, hasOlder: true))
        scene.chat.older = [
            .success((ChatroomScene.state(ChatroomScene.messages(41...95, hasOlder: true)), hasMore: true)),
            .success((ChatroomScene.state(ChatroomScene.messages(-20...95, hasOlder: true)), hasMore: true)),
        ]

        await scene.interactor.start(request: .init())
        await scene.time.settle()

        #expect(
            scene.presenter.calls == [
                .reachability(.online), .messages(ChatroomScene.ids(91...95), isLoading: true),
                .messages(ChatroomScene.ids(-4...95), isLoading: false),
            ])
        #expect(scene.chat.calls == [.subscribe, .loadOlder(room), .loadOlder(room), .markRead(room)])
    }

    @Test("a server that promises more and brings nothing is asked once")
    func bringsNothing() async {
        let timeline = ChatroomScene.messages(1...5, hasOlder: true)
        let scene = ChatroomScene(timeline)
        scene.chat.older = Array(repeating: .success((ChatroomScene.state(timeline), hasMore: true)), count: 9)

        await scene.interactor.start(request: .init())

        #expect(scene.chat.calls.filter { $0 == .loadOlder(room) }.count == 1)
        #expect(scene.presenter.calls.last == .messages(ChatroomScene.ids(1...5), isLoading: false))
    }

    @Test("history that cannot be fetched is said, and what is known stays")
    func fillFails() async {
        let scene = ChatroomScene(ChatroomScene.messages(1...5, hasOlder: true))
        scene.chat.older = [.failure(.network(.timedOut))]

        await scene.interactor.start(request: .init())

        #expect(
            scene.presenter.calls.suffix(2) == [
                .failure(.network(.timedOut)), .messages(ChatroomScene.ids(1...5), isLoading: false),
            ])
    }

    @Test("offline, nothing is fetched in vain; back online, it is")
    func fillsOnline() async {
        let timeline = ChatroomScene.messages(5...6, hasOlder: true)
        let scene = ChatroomScene()
        scene.chat.state = ChatroomScene.state(timeline, connection: offline)

        await scene.interactor.start(request: .init())
        await scene.time.settle()

        #expect(scene.chat.calls == [.subscribe])
        #expect(
            scene.presenter.take() == [
                .reachability(offline), .messages(ChatroomScene.ids(5...6), isLoading: false),
            ])

        scene.chat.older = [.success((ChatroomScene.state(ChatroomScene.messages(1...6)), hasMore: false))]
        await scene.publish(timeline, [.connection])
        await scene.publish(ChatroomScene.messages(1...6))

        #expect(scene.chat.calls.contains(.loadOlder(room)))
        #expect(scene.presenter.calls.last == .messages(ChatroomScene.ids(1...6), isLoading: false))
    }

    @Test("live messages are shown as they come, each state once")
    func live() async {
        let scene = ChatroomScene()
        await scene.start()
        let timeline = ChatroomScene.messages(1...2)

        await scene.publish(timeline)
        await scene.publish(timeline)

        #expect(scene.presenter.calls == [.messages(["$1", "$2"], isLoading: false)])
    }

    @Test("receipts go out once for each newest event")
    func receipts() async {
        let scene = ChatroomScene()
        await scene.start()

        await scene.publish(ChatroomScene.messages(1...2))
        await scene.publish(ChatroomScene.messages(1...2))
        await scene.publish(ChatroomScene.messages(1...3))

        #expect(scene.chat.calls == [.markRead(room), .markRead(room)])
    }

    @Test("no receipt goes out while something else is on top; it is sent when the scene is back")
    func receiptsOnTop() async {
        let scene = ChatroomScene()
        await scene.start()

        await scene.interactor.setVisibility(request: .init(isOnTop: false))
        await scene.publish(ChatroomScene.messages(1...2))

        #expect(scene.chat.calls.isEmpty)

        await scene.interactor.setVisibility(request: .init(isOnTop: true))
        await scene.time.settle()

        #expect(scene.chat.calls == [.markRead(room)])
    }

    @Test("one's own message needs no receipt")
    func ownMessage() async {
        let scene = ChatroomScene()
        await scene.start()

        await scene.publish(Timeline(items: [Fixture.message(1), Fixture.message(2, from: Fixture.alice)]))

        #expect(scene.chat.calls.isEmpty)
    }

    @Test("offline, a receipt waits for the connection")
    func offlineReceipt() async {
        let scene = ChatroomScene()
        await scene.start()

        await scene.chat.publish(
            ChatroomScene.state(ChatroomScene.messages(1...2), connection: offline), [.connection])
        await scene.time.settle()

        #expect(scene.chat.calls.isEmpty)

        await scene.publish(ChatroomScene.messages(1...2), [.connection])

        #expect(scene.chat.calls == [.markRead(room)])
    }

    @Test("typing is a set that each piece of news replaces, and presented only when it changes")
    func typing() async {
        let scene = ChatroomScene()
        await scene.start()
        let quiet = ChatroomScene.state(ChatroomScene.messages(1...1))
        var typing = quiet
        typing.rooms[room]?.typing = [Fixture.bob.chatID]

        await scene.chat.publish(typing, [.typing(room)])
        await scene.chat.publish(typing, [.typing(room)])
        await scene.chat.publish(quiet, [.typing(room)])

        #expect(scene.presenter.calls == [.typing([Fixture.bob.chatID]), .typing([])])
    }

    @Test("who types already when the scene appears is shown")
    func typingAtStart() async {
        let scene = ChatroomScene()
        scene.chat.state?.rooms[room]?.typing = [Fixture.bob.chatID]

        await scene.interactor.start(request: .init())

        #expect(scene.presenter.calls.last == .typing([Fixture.bob.chatID]))
    }

    @Test("at midnight the conversation is presented anew without a message, every night")
    func midnight() async {
        let scene = ChatroomScene()
        await scene.start()

        await scene.time.advance(.seconds(15 * 3_600 - 1))

        #expect(scene.presenter.take().isEmpty)

        await scene.time.advance(.seconds(1))

        #expect(scene.presenter.take() == [.messages(["$1"], isLoading: false)])

        await scene.time.advance(.seconds(86_400))

        #expect(scene.presenter.take() == [.messages(["$1"], isLoading: false)])
    }

    @Test("a scene that has gone hears nothing, sends no receipt and holds no timer")
    func leaving() async {
        let scene = ChatroomScene()
        await scene.start()

        scene.interactor.leave()
        await scene.publish(ChatroomScene.messages(1...2))
        await scene.time.advance(.seconds(86_400))

        #expect(scene.presenter.calls.isEmpty)
        #expect(scene.chat.calls.isEmpty)
        #expect(!scene.chat.isListenedTo)
        #expect(scene.time.clock.nextDeadline == nil)
    }

    @Test("a scene that is released ends its subscription and its timer")
    func released() async {
        let time = VirtualTime()
        let chat = ChatWorkerSpy()
        chat.state = ChatroomScene.state(ChatroomScene.messages(1...1))
        do {
            let interactor = ChatroomInteractor(
                presenter: ChatroomPresenterSpy(), chat: chat, environment: time.environment)
            interactor.contact = Fixture.contact(Fixture.bob)
            interactor.currentUser = Fixture.alice
            await interactor.start(request: .init())
            await time.settle()
        }

        #expect(!chat.isListenedTo)
        #expect(time.clock.nextDeadline == nil)
    }

    @Test("without a contact the scene says so and asks nothing")
    func noContact() async {
        let scene = ChatroomScene()
        scene.interactor.contact = nil

        await scene.interactor.start(request: .init())
        await scene.interactor.send(request: .init(text: "hello"))

        #expect(scene.presenter.calls == [.failure(.unknownRoom)])
        #expect(scene.chat.calls.isEmpty)
    }
}
