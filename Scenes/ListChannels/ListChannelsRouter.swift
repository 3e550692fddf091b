import Models

/// The ways out of the list of channels.
@MainActor
public protocol ListChannelsRoutingLogic: AnyObject {
    func routeToChatroom() async
    func routeToListContacts() async
    func routeToLogin() async
    func routeToWelcome(notice: RemoteText?) async
}

/// Where the router takes from what it passes on.
@MainActor
public protocol ListChannelsDataPassing: AnyObject {
    var dataStore: any ListChannelsDataStore { get }
}

/// Goes there through the navigator, which is held weakly.
@MainActor
public final class ListChannelsRouter: ListChannelsRoutingLogic, ListChannelsDataPassing {
    public let dataStore: any ListChannelsDataStore
    private weak var navigator: (any Navigator)?

    public init(navigator: any Navigator, dataStore: any ListChannelsDataStore) {
        self.navigator = navigator
        self.dataStore = dataStore
    }

    public func routeToChatroom() async {
        await navigator?.showChatroom { destination in
            destination.channel = dataStore.selectedChannel
            destination.contacts = dataStore.contacts
            destination.currentUser = dataStore.session?.user
            destination.session = dataStore.session
        }
    }

    public func routeToListContacts() async {
        await navigator?.showListContacts { $0.session = dataStore.session }
    }

    public func routeToLogin() async {
        await navigator?.showLogin { $0.reason = dataStore.loginReason }
    }

    public func routeToWelcome(notice: RemoteText?) async { await navigator?.showWelcome(notice: notice) }
}
