import Models

/// The ways out of the list of contacts.
@MainActor
public protocol ListContactsRoutingLogic: AnyObject {
    func routeToChatroom() async
    func routeToListChannels() async
    func routeToLogin() async
    func routeToWelcome(notice: RemoteText?) async
}

/// Where the router takes from what it passes on.
@MainActor
public protocol ListContactsDataPassing: AnyObject {
    var dataStore: any ListContactsDataStore { get }
}

/// Goes there through the navigator, which is held weakly.
@MainActor
public final class ListContactsRouter: ListContactsRoutingLogic, ListContactsDataPassing {
    public let dataStore: any ListContactsDataStore
    private weak var navigator: (any Navigator)?

    public init(navigator: any Navigator, dataStore: any ListContactsDataStore) {
        self.navigator = navigator
        self.dataStore = dataStore
    }

    public func routeToChatroom() async {
        await navigator?.showChatroom { destination in
            destination.contact = dataStore.selectedContact
            destination.contacts = dataStore.contacts
            destination.currentUser = dataStore.session?.user
            destination.session = dataStore.session
        }
    }

    public func routeToListChannels() async {
        await navigator?.showListChannels { $0.session = dataStore.session }
    }

    public func routeToLogin() async {
        await navigator?.showLogin { $0.reason = dataStore.loginReason }
    }

    public func routeToWelcome(notice: RemoteText?) async { await navigator?.showWelcome(notice: notice) }
}
