/// The ways out of signing in.
@MainActor
public protocol LoginRoutingLogic: AnyObject {
    func routeToListContacts() async
    /// Cancelled.
    func routeToWelcome() async
}

/// Where the router takes from what it passes on.
@MainActor
public protocol LoginDataPassing: AnyObject {
    var dataStore: any LoginDataStore { get }
}

/// Goes there through the navigator, which is held weakly.
@MainActor
public final class LoginRouter: LoginRoutingLogic, LoginDataPassing {
    public let dataStore: any LoginDataStore
    private weak var navigator: (any Navigator)?

    public init(navigator: any Navigator, dataStore: any LoginDataStore) {
        self.navigator = navigator
        self.dataStore = dataStore
    }

    public func routeToListContacts() async {
        await navigator?.showListContacts { $0.session = dataStore.session }
    }

    public func routeToWelcome() async { await navigator?.showWelcome(notice: nil) }
}
