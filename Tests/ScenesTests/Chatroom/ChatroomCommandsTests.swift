import Models
import Testing
import Workers

@testable import Scenes

@MainActor
@Suite("ChatroomInteractor: what is asked for")
struct ChatroomCommandsTests {
    private let scene = ChatroomScene()
    private let room = Fixture.room

    @Test("a message is sent as it was typed")
    func send() async {
        await scene.start()

        await scene.interactor.send(request: .init(text: "hello\n\t👋"))

        #expect(scene.chat.calls == [.send("hello\n\t👋", room)])
        #expect(scene.presenter.calls == [.send(removed: 0, nil)])
    }

    @Test("control characters are taken out before sending, and counted")
    func controls() async {
        await scene.start()

        await scene.interactor.send(request: .init(text: "\u{1B}[31mred\u{7}"))

        #expect(scene.chat.calls == [.send("[31mred", room)])
        #expect(scene.presenter.calls == [.send(removed: 2, nil)])
    }

    @Test("nothing to be seen is not sent", arguments: ["", " \n", "\u{1B}\u{7}", "\u{200B}"])
    func empty(_ text: String) async {
        await scene.start()

        await scene.interactor.send(request: .init(text: text))

        #expect(scene.chat.calls.isEmpty)
        #expect(scene.presenter.calls.count == 1)
        guard case .send(_, .chat(.empty)?) = scene.presenter.calls.first else {
            return #expect(Bool(false), "\(scene.presenter.calls)")
        }
    }

    @Test("to somebody who has left nothing is sent")
    func left() async {
        scene.chat.state = ChatroomScene.state(Timeline(), membership: .leave)
        await scene.start()

        await scene.interactor.send(request: .init(text: "hello"))
        await scene.interactor.typed(request: .init())

        #expect(scene.chat.calls.isEmpty)
        #expect(scene.presenter.calls == [.send(removed: 0, .refused(.otherHasLeft))])
    }

    @Test(
        "a refusal to send is passed on with its limit",
        arguments: [
            ChatError.tooLarge(limit: 60_000), .notMember, .network(.unreachable),
        ])
    func refused(_ error: ChatError) async {
        await scene.start()
        scene.chat.sendFailure = error

        await scene.interactor.send(request: .init(text: "hello"))

        #expect(scene.presenter.calls == [.send(removed: 0, .chat(error))])
    }

