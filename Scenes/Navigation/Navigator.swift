import Models

/// Shows scenes: what a navigation controller is to a graphical app.
///
/// Each method returns once the scene stands and its first view model has been presented. `prepare` fills the
/// destination's data store and is called before the scene does anything.
///
/// Every scene replaces all that stood before it, but for Chatroom, which stands on top of ListContacts or ListChannels until
/// `dismiss`. A scene that goes is told by `leave` on its interactor.
@MainActor
public protocol Navigator: AnyObject {
    /// `notice` says why one is here, where nobody asked to be.
    func showWelcome(notice: RemoteText?) async
    func showLogin(prepare: (any LoginDataStore) -> Void) async
    func showSignup(prepare: (any SignupDataStore) -> Void) async
    func showListContacts(prepare: (any ListContactsDataStore) -> Void) async
    func showListChannels(prepare: (any ListChannelsDataStore) -> Void) async
    func showChatroom(prepare: (any ChatroomDataStore) -> Void) async
    /// Back to the scene below; nothing where there is none.
    func dismiss() async
}
