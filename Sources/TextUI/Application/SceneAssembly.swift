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

    func makeLogin(navigator: any Navigator) -> (view: any SceneView, dataStore: any LoginDataStore)? { nil }
    func makeSignup(navigator: any Navigator) -> (view: any SceneView, dataStore: any SignupDataStore)? { nil }
    func makeListContacts(navigator: any Navigator) -> (view: any SceneView, dataStore: any ListContactsDataStore)? {
        nil
    }
    func makeChatroom(navigator: any Navigator) -> (view: any SceneView, dataStore: any ChatroomDataStore)? { nil }
}
