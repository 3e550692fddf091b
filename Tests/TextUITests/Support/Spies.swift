import Models
import Scenes
import Workers

@testable import TextUI

/// Everything that the parts around a view were asked, in order.
@MainActor
final class CallLog {
    var calls: [Call] = []
    /// Done while a request is under way: what presenters would show.
    var duringRequest: (@MainActor () -> Void)?

    func record(_ call: Call) {
        calls.append(call)
        if call.isRequest { duringRequest?() }
    }
}

enum Call: Equatable {
    case resume, startLogin, login(identity: String, password: Secret), signup(
        name: String, email: String, password: Secret)
    case startContacts, fetch, add(String), remove(String), block(String, Bool), select(String), rename(String)
    case changePassword(Secret, Secret), logout, confirmLogout, cancelLogout
    case startChat, send(String), draft(String), older, retry, typed, read, members, visibility(Bool)
    case leave
    case startChannels, fetchChannels, createChannel(String, Bool), actOnList(ListChannels.Act.Kind, String)
    case selectChannel(String), confirm, cancel, actInChannel(Chatroom.Act.Kind)
    case toListContacts, toWelcome(RemoteText?), toLogin, toSignup, toChatroom, back
    case toListChannels, toGeneral(RemoteText)

    var isRequest: Bool {
        switch self {
        case .toListChannels, .toGeneral, .leave, .toListContacts, .toWelcome, .toLogin, .toSignup, .toChatroom, .back:
            false
        default: true
        }
    }
}

@MainActor
class InteractorSpy {
    let log: CallLog
    init(_ log: CallLog) { self.log = log }
    func leave() { log.record(.leave) }
}

final class LaunchInteractorSpy: InteractorSpy, LaunchBusinessLogic {
    func resume(request: Launch.Resume.Request) async { log.record(.resume) }
}

final class LoginInteractorSpy: InteractorSpy, LoginBusinessLogic {
    func start(request: Login.Start.Request) async { log.record(.startLogin) }
    func login(request: Login.Account.Request) async {
        log.record(.login(identity: request.identity, password: request.password))
    }
}

final class SignupInteractorSpy: InteractorSpy, SignupBusinessLogic {
    func createAccount(request: Signup.Account.Request) async {
        log.record(.signup(name: request.name, email: request.email, password: request.password))
    }
}

final class ListContactsInteractorSpy: InteractorSpy, ListContactsBusinessLogic {
    func start(request: ListContacts.Start.Request) async { log.record(.startContacts) }
    func fetchContacts(request: ListContacts.Fetch.Request) async { log.record(.fetch) }
    func addContact(request: ListContacts.Create.Request) async { log.record(.add(request.identity)) }
    func removeContact(request: ListContacts.Remove.Request) async { log.record(.remove(request.who)) }
    func block(request: ListContacts.Block.Request) async { log.record(.block(request.who, request.isBlocking)) }
    func selectContact(request: ListContacts.Select.Request) async { log.record(.select(request.who)) }
    func rename(request: ListContacts.Rename.Request) async { log.record(.rename(request.name)) }
    func changePassword(request: ListContacts.ChangePassword.Request) async {
        log.record(.changePassword(request.current, request.new))
    }
    func logout(request: ListContacts.Logout.Request) async { log.record(.logout) }
    func confirmLogout(request: ListContacts.Logout.Request) async { log.record(.confirmLogout) }
    func cancelLogout(request: ListContacts.Logout.Request) async { log.record(.cancelLogout) }
}

final class ListChannelsInteractorSpy: InteractorSpy, ListChannelsBusinessLogic {
    func start(request: ListChannels.Start.Request) async { log.record(.startChannels) }
    func fetchChannels(request: ListChannels.Fetch.Request) async { log.record(.fetchChannels) }
    func createChannel(request: ListChannels.Create.Request) async {
        log.record(.createChannel(request.name, request.isPrivate))
    }
    func act(request: ListChannels.Act.Request) async { log.record(.actOnList(request.kind, request.which)) }
    func selectChannel(request: ListChannels.Select.Request) async { log.record(.selectChannel(request.which)) }
    func logout(request: ListContacts.Logout.Request) async { log.record(.logout) }
    func confirm(request: ListChannels.Confirmation.Request) async { log.record(.confirm) }
    func cancel(request: ListChannels.Confirmation.Request) async { log.record(.cancel) }
}

final class ChatroomInteractorSpy: InteractorSpy, ChatroomBusinessLogic {
    func start(request: Chatroom.Start.Request) async { log.record(.startChat) }
    func send(request: Chatroom.Send.Request) async { log.record(.send(request.text)) }
    func measure(request: Chatroom.Draft.Request) async { log.record(.draft(request.text)) }
    func showOlder(request: Chatroom.Older.Request) async { log.record(.older) }
    func retry(request: Chatroom.Retry.Request) async { log.record(.retry) }
    func typed(request: Chatroom.Typing.Request) async { log.record(.typed) }
    func markRead(request: Chatroom.Read.Request) async { log.record(.read) }
    func listMembers(request: Chatroom.Members.Request) async { log.record(.members) }
    func act(request: Chatroom.Act.Request) async { log.record(.actInChannel(request.kind)) }
    func setVisibility(request: Chatroom.Visibility.Request) async { log.record(.visibility(request.isOnTop)) }
}

@MainActor
final class RouterSpy: LaunchRoutingLogic, WelcomeRoutingLogic, LoginRoutingLogic, SignupRoutingLogic,
    ListContactsRoutingLogic, ListChannelsRoutingLogic, ChatroomRoutingLogic
{
    let log: CallLog
    init(_ log: CallLog) { self.log = log }

    func routeToListContacts() async { log.record(.toListContacts) }
    func routeToWelcome(notice: RemoteText?) async { log.record(.toWelcome(notice)) }
    func routeToWelcome() async { log.record(.toWelcome(nil)) }
    func routeToLogin() async { log.record(.toLogin) }
    func routeToSignup() async { log.record(.toSignup) }
    func routeToChatroom() async { log.record(.toChatroom) }
    func routeToListChannels() async { log.record(.toListChannels) }
    func routeToGeneral(notice: RemoteText) async { log.record(.toGeneral(notice)) }
    func routeBack() async { log.record(.back) }
}

/// A view under test with all that stands around it.
@MainActor
struct ViewFixture {
    let log = CallLog()
    let activity = Activity()
    var context: ViewContext

    init(width: Int = 60) {
        context = ViewContext(columns: ScreenColumns(width), trace: .off, activity: activity, onDisplay: {})
    }

    func launch() -> LaunchView {
        LaunchView(interactor: LaunchInteractorSpy(log), router: RouterSpy(log), context: context)
    }

    func login() -> LoginView {
        LoginView(interactor: LoginInteractorSpy(log), router: RouterSpy(log), context: context)
    }

    func signup() -> SignupView {
        SignupView(interactor: SignupInteractorSpy(log), router: RouterSpy(log), context: context)
    }

    func contacts() -> ListContactsView {
        ListContactsView(interactor: ListContactsInteractorSpy(log), router: RouterSpy(log), context: context)
    }

    func channels() -> ListChannelsView {
        ListChannelsView(interactor: ListChannelsInteractorSpy(log), router: RouterSpy(log), context: context)
    }

    func chatroom() -> ChatroomView {
        ChatroomView(interactor: ChatroomInteractorSpy(log), router: RouterSpy(log), context: context)
    }
}
