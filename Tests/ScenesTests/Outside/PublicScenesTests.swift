import Models
// Not `@testable`: this file sees what a package of somebody else's sees.
import Scenes
import Testing
import Workers

@MainActor
private final class OwnPresenter: LoginPresentationLogic {
    var lines: [String] = []

    func presentStart(response: Login.Start.Response) { lines.append(response.reason == nil ? "start" : "again") }

    func presentAccount(response: Login.Account.Response) {
        switch response.progress {
        case .busy: lines.append("busy")
        case .waiting(let wait): lines.append("wait \(wait)")
        case .signedIn: lines.append("in")
        case .unfit(let faults): lines.append("unfit \(faults.keys.map(\.rawValue).sorted())")
        case .failed(let error): lines.append("\(error)")
        }
    }
}

@MainActor
private final class OwnView: LoginDisplayLogic {
    var errors: [RemoteText] = []

    func displayStart(viewModel: Login.Start.ViewModel) {}
    func displayAccount(viewModel: Login.Account.ViewModel) { errors += viewModel.fieldErrors.map(\.text) }
}

@MainActor
@Suite("The scenes from outside")
struct PublicScenesTests {
    @Test("a presenter of one's own reads every response")
    func presenter() async {
        let presenter = OwnPresenter()
        let interactor = LoginInteractor(
            presenter: presenter, users: UsersWorkerSpy(),
            environment: .virtual(clock: VirtualClock(now: Timestamp(milliseconds: 0))))

        await interactor.start(request: Login.Start.Request())
        await interactor.login(request: Login.Account.Request(identity: "", password: Secret("")))
        await interactor.login(request: Login.Account.Request(identity: "a@b.c", password: Secret("secret")))

        #expect(presenter.lines == ["start", #"unfit ["identity", "password"]"#, "busy", "in"])
    }

    @Test("a presenter of ours takes responses that somebody else has made")
    func view() {
        let view = OwnView()
        let presenter = LoginPresenter()
        presenter.view = view

        presenter.presentAccount(response: Login.Account.Response(progress: .unfit([.password: .missing])))

        #expect(view.errors == ["The password is required."])
    }

    @Test("rows can be made of contacts that somebody else knows")
    func contacts() {
        let bob = User(id: 2, name: "Bob", email: nil, chatID: UserID("@bob:words.test"))
        var standing = ListContacts.ContactStanding(
            contact: Contact(user: bob, room: Room(id: RoomID("!r:words.test"))))
        standing.unreadCount = 3

        let response = ListContacts.Fetch.Response(
            own: bob, contacts: [standing], people: [bob.chatID: bob.name], isLoading: false, isReload: true)

        #expect(response.contacts.map(\.name) == ["Bob"])
        #expect(response.contacts.first?.hasLeft == false)
    }
}
