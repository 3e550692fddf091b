import Models
import Workers

@MainActor
public protocol ListContactsBusinessLogic: AnyObject {
    /// Connects, fetches, and follows the news until `leave`.
    func start(request: ListContacts.Start.Request) async
    func fetchContacts(request: ListContacts.Fetch.Request) async
    func addContact(request: ListContacts.Create.Request) async
    func removeContact(request: ListContacts.Remove.Request) async
    func block(request: ListContacts.Block.Request) async
    func selectContact(request: ListContacts.Select.Request) async
    func rename(request: ListContacts.Rename.Request) async
    func changePassword(request: ListContacts.ChangePassword.Request) async
    /// Asks for the confirmation.
    func logout(request: ListContacts.Logout.Request) async
    func confirmLogout(request: ListContacts.Logout.Request) async
    func cancelLogout(request: ListContacts.Logout.Request) async
    /// The scene goes: no more news.
    func leave()
}

@MainActor
public protocol ListContactsDataStore: AnyObject {
    var session: Session? { get set }
    /// Why the server could not be asked at launch.
    var launchFault: NetworkFault? { get set }
    /// In the order of the rows.
    var contacts: [Contact] { get }
    var selectedContact: Contact? { get }
    /// Why the session is over, once it is.
    var loginReason: Login.Reason? { get }
}
