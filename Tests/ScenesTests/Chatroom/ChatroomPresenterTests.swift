import Models
import Testing
import Workers

@testable import Scenes

@MainActor
@Suite("ChatroomPresenter")
struct ChatroomPresenterTests {
    private let view = ChatroomViewSpy()
    private let time = VirtualTime()
    private let presenter: ChatroomPresenter
    private let bob = Fixture.bob.chatID
    private let people: [UserID: RemoteText] = [Fixture.alice.chatID: "Alice", Fixture.bob.chatID: "Bob"]

    init() {
        presenter = ChatroomPresenter(environment: time.environment, trace: .off)
        presenter.view = view
    }

    private func response(
        _ items: [TimelineItem] = [], people: [UserID: RemoteText]? = nil, isLoading: Bool = false,
        refusal: Chatroom.SendRefusal? = nil
    ) -> Chatroom.Messages.Response {
        Chatroom.Messages.Response(
            contactID: bob, ownID: Fixture.alice.chatID, people: people ?? self.people, items: items, outgoing: [],
            hasOlder: false, isLoading: isLoading, refusal: refusal)
    }

    private var shown: Chatroom.Messages.ViewModel? {
        guard case .messages(let viewModel) = view.calls.last else { return nil }
        return viewModel
    }

    @Test("the title is the contact's name, with the id where another contact goes by it")
    func title() {
        presenter.presentMessages(response: response())

        #expect(shown == .init(title: "Bob", rows: [], emptyText: "(no messages yet)"))

        presenter.presentMessages(response: response(people: [bob: "Bob", UserID("@b0b:words.test"): "B0b"]))

        #expect(shown?.title == "Bob (@bob:words.test)")
    }

    @Test("an empty conversation says so once it is known to be empty")
    func empty() {
        presenter.presentMessages(response: response(isLoading: true))

        #expect(shown?.emptyText == nil)

        presenter.presentMessages(response: response([Fixture.message(1)]))

        #expect(shown?.emptyText == nil)
        #expect(shown?.rows.map(\.id) == ["day 20458", "$1"])
    }

    @Test(
        "why nothing can be sent is a sentence",
        arguments: [
            (
                Chatroom.SendRefusal.otherHasLeft,
                RemoteText("Bob has left, so nothing can be sent. Add them again to go on.")
            ),
            (.notMember, "You are not in this conversation any more. Add Bob again to go on."),
        ])
    func refusal(_ refusal: Chatroom.SendRefusal, _ line: RemoteText) {
        presenter.presentMessages(response: response(refusal: refusal))
        presenter.presentSend(
            response: .init(removed: 0, fault: .refused(refusal), contactID: bob, people: people))

        #expect(view.calls.last == .send(.failed(line: line)))
        guard case .messages(let viewModel) = view.calls.first else { return #expect(Bool(false), "no messages") }
        #expect(viewModel.refusal == line)
    }

    @Test("midnight turns Today into a date")
    func midnight() async {
        presenter.presentMessages(response: response([Fixture.message(1)]))

        #expect(shown?.rows.first == .day(id: "day 20458", text: "Today"))

        await time.advance(.seconds(15 * 3_600))
        presenter.presentMessages(response: response([Fixture.message(1)]))

        #expect(shown?.rows.first == .day(id: "day 20458", text: "January 5"))
    }

    @Test("those who type are named")
    func typing() {
        presenter.presentTyping(response: .init(ids: [bob], people: people))
        presenter.presentTyping(response: .init(ids: [], people: people))

        #expect(
            view.calls == [
                .typing(.init(names: ["Bob"], text: "Bob is typing")), .typing(.init(names: [], text: nil)),
            ])
    }

    @Test("sending tells what was taken out and why it failed")
    func send() {
        presenter.presentSend(response: .init(removed: 0, contactID: bob, people: people))
        presenter.presentSend(response: .init(removed: 2, contactID: bob, people: people))
        presenter.presentSend(
            response: .init(removed: 0, fault: .chat(.tooLarge(limit: 60_000)), contactID: bob, people: people))

        #expect(
            view.calls == [
                .send(.done()), .send(.done(line: "2 control characters were taken out before sending.")),
                .send(
                    .failed(
                        line:
                            "The message was not sent: it exceeds the 60000 bytes that a message may have. Send it in parts."
                    )),
            ])
    }

    @Test("older rows are those above what was shown")
    func older() {
        let items = [
            Fixture.message(1, at: Fixture.now + .seconds(-86_400)), Fixture.message(2), Fixture.message(3),
        ]

        presenter.presentOlder(response: .init(result: .shown(response(items), from: EventID("$2"))))
        presenter.presentOlder(response: .init(result: .shown(response(items), from: EventID("$3"))))
        presenter.presentOlder(response: .init(result: .shown(response(items), from: nil)))

        let ids = view.calls.map { call -> [String] in
            guard case .older(let viewModel) = call else { return [] }
            return viewModel.rows.map(\.id)
        }
        #expect(ids[0] == ["day 20457", "$1"])
        #expect(ids[1] == ["day 20457", "$1", "day 20458", "$2"])
        #expect(ids[2] == ["day 20457", "$1", "day 20458", "$2", "$3"])
    }

    @Test("where nothing is older, or could not be fetched, that is said")
    func noOlder() {
        presenter.presentOlder(response: .init(result: .nothingOlder))
        presenter.presentOlder(response: .init(result: .failed(.refused("No."))))

        #expect(
            view.calls == [
                .older(.init(rows: [], outcome: .done(line: "There is nothing older."))),
                .older(.init(rows: [], outcome: .failed(line: "Older messages were not fetched: No."))),
            ])
    }

    @Test("members are told with their standing, presence only of those who are there")
    func members() {
        let seen = Presence(state: .offline, lastActiveAt: Fixture.now + .seconds(-60))
        presenter.presentMembers(
            response: .init(
                members: [
                    Fixture.member(Fixture.alice), Fixture.member(Fixture.bob),
                    Member(id: UserID("@zed:words.test"), displayName: nil, membership: .leave),
                ], ownID: Fixture.alice.chatID, presences: [bob: seen], people: people))

        #expect(
            view.calls == [
                .members(
                    .init(rows: [
                        .init(
                            id: Fixture.alice.chatID, name: "Alice", initials: "A", isOwn: true, standingText: "joined",
                            presenceText: "offline"),
                        .init(
                            id: bob, name: "Bob", initials: "B", isOwn: false, standingText: "joined",
                            presenceText: "last seen 08:59"),
                        .init(
                            id: UserID("@zed:words.test"), name: "@zed:words.test", initials: "Z", isOwn: false,
                            standingText: "has left", presenceText: nil),
                    ]))
            ])
    }

    @Test("what remains is passed through in words")
    func others() {
        presenter.presentReachability(response: .init(connection: .ended))
        presenter.presentRetry(response: .init(count: 0))
        presenter.presentRetry(response: .init(count: 1))
        presenter.presentRead(response: .init(isOnTop: true))
        presenter.presentRead(response: .init(isOnTop: false))
        presenter.presentFailure(response: .init(error: .network(.timedOut)))

        #expect(
            view.calls == [
                .reachability(Banner(kind: .ended, text: "The session is over.")),
                .retry(.done(line: "There is nothing to send again.")), .retry(.done()), .read(.done()),
                .read(.failed(line: "Nothing was marked as read: the conversation is not on the screen.")),
                .failure(
                    "The conversation is not shown in full: the server did not answer in time. Try again."),
            ])
    }
}
