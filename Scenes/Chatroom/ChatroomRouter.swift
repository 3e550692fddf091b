import Models

/// The ways out of a conversation.
@MainActor
public protocol ChatroomRoutingLogic: AnyObject {
    /// Back to the list.
    func routeBack() async
    func routeToListContacts() async
    func routeToListChannels() async
    /// The channel is closed: to General, or to the list where one is not in it. `notice` says why.
    func routeToGeneral(notice: RemoteText) async
}

/// Where the router takes from what it passes on.
@MainActor
public protocol ChatroomDataPassing: AnyObject {
    var dataStore: any ChatroomDataStore { get }
}

/// Goes there through the navigator, which is held weakly.
@MainActor
public final class ChatroomRouter: ChatroomRoutingLogic, ChatroomDataPassing {
    public let dataStore: any ChatroomDataStore
    private weak var navigator: (any Navigator)?

    public init(navigator: any Navigator, dataStore: any ChatroomDataStore) {
        self.navigator = navigator
        self.dataStore = dataStore
    }

    public func routeBack() async { await navigator?.dismiss() }

    public func routeToListContacts() async {
        guard dataStore.channel != nil else { return await routeBack() }
        await navigator?.showListContacts { $0.session = dataStore.session }
    }

    public func routeToListChannels() async {
        guard dataStore.channel == nil else { return await routeBack() }
        await navigator?.showListChannels { $0.session = dataStore.session }
    }

    public func routeToGeneral(notice: RemoteText) async {
        guard let general = dataStore.general, general.id != dataStore.channel?.id else {
            await navigator?.showListChannels { destination in
                destination.session = dataStore.session
                destination.notice = notice
            }
            return
        }
        await navigator?.dismiss()
        await navigator?.showChatroom { destination in
            destination.channel = general
            destination.contacts = dataStore.contacts
            destination.currentUser = dataStore.currentUser
            destination.session = dataStore.session
            destination.notice = notice
        }
    }
}
