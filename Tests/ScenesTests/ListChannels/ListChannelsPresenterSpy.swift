import Models
import Workers

@testable import Scenes

@MainActor
final class ListChannelsPresenterSpy: ListChannelsPresentationLogic {
    enum Call: Equatable {
        /// What is listed, in order.
        case channels([RemoteText], isLoading: Bool, isReload: Bool)
        case fetch([ListChannels.Failure.Response])
        case reachability(Models.Connection)
        case event(ListChannels.Event.Kind, RemoteText)
        case create(ListChannels.Create.Response)
        case act(ListChannels.Act.Kind, ListChannels.ActFault?, unfinished: ChatError?)
        /// Nothing was done: it is not clear with which.
        case unclear(ListChannels.Act.Kind, ListChannels.ChosenChannel)
        case confirmation(RemoteText?, isCancelled: Bool)
        case select(ListChannels.ChosenChannel)
        case logout(ListContacts.Logout.Response.Step)
        case sessionEnd(Login.Reason)
        case notice(RemoteText)
        case failure(ListChannels.Failure.Response)
    }

    var calls: [Call] = []
    /// The newest list as a whole.
    var channels: ListChannels.Fetch.Response?

    func presentChannels(response: ListChannels.Fetch.Response) {
        channels = response
        calls.append(
            .channels(
                response.channels.map(\.shownName), isLoading: response.isLoading, isReload: response.isReload))
    }

    func presentFetch(response: ListChannels.Fetch.Ending) { calls.append(.fetch(response.failures)) }
    func presentReachability(response: ListChannels.Reachability.Response) {
        calls.append(.reachability(response.connection))
    }
    func presentEvent(response: ListChannels.Event.Response) {
        calls.append(.event(response.kind, response.channel.shownName))
    }
    func presentCreate(response: ListChannels.Create.Response) { calls.append(.create(response)) }
    func presentAct(response: ListChannels.Act.Response) {
        guard case .found = response.chosen else { return calls.append(.unclear(response.kind, response.chosen)) }
        calls.append(.act(response.kind, response.fault, unfinished: response.unfinished))
    }
    func presentConfirmation(response: ListChannels.Confirmation.Response) {
        calls.append(.confirmation(response.channel?.shownName, isCancelled: response.isCancelled))
    }
    func presentSelect(response: ListChannels.Select.Response) { calls.append(.select(response.chosen)) }
    func presentLogout(response: ListContacts.Logout.Response) { calls.append(.logout(response.step)) }
    func presentSessionEnd(response: ListContacts.SessionEnd.Response) { calls.append(.sessionEnd(response.reason)) }
    func presentNotice(response: ListChannels.Notice.Response) { calls.append(.notice(response.notice)) }
    func presentFailure(response: ListChannels.Failure.Response) { calls.append(.failure(response)) }
}

/// The scene's interactor among spies, Alice being signed in: she is in General and in Tea, which is hers; Cocoa, which is
/// Bob's, is there to be joined.
@MainActor
struct ListChannelsScene {
    let presenter = ListChannelsPresenterSpy()
    let users = UsersWorkerSpy()
    let chat = ChatWorkerSpy()
    let time = VirtualTime()
    let interactor: ListChannelsInteractor

    static let general = channel("general", "General Channel", alias: "#general:words.test", by: Fixture.bob)
    static let tea = channel("tea", "Tea")
    static let cocoa = PublicRoom(
        id: RoomID("!cocoa"), name: "Cocoa", joinedCount: 2, creator: Fixture.bob.chatID, creatorName: "Bob")
    static let state = Fixture.channels(general, tea)

    init() {
        interactor = ListChannelsInteractor(
            presenter: presenter, users: users, chat: chat, environment: time.environment)
        interactor.session = Fixture.session()
        chat.publicLists = [.success([Self.cocoa])]
        chat.meanwhile = { [chat] call in
            if case .connect = call { chat.state = Self.state }
        }
    }

    /// A channel that Alice is in, or has another standing in.
    static func channel(
        _ id: String, _ name: RemoteText?, _ membership: Membership = .join, alias: String? = nil,
        rule: String = "public", by creator: User = Fixture.alice
    ) -> RoomState {
        var room = RoomState(id: RoomID("!\(id)"), membership: membership)
        room.name = name
        room.canonicalAlias = alias
        room.joinRule = rule
        room.creator = creator.chatID
        return room
    }

    /// Started and settled, what was presented and asked until then forgotten.
    func start() async {
        await interactor.start(request: .init())
        await time.settle()
        presenter.calls = []
        chat.calls = []
        users.calls = []
    }

    /// News of these rooms beside General.
    func publish(_ rooms: RoomState..., changes: Set<ChatUpdate.Change> = []) async {
        await chat.publish(Fixture.channels([Self.general] + rooms), changes)
        await time.settle()
    }
}

extension Fixture {
    static func channels(_ rooms: RoomState...) -> ChatState { channels(rooms) }

    /// Alice's state: in these channels, or asked into them.
    static func channels(_ rooms: [RoomState], connection: Models.Connection = .online) -> ChatState {
        var state = ChatState(ownID: alice.chatID)
        state.connection = connection
        state.hasSynced = true
        for room in rooms { state.rooms[room.id] = room }
        return state
    }
}
