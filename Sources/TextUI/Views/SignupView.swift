import Models
import Scenes

/// Signup as text.
@MainActor
final class SignupView: SceneView, SignupDisplayLogic {
    let scene = SceneName.signup
    private let interactor: any SignupBusinessLogic
    private let router: any SignupRoutingLogic
    private let context: ViewContext
    private let routes: RouteFollower
    private var journal = Journal()
    private var account = Signup.Account.ViewModel()

    init(interactor: any SignupBusinessLogic, router: any SignupRoutingLogic, context: ViewContext) {
        self.interactor = interactor
        self.router = router
        self.context = context
        routes = RouteFollower(activity: context.activity)
    }

    func start() async { context.onDisplay() }

    func displayAccount(viewModel: Signup.Account.ViewModel) {
        account = viewModel
        journal.clearNotices()
        for notice in SignupRenderer.notices(of: viewModel) {
            journal.announce(notice.text, isError: notice.isError, width: context.width)
        }
        context.displayed(viewModel)
        if viewModel.isSignedIn { routes.go { [router] in await router.routeToListContacts() } }
    }

    func perform(_ command: Command) async -> CommandOutcome {
        switch command.name {
        case "signup": return await signup(command)
        case "cancel", "back": await router.routeToWelcome()
        default: journal.clearNotices()
        }
        return .done()
    }

    private func signup(_ command: Command) async -> CommandOutcome {
        journal.clearNotices()
        let request = Signup.Account.Request(
            name: command.named["name"] ?? "", email: command.named["email"] ?? "",
            password: Secret(command.named["password"] ?? ""))
        context.trace(request)
        await routes.request { await interactor.createAccount(request: request) }
        let error = journal.notices.first(where: \.isError).map { Sanitiser.line($0.text).text }
        return account.isSignedIn || account.isBusy ? .done() : .failed(reason: error ?? "There is no account yet.")
    }

    var promptTitle: SafeLine { Sanitiser.line(Signup.title) }
    private var content: [SafeLine] { SignupRenderer.lines(width: context.width) }

    var screen: [SafeLine] {
        content + journal.notices.flatMap { NoticeRenderer.lines(of: $0, width: context.width) }
    }

    func describe(in facts: inout ScreenFacts) { facts.errors += journal.texts }
    func takeLines() -> [SafeLine] { journal.take { content } }
    func comeBack() { journal.printContent() }
    func dropLines() { journal.drop() }
    func leave() { interactor.leave() }
}
