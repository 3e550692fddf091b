import Models
// Not `@testable`: this file sees what a package of somebody else's sees.
import Scenes
import Testing
import Workers

@MainActor
private final class OwnPresenter: LoginPresentationLogic {
    var lines: [String] = []

    func presentStart(response: Login.Start.Response) { lines.append(response.reason == nil ? "start" : "again") }

    func presentAccount(response: Login.Account.Response) {
        switch response.progress {
        case .busy: lines.append("busy")
        case .waiting(let wait): lines.append("wait \(wait)")
        case .signedIn: lines.append("in")
        case .unfit(let faults, _): lines.append("unfit \(faults.keys.map(\.rawValue).sorted())")
        case .failed(let error): lines.append("\(error)")
        }
    }
}

@MainActor
private final class OwnView: LoginDisplayLogic {
    var errors: [RemoteText] = []

    func displayStart(viewModel: Login.Start.ViewModel) {}
    func displayAccount(viewModel: Login.Account.ViewModel) { errors += viewModel.fieldErrors.map(\.text) }
}

@MainActor
@Suite("The scenes from outside")
struct PublicScenesTests {
    @Test("a presenter of one's own reads every response")
    func presenter() async {
        let presenter = OwnPresenter()
        let interactor = LoginInteractor(
            presenter: presenter, users: UsersWorkerSpy(),
            environment: .virtual(clock: VirtualClock(now: Timestamp(milliseconds: 0))))

        await interactor.start(request: Login.Start.Request())
        await interactor.login(request: Login.Account.Request(identity: "", password: Secret("")))
        await interactor.login(request: Login.Account.Request(identity: "a@b.c", password: Secret("secret")))

        #expect(presenter.lines == ["start", #"unfit ["identity", "password"]"#, "busy", "in"])
    }

    @Test("a presenter of ours takes responses that somebody else has made")
    func view() {
        let view = OwnView()
        let presenter = LoginPresenter()
        presenter.view = view

        presenter.presentAccount(response: Login.Account.Response(progress: .unfit([.password: .missing])))

        #expect(view.errors == ["The password is required."])
    }

    @Test("rows can be made of contacts that somebody else knows")
    func contacts() {
        let bob = User(id: 2, name: "Bob", email: nil, chatID: UserID("@bob:words.test"))
        var standing = ListContacts.ContactStanding(
            contact: Contact(user: bob, room: Room(id: RoomID("!r:words.test"))))
        standing.unreadCount = 3

        let response = ListContacts.Fetch.Response(
            own: bob, contacts: [standing], people: [bob.chatID: bob.name], isLoading: false, isReload: true)

        #expect(response.contacts.map(\.name) == ["Bob"])
        #expect(response.contacts.first?.hasLeft == false)
    }

    @Test("rows can be made of channels that somebody else knows")
    func channels() {
        var standing = ListChannels.ChannelStanding(id: RoomID("!tea:words.test"), name: "Tea", kind: .open)
        standing.memberCount = 3

        let response = ListChannels.Fetch.Response(
            channels: [standing, .init(id: RoomID("!x:words.test"), kind: .invited)], people: [:],
            ownID: UserID("@bob:words.test"), isLoading: false, isReload: true)

        #expect(response.channels.map(\.shownName) == ["Tea", "(no name)"])
        #expect(response.channels.first?.isGeneral == false)
    }

    @Test("a view of one's own shows channels, and what a presenter of ours makes of somebody else's responses")
    func channelView() {
        let view = OwnChannels()
        let presenter = ListChannelsPresenter(
            environment: .virtual(clock: VirtualClock(now: Timestamp(milliseconds: 0))))
        presenter.view = view
        let tea = ListChannels.ChannelStanding(id: RoomID("!tea"), name: "Tea", kind: .joined)

        presenter.presentChannels(
            response: .init(channels: [tea], people: [:], ownID: UserID("@a:b"), isLoading: false, isReload: true))
        presenter.presentEvent(response: .init(kind: .deleted, channel: tea, people: [:]))
        presenter.presentCreate(response: .init(name: "Tea", fault: .taken))
        presenter.presentAct(response: .init(kind: .delete, chosen: .found(tea), fault: .notCreator))
        presenter.presentConfirmation(response: .init(channel: tea))
        presenter.presentSelect(response: .init(chosen: .none("Coffee")))
        presenter.presentFailure(response: .init(what: .general, error: .refused("No.")))

        #expect(
            view.lines == [
                "1 Tea joined, public", "Tea has been deleted",
                #"failed. "Tea" was not made: the name is taken. Choose another one."#,
                "failed. You can not delete this channel",
                "asks done. You are about to delete Tea for everybody in it.",
                #"failed. There is no channel "Coffee" here."#,
                "Could not join General channel: No. refresh tries again.",
            ])
    }

    @Test("a chat of one's own counts what is typed, and reads every response of a channel")
    func chatroom() async {
        let presenter = OwnChatroom()
        let chat = ChatWorkerSpy()
        var state = ChatState(ownID: UserID("@bob:words.test"))
        state.connection = .online
        var room = RoomState(id: RoomID("!tea"), membership: .join)
        room.name = "Tea"
        state.rooms[room.id] = room
        chat.state = state
        let interactor = ChatroomInteractor(
            presenter: presenter, chat: chat,
            environment: .virtual(clock: VirtualClock(now: Timestamp(milliseconds: 0))), messageLimit: 4)
        interactor.channel = Channel(id: room.id, name: "Tea")
        interactor.currentUser = User(id: 2, name: "Bob", email: nil, chatID: UserID("@bob:words.test"))

        await interactor.start(request: .init())
        await interactor.measure(request: .init(text: "abcd"))
        await interactor.send(request: .init(text: "abcde"))
        await interactor.act(request: .init(kind: .delete))
        room.membership = .leave
        state.rooms[room.id] = room
        await chat.publish(state, [.room(room.id)])

        #expect(presenter.lines == ["online", "Tea []", "4 of 4", "5 is over 4", "not the creator", "removed"])
    }
}

