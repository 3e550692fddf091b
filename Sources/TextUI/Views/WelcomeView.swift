import Models
import Scenes

/// Welcome as text. The scene has no logic; its view only routes.
@MainActor
final class WelcomeView: SceneView {
    let scene = SceneName.welcome
    private let router: any WelcomeRoutingLogic
    private let context: ViewContext
    private var viewModel: Welcome.ViewModel
    private var journal = Journal()

    init(viewModel: Welcome.ViewModel, router: any WelcomeRoutingLogic, context: ViewContext) {
        self.viewModel = viewModel
        self.router = router
        self.context = context
    }

    func start() async { context.displayed(viewModel) }

    /// Shows the scene that the command is for; the command itself is given to that scene.
    func perform(_ command: Command) async -> CommandOutcome {
        switch command.name {
        case "login": await router.routeToLogin()
        case "signup": await router.routeToSignup()
        default: viewModel.notice = nil
        }
        return .done()
    }

    var promptTitle: SafeLine { Sanitiser.line(viewModel.title) }
    var screen: [SafeLine] { WelcomeRenderer.lines(of: viewModel, width: context.width) }

    func describe(in facts: inout ScreenFacts) {
        facts.errors += [viewModel.notice].compactMap { $0 }.map { Sanitiser.line($0).text }
    }

    func takeLines() -> [SafeLine] { journal.take { screen } }
    func comeBack() { journal.printContent() }
    func dropLines() { journal.drop() }
    func leave() {}
}
