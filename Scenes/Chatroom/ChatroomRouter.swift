@MainActor
public protocol ChatroomRoutingLogic: AnyObject {
    /// Back to the contacts.
    func routeBack() async
}

@MainActor
public protocol ChatroomDataPassing: AnyObject {
    var dataStore: any ChatroomDataStore { get }
}

@MainActor
public final class ChatroomRouter: ChatroomRoutingLogic, ChatroomDataPassing {
    public let dataStore: any ChatroomDataStore
    private weak var navigator: (any Navigator)?

    public init(navigator: any Navigator, dataStore: any ChatroomDataStore) {
        self.navigator = navigator
        self.dataStore = dataStore
    }

    public func routeBack() async { await navigator?.dismiss() }
}
