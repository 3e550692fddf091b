import Models
import Scenes

/// Launch as text: it shows only that the app starts, and goes on by itself.
@MainActor
final class LaunchView: SceneView, LaunchDisplayLogic {
    let scene = SceneName.launch
    private let interactor: any LaunchBusinessLogic
    private let router: any LaunchRoutingLogic
    private let context: ViewContext
    private let routes: RouteFollower
    private var journal = Journal()

    init(interactor: any LaunchBusinessLogic, router: any LaunchRoutingLogic, context: ViewContext) {
        self.interactor = interactor
        self.router = router
        self.context = context
        routes = RouteFollower(activity: context.activity)
    }

    func start() async {
        let request = Launch.Resume.Request()
        context.trace(request)
        await routes.request { await interactor.resume(request: request) }
    }

    func displayResume(viewModel: Launch.Resume.ViewModel) {
        context.displayed(viewModel)
        routes.go { [router] in
            switch viewModel.destination {
            case .listContacts: await router.routeToListContacts()
            case .welcome: await router.routeToWelcome(notice: viewModel.notice)
            case .login: await router.routeToLogin()
            }
        }
    }

    func perform(_ command: Command) async -> CommandOutcome { .done() }

    let promptTitle: SafeLine = "Words"
    var screen: [SafeLine] { WelcomeRenderer.launchLines(width: context.width) }
    func describe(in facts: inout ScreenFacts) {}
    func takeLines() -> [SafeLine] { journal.take { screen } }
    func comeBack() { journal.printContent() }
    func dropLines() { journal.drop() }
    func leave() {}
}
