/// The ways out of signing up.
@MainActor
public protocol SignupRoutingLogic: AnyObject {
    func routeToListContacts() async
    /// Cancelled.
    func routeToWelcome() async
}

/// Where the router takes from what it passes on.
@MainActor
public protocol SignupDataPassing: AnyObject {
    var dataStore: any SignupDataStore { get }
}

/// Goes there through the navigator, which is held weakly.
@MainActor
public final class SignupRouter: SignupRoutingLogic, SignupDataPassing {
    public let dataStore: any SignupDataStore
    private weak var navigator: (any Navigator)?

    public init(navigator: any Navigator, dataStore: any SignupDataStore) {
        self.navigator = navigator
        self.dataStore = dataStore
    }

    public func routeToListContacts() async {
        await navigator?.showListContacts { $0.session = dataStore.session }
    }

    public func routeToWelcome() async { await navigator?.showWelcome(notice: nil) }
}
