import Models

/// The ways out of the launch.
@MainActor
public protocol LaunchRoutingLogic: AnyObject {
    func routeToListContacts() async
    func routeToWelcome(notice: RemoteText?) async
    func routeToLogin() async
}

/// Where the router takes from what it passes on.
@MainActor
public protocol LaunchDataPassing: AnyObject {
    var dataStore: any LaunchDataStore { get }
}

/// Goes there through the navigator, which is held weakly.
@MainActor
public final class LaunchRouter: LaunchRoutingLogic, LaunchDataPassing {
    public let dataStore: any LaunchDataStore
    private weak var navigator: (any Navigator)?

    public init(navigator: any Navigator, dataStore: any LaunchDataStore) {
        self.navigator = navigator
        self.dataStore = dataStore
    }

    public func routeToListContacts() async {
        await navigator?.showListContacts { destination in
            destination.session = dataStore.session
            destination.launchFault = dataStore.fault
        }
    }

    public func routeToWelcome(notice: RemoteText?) async { await navigator?.showWelcome(notice: notice) }

    public func routeToLogin() async {
        await navigator?.showLogin { $0.reason = dataStore.loginReason }
    }
}
