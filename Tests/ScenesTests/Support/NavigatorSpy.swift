import Models

@testable import Scenes

/// Records which scenes are shown, and what their data stores were filled with.
@MainActor
final class NavigatorSpy: Navigator {
    enum Call: Equatable {
        case welcome(RemoteText?)
        case login(Login.Reason?)
        case signup
        case listContacts(Session?, NetworkFault?)
        case chatroom(Contact?, [Contact], User?)
        case listChannels(Session?, RemoteText?)
        case channel(Channel?, RemoteText?)
        case dismiss
    }

    var calls: [Call] = []
    /// The chatroom that was shown last, filled.
    private(set) var chatroom: ChatroomStore?

    func showWelcome(notice: RemoteText?) async { calls.append(.welcome(notice)) }

    func showLogin(prepare: (any LoginDataStore) -> Void) async {
        let store = LoginStore()
        prepare(store)
        calls.append(.login(store.reason))
    }

    func showSignup(prepare: (any SignupDataStore) -> Void) async {
        prepare(SignupStore())
        calls.append(.signup)
    }

    func showListContacts(prepare: (any ListContactsDataStore) -> Void) async {
        let store = ListContactsStore()
        prepare(store)
        calls.append(.listContacts(store.session, store.launchFault))
    }

    func showChatroom(prepare: (any ChatroomDataStore) -> Void) async {
        let store = ChatroomStore()
        prepare(store)
        chatroom = store
        guard store.channel == nil else { return calls.append(.channel(store.channel, store.notice)) }
        calls.append(.chatroom(store.contact, store.contacts, store.currentUser))
    }

    func showListChannels(prepare: (any ListChannelsDataStore) -> Void) async {
        let store = ListChannelsStore()
        prepare(store)
        calls.append(.listChannels(store.session, store.notice))
    }

    func dismiss() async { calls.append(.dismiss) }
}

@MainActor
final class LaunchStore: LaunchDataStore {
    var session: Session?
    var fault: NetworkFault?
    var loginReason: Login.Reason?
}

@MainActor
final class LoginStore: LoginDataStore {
    var reason: Login.Reason?
    var session: Session?
}

@MainActor
final class SignupStore: SignupDataStore {
    var session: Session?
}

@MainActor
final class ListContactsStore: ListContactsDataStore {
    var session: Session?
    var launchFault: NetworkFault?
    var contacts: [Contact] = []
    var selectedContact: Contact?
    var loginReason: Login.Reason?
}

@MainActor
final class ListChannelsStore: ListChannelsDataStore {
    var session: Session?
    var notice: RemoteText?
    var selectedChannel: Channel?
    var contacts: [Contact] = []
    var loginReason: Login.Reason?
}

@MainActor
final class ChatroomStore: ChatroomDataStore {
    var channel: Channel?
    var session: Session?
    var notice: RemoteText?
    var general: Channel?
    var contact: Contact?
    var contacts: [Contact] = []
    var currentUser: User?
}
