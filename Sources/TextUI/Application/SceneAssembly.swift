import Models
import Scenes
import Workers

/// Puts the headless scenes behind their text views.
@MainActor
struct SceneAssembly: SceneFactory {
    let users: any UsersWorkerLogic
    let chat: any ChatWorkerLogic
    let environment: Environment
    let context: ViewContext
    /// Of a message in a channel, in characters.
    let messageLimit: Int

    func makeLaunch(navigator: any Navigator) -> any SceneView {
        let presenter = LaunchPresenter(trace: context.trace)
        let interactor = LaunchInteractor(presenter: presenter, users: users)
        let router = LaunchRouter(navigator: navigator, dataStore: interactor)
        let view = LaunchView(interactor: interactor, router: router, context: context)
        presenter.view = view
        return view
    }

    func makeWelcome(navigator: any Navigator, notice: RemoteText?) -> any SceneView {
        WelcomeView(
            viewModel: Welcome.ViewModel(notice: notice), router: WelcomeRouter(navigator: navigator), context: context)
    }

    func makeLogin(navigator: any Navigator) -> (view: any SceneView, dataStore: any LoginDataStore) {
        let presenter = LoginPresenter(trace: context.trace)
        let interactor = LoginInteractor(presenter: presenter, users: users, environment: environment)
        let router = LoginRouter(navigator: navigator, dataStore: interactor)
        let view = LoginView(interactor: interactor, router: router, context: context)
        presenter.view = view
        return (view, interactor)
    }

    func makeSignup(navigator: any Navigator) -> (view: any SceneView, dataStore: any SignupDataStore) {
        let presenter = SignupPresenter(trace: context.trace)
        let interactor = SignupInteractor(presenter: presenter, users: users, environment: environment)
        let router = SignupRouter(navigator: navigator, dataStore: interactor)
        let view = SignupView(interactor: interactor, router: router, context: context)
        presenter.view = view
        return (view, interactor)
    }

    func makeListContacts(navigator: any Navigator) -> (view: any SceneView, dataStore: any ListContactsDataStore) {
        let presenter = ListContactsPresenter(environment: environment, trace: context.trace)
        let interactor = ListContactsInteractor(
            presenter: presenter, users: users, chat: chat, environment: environment)
        let router = ListContactsRouter(navigator: navigator, dataStore: interactor)
        let view = ListContactsView(interactor: interactor, router: router, context: context)
        presenter.view = view
        return (view, interactor)
    }

    func makeListChannels(navigator: any Navigator) -> (view: any SceneView, dataStore: any ListChannelsDataStore) {
        let presenter = ListChannelsPresenter(environment: environment, trace: context.trace)
        let interactor = ListChannelsInteractor(
            presenter: presenter, users: users, chat: chat, environment: environment)
        let router = ListChannelsRouter(navigator: navigator, dataStore: interactor)
        let view = ListChannelsView(interactor: interactor, router: router, context: context)
        presenter.view = view
        return (view, interactor)
    }

    func makeChatroom(navigator: any Navigator) -> (view: any SceneView, dataStore: any ChatroomDataStore) {
        let presenter = ChatroomPresenter(environment: environment, trace: context.trace)
        let interactor = ChatroomInteractor(
            presenter: presenter, chat: chat, environment: environment, messageLimit: messageLimit)
        let router = ChatroomRouter(navigator: navigator, dataStore: interactor)
        let view = ChatroomView(interactor: interactor, router: router, context: context)
        presenter.view = view
        return (view, interactor)
    }
}
