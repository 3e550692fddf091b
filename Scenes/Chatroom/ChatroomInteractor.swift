import Models
import Workers

@MainActor
public protocol ChatroomBusinessLogic: AnyObject {
    /// Shows the conversation and follows the news until `leave`. The scene counts as on top from here.
    func start(request: Chatroom.Start.Request) async
    func send(request: Chatroom.Send.Request) async
    func showOlder(request: Chatroom.Older.Request) async
    func retry(request: Chatroom.Retry.Request) async
    /// One key was pressed.
    func typed(request: Chatroom.Typing.Request) async
    func markRead(request: Chatroom.Read.Request) async
    func listMembers(request: Chatroom.Members.Request) async
    func setVisibility(request: Chatroom.Visibility.Request) async
    /// The scene goes: no more news, no more receipts.
    func leave()
}

@MainActor
public protocol ChatroomDataStore: AnyObject {
    var contact: Contact? { get set }
    /// All contacts: a name that could pass for another contact's shows its id as well.
    var contacts: [Contact] { get set }
    var currentUser: User? { get set }
}
