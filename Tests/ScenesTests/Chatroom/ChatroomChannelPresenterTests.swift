import Models
import Testing
import Workers

@testable import Scenes

@MainActor
@Suite("ChatroomPresenter: channels")
struct ChatroomChannelPresenterTests {
    private let view = ChatroomViewSpy()
    private let presenter: ChatroomPresenter
    private let bob = Fixture.bob.chatID
    private let people: [UserID: RemoteText] = [Fixture.alice.chatID: "Alice", Fixture.bob.chatID: "Bob"]

    init() {
        presenter = ChatroomPresenter(environment: VirtualTime().environment)
        presenter.view = view
    }

    private func present(_ kind: Chatroom.Act.Kind, _ result: Chatroom.Act.Response.Result) {
        presenter.presentAct(response: .init(kind: kind, result: result, name: "Tea", people: people))
    }

    @Test("the title is the channel's name, and while it is on hold the screen says so")
    func onHold() {
        presenter.presentMessages(
            response: .init(
                ownID: Fixture.alice.chatID, people: people, items: [], outgoing: [], hasOlder: false, isLoading: true,
                refusal: .stillLoading, channelName: "Tea"))

        #expect(view.calls == [.messages(.init(title: "Tea", rows: [], isLoading: true, refusal: "still loading"))])
    }

    @Test("what is sent too soon or is too long is refused with the reason")
    func send() {
        presenter.presentSend(response: .init(removed: 0, fault: .refused(.stillLoading), people: people))
        presenter.presentSend(response: .init(removed: 0, fault: .refused(.notJoined), people: people))
        presenter.presentSend(response: .init(removed: 0, fault: .tooLong(count: 257, limit: 256), people: people))

        #expect(
            view.calls == [
                .send(.failed(line: "still loading")),
                .send(.failed(line: "You are not in this channel. Go back and open it again to join it.")),
                .send(
                    .failed(
                        line: """
                            The message was not sent: it has 257 characters, and one here may have 256. \
                            Send it in parts.
                            """)),
            ])
    }

    @Test("a draft near the limit has a counter, and one that is not any longer has none")
    func draft() {
        presenter.presentDraft(response: .init(count: 203, limit: 256, isNear: true))
        presenter.presentDraft(response: .init(count: 300, limit: 256, isNear: true))
        presenter.presentDraft(response: .init(count: 199, limit: 256, isNear: false))

        #expect(
            view.calls == [
                .draft(.init(counterText: "203 of 256 characters", left: 53)),
                .draft(.init(counterText: "300 of 256 characters", left: -44)),
                .draft(.init(counterText: nil, left: 57)),
            ])
    }

    @Test("who joined and left is told by name, with the server's time")
    func statusLines() {
        let later = Fixture.now + .seconds(60)
        presenter.presentMessages(
            response: .init(
                ownID: Fixture.alice.chatID, people: people,
                items: [
                    TimelineItem(id: EventID("$1"), sender: bob, timestamp: Fixture.now, content: .joined(bob)),
                    TimelineItem(id: EventID("$2"), sender: bob, timestamp: later, content: .left(bob)),
                ], outgoing: [], hasOlder: false, isLoading: false, channelName: "Tea"))

        guard case .messages(let viewModel) = view.calls.last else { return #expect(Bool(false)) }
        #expect(
            viewModel.rows.dropFirst() == [
                .status(id: "$1", text: "User Bob has joined", timeText: "09:00"),
                .status(id: "$2", text: "User Bob has left", timeText: "09:01"),
            ])
    }

    @Test("what was done says nothing, but who was invited and what is to be confirmed")
    func done() {
        present(.leave, .done)
        present(.invite("Bob"), .invited(bob))
        present(.delete, .asking)
        present(.cancelDelete, .cancelled)

        #expect(
            view.calls == [
                .act(.init(outcome: .done())), .act(.init(outcome: .done(line: "Bob is invited to Tea."))),
                .act(
                    .init(
                        isAsking: true,
                        outcome: .done(
                            line: "You are about to delete Tea for everybody in it. Type confirm to go on, or dismiss.")
                    )), .act(.init(outcome: .done(line: "Tea stays."))),
            ])
    }

    @Test(
        "why something was not done is said",
        arguments: [
            (Chatroom.Act.Kind.confirmDelete, Chatroom.Act.Response.Result.notAsked, "There is nothing to confirm."),
            (.leave, .noChannel, "This is no channel."), (.delete, .notCreator, "You can not delete this channel"),
            (.leave, .general, "You can not leave this channel"),
            (.delete, .general, "You can not delete this channel"),
            (
                .invite("Eve"), .nobody("Eve"),
                #"Nobody goes by "Eve" here. Type a contact's name or an id."#
            ),
            (
                .invite("Cy"), .ambiguous("Cy", [UserID("@a:b"), UserID("@c:b")]),
                #"Several people could be "Cy": @a:b, @c:b. Type the id."#
            ),
            (.leave, .failed(.refused("No.")), "You have not left Tea: No."),
            (.invite("Bob"), .failed(.refused("No.")), "Bob was not invited: No."),
            (.confirmDelete, .failed(.refused("No.")), "Tea was not deleted: No."),
        ])
    func notDone(_ kind: Chatroom.Act.Kind, _ result: Chatroom.Act.Response.Result, _ line: String) {
        present(kind, result)

        #expect(view.calls == [.act(.init(outcome: .failed(line: RemoteText(line))))])
    }

    @Test("a channel that closes says why")
    func close() {
        for reason in [Chatroom.Close.Response.Reason.left, .removed, .deleted] {
            presenter.presentClose(response: .init(reason: reason, name: "Tea"))
        }

        #expect(
            view.calls == [
                .close("You have left Tea."), .close("You have been removed from Tea."),
                .close("The channel Tea has been deleted."),
            ])
    }

    @Test("a deletion that was cut off says what is still to come")
    func closeUnfinished() {
        presenter.presentClose(
            response: .init(reason: .deleted, name: "Tea", unfinished: .network(.interrupted)))

        #expect(
            view.calls == [
                .close(
                    """
                    Tea is deleted, but not everybody has been removed yet: the connection broke before the answer \
                    was whole. That is finished by itself.
                    """)
            ])
    }

    @Test("a notice and a channel that was not joined are lines")
    func lines() {
        presenter.presentNotice(response: .init(notice: "You have left Tea."))
        presenter.presentFailure(response: .init(error: .refused("No."), isJoin: true))

        #expect(view.calls == [.notice("You have left Tea."), .failure("The channel was not joined: No.")])
    }
}