/// What somebody else's package would bring: a view of the channels.
@MainActor
private final class OwnChannels: ListChannelsDisplayLogic {
    var lines: [String] = []

    private func text(_ outcome: Outcome) -> String {
        switch outcome {
        case .done(let line): "done. \(line?.unsanitised ?? "")"
        case .failed(let line): "failed. \(line.unsanitised)"
        }
    }

    func displayChannels(viewModel: ListChannels.Fetch.ViewModel) {
        lines += viewModel.rows.map { "\($0.number) \($0.name.unsanitised) \($0.standingText.unsanitised)" }
    }
    func displayReachability(viewModel: ListChannels.Reachability.ViewModel) {}
    func displayEvent(viewModel: ListChannels.Event.ViewModel) { lines.append(viewModel.line.unsanitised) }
    func displayOutcome(viewModel: ListChannels.OutcomeViewModel) { lines.append(text(viewModel.outcome)) }
    func displayConfirmation(viewModel: ListChannels.Confirmation.ViewModel) {
        lines.append((viewModel.isAsking ? "asks " : "") + text(viewModel.outcome))
    }
    func displaySelect(viewModel: ListChannels.OutcomeViewModel) { lines.append(text(viewModel.outcome)) }
    func displayLogout(viewModel: ListContacts.Logout.ViewModel) {}
    func displaySessionEnd(viewModel: ListContacts.SessionEnd.ViewModel) {}
    func displayFailure(viewModel: ListChannels.Failure.ViewModel) { lines.append(viewModel.line.unsanitised) }
}

/// A presenter of a chat, with words of its own.
@MainActor
private final class OwnChatroom: ChatroomPresentationLogic {
    var lines: [String] = []

    func presentMessages(response: Chatroom.Messages.Response) {
        lines.append("\(response.channelName?.unsanitised ?? "") \(response.items.map(\.id))")
    }
    func presentReachability(response: Chatroom.Reachability.Response) { lines.append("\(response.connection)") }
    func presentTyping(response: Chatroom.Typing.Response) { lines.append("\(response.ids)") }
    func presentDraft(response: Chatroom.Draft.Response) {
        if response.isNear { lines.append("\(response.count) of \(response.limit)") }
    }
    func presentSend(response: Chatroom.Send.Response) {
        switch response.fault {
        case .tooLong(let count, let limit): lines.append("\(count) is over \(limit)")
        case .refused(let refusal): lines.append("\(refusal)")
        case .chat(let error): lines.append("\(error)")
        case nil: lines.append("sent")
        }
    }
    func presentOlder(response: Chatroom.Older.Response) {
        switch response.result {
        case .shown(let messages, _): lines.append("\(messages.items.count)")
        case .nothingOlder: lines.append("no more")
        case .failed(let error): lines.append("\(error)")
        }
    }
    func presentRetry(response: Chatroom.Retry.Response) { lines.append("\(response.count)") }
    func presentRead(response: Chatroom.Read.Response) { lines.append("\(response.isOnTop)") }
    func presentMembers(response: Chatroom.Members.Response) { lines.append("\(response.members.count)") }
    func presentAct(response: Chatroom.Act.Response) {
        lines.append(response.result == .notCreator ? "not the creator" : "\(response.result)")
    }
    func presentClose(response: Chatroom.Close.Response) { lines.append("\(response.reason)") }
    func presentNotice(response: Chatroom.Notice.Response) { lines.append(response.notice.unsanitised) }
    func presentFailure(response: Chatroom.Failure.Response) { lines.append("\(response.error)") }
}