    @Test("what is known above is shown without asking the server")
    func olderKnown() async {
        scene.chat.state = ChatroomScene.state(ChatroomScene.messages(1...150, hasOlder: true))
        await scene.start()

        await scene.interactor.showOlder(request: .init())

        #expect(scene.chat.calls.isEmpty)
        #expect(
            scene.presenter.calls == [
                .older(shownFrom: EventID("$51")), .messages(ChatroomScene.ids(1...150), isLoading: false),
            ])
    }

    @Test("beyond that the server is asked, until a message comes")
    func olderFetched() async {
        scene.chat.state = ChatroomScene.state(ChatroomScene.messages(101...200, hasOlder: true))
        await scene.start()
        scene.chat.older = [
            .success((ChatroomScene.state(ChatroomScene.messages(101...200, hasOlder: true)), hasMore: true)),
            .success((ChatroomScene.state(ChatroomScene.messages(51...200, hasOlder: true)), hasMore: true)),
        ]

        await scene.interactor.showOlder(request: .init())

        #expect(scene.chat.calls == [.loadOlder(room), .loadOlder(room)])
        #expect(
            scene.presenter.calls == [
                .older(shownFrom: EventID("$101")), .messages(ChatroomScene.ids(51...200), isLoading: false),
            ])
    }

    @Test("a few that are known above are shown with more of the server's")
    func olderTopsUp() async {
        scene.chat.state = ChatroomScene.state(ChatroomScene.messages(91...200, hasOlder: true))
        await scene.start()
        scene.chat.older = [
            .success((ChatroomScene.state(ChatroomScene.messages(61...200, hasOlder: true)), hasMore: true))
        ]

        await scene.interactor.showOlder(request: .init())

        #expect(scene.chat.calls == [.loadOlder(room)])
        #expect(scene.presenter.calls.last == .messages(ChatroomScene.ids(61...200), isLoading: false))
    }

    @Test(
        "a few that are known above are shown where the server cannot be asked",
        arguments: [
            (Models.Connection.online, 1), (.offline(reason: .timedOut, retryAt: nil), 0),
        ])
    func olderUnreachable(_ connection: Models.Connection, _ requests: Int) async {
        scene.chat.state = ChatroomScene.state(
            ChatroomScene.messages(91...200, hasOlder: true), connection: connection)
        await scene.start()
        scene.chat.older = [.failure(.network(.timedOut))]

        await scene.interactor.showOlder(request: .init())

        #expect(scene.chat.calls.count == requests)
        #expect(
            scene.presenter.calls == [
                .older(shownFrom: EventID("$101")), .messages(ChatroomScene.ids(91...200), isLoading: false),
            ])
    }

    @Test("where there is nothing older, that is said")
    func nothingOlder() async {
        await scene.start()

        await scene.interactor.showOlder(request: .init())

        #expect(scene.chat.calls.isEmpty)
        #expect(scene.presenter.calls == [.nothingOlder])
    }

    @Test("a server that promises older messages for ever is asked a bounded number of times")
    func endless() async {
        let state = ChatroomScene.state(ChatroomScene.messages(1...100, hasOlder: true))
        scene.chat.state = state
        await scene.start()
        scene.chat.older = Array(repeating: .success((state, hasMore: true)), count: 99)

        await scene.interactor.showOlder(request: .init())

        #expect(scene.chat.calls.count == 10)
        #expect(scene.presenter.calls == [.nothingOlder])
    }

    @Test("a page that cannot be fetched is said")
    func olderFails() async {
        scene.chat.state = ChatroomScene.state(ChatroomScene.messages(1...100, hasOlder: true))
        await scene.start()
        scene.chat.older = [.failure(.network(.timedOut))]

        await scene.interactor.showOlder(request: .init())

        #expect(scene.presenter.calls == [.olderFailed(.network(.timedOut))])
    }

    @Test("what has failed or waits is tried again")
    func retry() async {
        scene.chat.state = ChatroomScene.state(
            Timeline(outgoing: [
                Fixture.outgoing(1, .failed(.tooLarge)), Fixture.outgoing(2, .waiting), Fixture.outgoing(3, .sending),
                Fixture.outgoing(4, .sent(EventID("$4"))),
            ]))
        await scene.start()

        await scene.interactor.retry(request: .init())

        #expect(scene.chat.calls == [.retry(room)])
        #expect(scene.presenter.calls == [.retry(2)])
    }

    @Test("with nothing to try again nothing is asked")
    func retryNothing() async {
        await scene.start()

        await scene.interactor.retry(request: .init())

        #expect(scene.chat.calls.isEmpty)
        #expect(scene.presenter.calls == [.retry(0)])
    }

    @Test("each key press is passed on")
    func typed() async {
        await scene.start()

        await scene.interactor.typed(request: .init())
        await scene.interactor.typed(request: .init())

        #expect(scene.chat.calls == [.typed(room), .typed(room)])
    }

    @Test("reading can be asked for, on top only")
    func read() async {
        await scene.start()

        await scene.interactor.markRead(request: .init())
        await scene.interactor.setVisibility(request: .init(isOnTop: false))
        await scene.interactor.markRead(request: .init())

        #expect(scene.chat.calls == [.markRead(room)])
        #expect(scene.presenter.calls == [.read(isOnTop: true), .read(isOnTop: false)])
    }

    @Test("the members are listed")
    func members() async {
        await scene.start()

        await scene.interactor.listMembers(request: .init())

        #expect(scene.presenter.calls == [.members([Fixture.alice.chatID, Fixture.bob.chatID])])
    }
}
