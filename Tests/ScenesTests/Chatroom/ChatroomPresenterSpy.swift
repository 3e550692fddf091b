import Models
import Workers

@testable import Scenes

@MainActor
final class ChatroomPresenterSpy: ChatroomPresentationLogic {
    enum Call: Equatable {
        /// What is shown, by id, then what is on its way.
        case messages([String], isLoading: Bool)
        case reachability(Models.Connection)
        case typing([UserID])
        case draft(Int, limit: Int, isNear: Bool)
        case send(removed: Int, Chatroom.Send.Response.Fault?)
        case older(shownFrom: EventID?)
        case nothingOlder
        case olderFailed(ChatError)
        case retry(Int)
        case read(isOnTop: Bool)
        case members([UserID])
        case failure(ChatError)
        case joinFailure(ChatError)
        case act(Chatroom.Act.Response.Result)
        case close(Chatroom.Close.Response.Reason)
        case closeUnfinished(ChatError)
        case notice(RemoteText)
    }

    var calls: [Call] = []

    /// What has been presented since the last time.
    func take() -> [Call] {
        defer { calls = [] }
        return calls
    }

    func presentMessages(response: Chatroom.Messages.Response) {
        let ids = response.items.map(\.id.raw) + response.outgoing.map(\.transactionID.raw)
        calls.append(.messages(ids, isLoading: response.isLoading))
    }

    func presentReachability(response: Chatroom.Reachability.Response) {
        calls.append(.reachability(response.connection))
    }

    func presentTyping(response: Chatroom.Typing.Response) { calls.append(.typing(response.ids)) }

    func presentDraft(response: Chatroom.Draft.Response) {
        calls.append(.draft(response.count, limit: response.limit, isNear: response.isNear))
    }

    func presentSend(response: Chatroom.Send.Response) {
        calls.append(.send(removed: response.removed, response.fault))
    }

    func presentOlder(response: Chatroom.Older.Response) {
        switch response.result {
        case .shown(_, let oldest): calls.append(.older(shownFrom: oldest))
        case .nothingOlder: calls.append(.nothingOlder)
        case .failed(let error): calls.append(.olderFailed(error))
        }
    }

    func presentRetry(response: Chatroom.Retry.Response) { calls.append(.retry(response.count)) }
    func presentRead(response: Chatroom.Read.Response) { calls.append(.read(isOnTop: response.isOnTop)) }
    func presentMembers(response: Chatroom.Members.Response) { calls.append(.members(response.members.map(\.id))) }
    func presentAct(response: Chatroom.Act.Response) { calls.append(.act(response.result)) }
    func presentClose(response: Chatroom.Close.Response) {
        calls.append(response.unfinished.map { .closeUnfinished($0) } ?? .close(response.reason))
    }
    func presentNotice(response: Chatroom.Notice.Response) { calls.append(.notice(response.notice)) }
    func presentFailure(response: Chatroom.Failure.Response) {
        calls.append(response.isJoin ? .joinFailure(response.error) : .failure(response.error))
    }
}

/// The scene's interactor among spies: Alice opens the chat with Bob.
@MainActor
struct ChatroomScene {
    let presenter = ChatroomPresenterSpy()
    let chat = ChatWorkerSpy()
    let time = VirtualTime()
    let interactor: ChatroomInteractor

    init(_ timeline: Timeline = Timeline(items: [Fixture.message(1)])) {
        interactor = ChatroomInteractor(presenter: presenter, chat: chat, environment: time.environment)
        interactor.contact = Fixture.contact(Fixture.bob)
        interactor.contacts = [Fixture.contact(Fixture.bob)]
        interactor.currentUser = Fixture.alice
        chat.state = Self.state(timeline)
    }

    static func state(
        _ timeline: Timeline, membership: Membership = .join, connection: Models.Connection = .online
    ) -> ChatState {
        Fixture.state(
            [Fixture.room(with: Fixture.bob, membership: membership, timeline: timeline)], connection: connection)
    }

    static func messages(_ numbers: ClosedRange<Int>, hasOlder: Bool = false) -> Timeline {
        Timeline(items: numbers.map { Fixture.message($0) }, hasOlder: hasOlder)
    }

    static func ids(_ numbers: ClosedRange<Int>) -> [String] { numbers.map { "$\($0)" } }

    /// Started and settled, what was presented and asked until then forgotten.
    func start() async {
        await interactor.start(request: .init())
        await time.settle()
        presenter.calls = []
        chat.calls = []
    }

    func publish(_ timeline: Timeline, _ changes: Set<ChatUpdate.Change> = [.timeline(Fixture.room)]) async {
        await chat.publish(Self.state(timeline), changes)
        await time.settle()
    }
}
