import Models

@testable import Scenes

@MainActor
final class ListContactsPresenterSpy: ListContactsPresentationLogic {
    enum Call: Equatable {
        /// Who is listed, in order.
        case contacts([UserID], isLoading: Bool, isReload: Bool)
        case fetch(ListContacts.Fetch.Ending)
        case reachability(Models.Connection)
        case event(ListContacts.Event.Kind, UserID)
        case create(ListContacts.Create.Response)
        case remove(ListContacts.Remove.Response)
        case block(ListContacts.Block.Response)
        case select(ListContacts.Select.Response)
        case rename(ListContacts.Rename.Response)
        case changePassword(ListContacts.ChangePassword.Response)
        case logout(ListContacts.Logout.Response.Step)
        case sessionEnd(Login.Reason)
        case failure(ListContacts.Failure.Response)
    }

    var calls: [Call] = []
    /// The newest list as a whole.
    var contacts: ListContacts.Fetch.Response?

    /// What has been presented since the last time.
    func take() -> [Call] {
        defer { calls = [] }
        return calls
    }

    func presentContacts(response: ListContacts.Fetch.Response) {
        contacts = response
        calls.append(
            .contacts(response.contacts.map(\.id), isLoading: response.isLoading, isReload: response.isReload))
    }

    func presentFetch(response: ListContacts.Fetch.Ending) { calls.append(.fetch(response)) }
    func presentReachability(response: ListContacts.Reachability.Response) {
        calls.append(.reachability(response.connection))
    }
    func presentEvent(response: ListContacts.Event.Response) { calls.append(.event(response.kind, response.id)) }
    func presentCreate(response: ListContacts.Create.Response) { calls.append(.create(response)) }
    func presentRemove(response: ListContacts.Remove.Response) { calls.append(.remove(response)) }
    func presentBlock(response: ListContacts.Block.Response) { calls.append(.block(response)) }
    func presentSelect(response: ListContacts.Select.Response) { calls.append(.select(response)) }
    func presentRename(response: ListContacts.Rename.Response) { calls.append(.rename(response)) }
    func presentChangePassword(response: ListContacts.ChangePassword.Response) {
        calls.append(.changePassword(response))
    }
    func presentLogout(response: ListContacts.Logout.Response) { calls.append(.logout(response.step)) }
    func presentSessionEnd(response: ListContacts.SessionEnd.Response) { calls.append(.sessionEnd(response.reason)) }
    func presentFailure(response: ListContacts.Failure.Response) { calls.append(.failure(response)) }
}

/// The scene's interactor among spies, Alice being signed in.
@MainActor
struct ListContactsScene {
    let presenter = ListContactsPresenterSpy()
    let users = UsersWorkerSpy()
    let chat = ChatWorkerSpy()
    let time = VirtualTime()
    let interactor: ListContactsInteractor

    static let bob = Fixture.contact(Fixture.bob)
    static let cy = Fixture.contact(Fixture.cy)

    init() {
        interactor = ListContactsInteractor(
            presenter: presenter, users: users, chat: chat, environment: time.environment)
        interactor.session = Fixture.session()
        users.lists = [.success([Self.bob])]
        chat.meanwhile = { [chat] call in
            if case .connect = call { chat.state = Fixture.state([Fixture.room(with: Fixture.bob)]) }
        }
    }

    /// Started and settled, what was presented until then forgotten.
    func start() async {
        await interactor.start(request: .init())
        await time.settle()
        presenter.calls = []
        users.calls = []
        chat.calls = []
    }
}
