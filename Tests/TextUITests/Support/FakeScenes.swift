import Models
import Scenes
import Workers

@testable import TextUI

/// A chat worker that knows nothing and is only told goodbye.
actor ChatWorkerStub: ChatWorkerLogic {
    private(set) var goodbyes = 0
    var state: ChatState?
    private let hangs: Bool
    /// An element for each goodbye.
    nonisolated let partings: AsyncStream<Void>
    private let parted: AsyncStream<Void>.Continuation

    /// - Parameter hangs: Saying goodbye never returns.
    init(state: ChatState? = nil, hangs: Bool = false) {
        (partings, parted) = AsyncStream.makeStream()
        self.state = state
        self.hangs = hangs
    }

    func connect(_ session: Session) async {}
    func disconnect() async {
        goodbyes += 1
        parted.yield()
        if hangs { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
    }
    func currentState() async -> ChatState? { state }
    func subscribe(_ handle: @escaping @MainActor @Sendable (ChatUpdate) async -> Void) async -> ChatSubscription {
        Subscription()
    }
    func send(_ text: String, to room: RoomID) async throws(ChatError) {}
    func retry(in room: RoomID) async {}
    func loadOlder(in room: RoomID) async throws(ChatError) -> Bool { false }
    func typed(in room: RoomID) async {}
    func markRead(_ room: RoomID) async {}
    func join(_ room: RoomID) async throws(ChatError) {}
    func leave(_ room: RoomID) async throws(ChatError) {}
    func joinGeneral() async throws(ChatError) -> RoomID? { nil }
    func publicRooms() async throws(ChatError) -> [PublicRoom] { [] }
    func createChannel(_ name: String, isPrivate: Bool) async throws(ChatError) -> RoomID { RoomID("") }
    func deleteChannel(_ room: RoomID) async throws(ChatError) -> ChannelDeletion { .complete }
    func invite(_ user: UserID, to room: RoomID) async throws(ChatError) {}

    private final class Subscription: ChatSubscription {
        func cancel() {}
    }
}

/// Scenes whose interactors are spies: the views and routers are the real ones.
@MainActor
final class FakeScenes: SceneFactory {
    let log = CallLog()
    let context: ViewContext
    private(set) var contacts: ListContactsView?
    private(set) var channels: ListChannelsView?
    private(set) var chatroom: ChatroomView?
    /// Of the chatroom that was shown last.
    private(set) var chatroomStores: Stores?

    init(_ context: ViewContext) { self.context = context }

    func makeLaunch(navigator: any Navigator) -> any SceneView {
        let view = LaunchView(
            interactor: LaunchInteractorSpy(log), router: LaunchRouter(navigator: navigator, dataStore: Stores()),
            context: context)
        view.displayResume(viewModel: .init(destination: .welcome))
        return view
    }

    func makeWelcome(navigator: any Navigator, notice: RemoteText?) -> any SceneView {
        WelcomeView(
            viewModel: Welcome.ViewModel(notice: notice), router: WelcomeRouter(navigator: navigator), context: context)
    }

    func makeLogin(navigator: any Navigator) -> (view: any SceneView, dataStore: any LoginDataStore) {
        let stores = Stores()
        let router = LoginRouter(navigator: navigator, dataStore: stores)
        let view = LoginView(interactor: LoginInteractorSpy(log), router: router, context: context)
        log.duringRequest = { [weak view, log] in
            if case .login? = log.calls.last { view?.displayAccount(viewModel: .init(isSignedIn: true)) }
        }
        return (view, stores)
    }

    func makeSignup(navigator: any Navigator) -> (view: any SceneView, dataStore: any SignupDataStore) {
        let stores = Stores()
        let router = SignupRouter(navigator: navigator, dataStore: stores)
        return (SignupView(interactor: SignupInteractorSpy(log), router: router, context: context), stores)
    }

    func makeListContacts(navigator: any Navigator) -> (view: any SceneView, dataStore: any ListContactsDataStore) {
        let stores = Stores()
        let router = ListContactsRouter(navigator: navigator, dataStore: stores)
        let view = ListContactsView(interactor: ListContactsInteractorSpy(log), router: router, context: context)
        contacts = view
        log.duringRequest = { [weak view, log] in
            switch log.calls.last {
            case .startContacts: view?.displayContacts(viewModel: Sample.list([Sample.row(1, "Bob")]))
            case .select: view?.displaySelect(viewModel: .init(outcome: .done()))
            default: break
            }
        }
        return (view, stores)
    }

    func makeListChannels(navigator: any Navigator) -> (view: any SceneView, dataStore: any ListChannelsDataStore) {
        let stores = Stores()
        let router = ListChannelsRouter(navigator: navigator, dataStore: stores)
        let view = ListChannelsView(interactor: ListChannelsInteractorSpy(log), router: router, context: context)
        channels = view
        return (view, stores)
    }

    func makeChatroom(navigator: any Navigator) -> (view: any SceneView, dataStore: any ChatroomDataStore) {
        let stores = Stores()
        let router = ChatroomRouter(navigator: navigator, dataStore: stores)
        let view = ChatroomView(interactor: ChatroomInteractorSpy(log), router: router, context: context)
        chatroom = view
        chatroomStores = stores
        let below = log.duringRequest
        log.duringRequest = { [weak view, log] in
            if case .startChat? = log.calls.last {
                view?.displayMessages(viewModel: Sample.chat([.message(Sample.message("hello"))]))
            } else {
                below?()
            }
        }
        return (view, stores)
    }
}

/// The data stores of all scenes.
@MainActor
final class Stores: LaunchDataStore, LoginDataStore, SignupDataStore, ListContactsDataStore, ListChannelsDataStore,
    ChatroomDataStore
{
    var session: Session?
    var fault: NetworkFault?
    var launchFault: NetworkFault?
    var loginReason: Login.Reason?
    var reason: Login.Reason?
    var contacts: [Contact] = []
    var selectedContact: Contact?
    var contact: Contact?
    var currentUser: User?
    var channel: Channel?
    var selectedChannel: Channel?
    var general: Channel?
    var notice: RemoteText?
}
