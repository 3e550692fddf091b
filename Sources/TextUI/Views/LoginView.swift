import Models
import Scenes

/// Login as text.
@MainActor
final class LoginView: SceneView, LoginDisplayLogic {
    let scene = SceneName.login
    private let interactor: any LoginBusinessLogic
    private let router: any LoginRoutingLogic
    private let context: ViewContext
    private let routes: RouteFollower
    private var journal = Journal()
    private var form = Login.Start.ViewModel(notice: nil)
    private var account = Login.Account.ViewModel()

    init(interactor: any LoginBusinessLogic, router: any LoginRoutingLogic, context: ViewContext) {
        self.interactor = interactor
        self.router = router
        self.context = context
        routes = RouteFollower(activity: context.activity)
    }

    func start() async {
        let request = Login.Start.Request()
        context.trace(request)
        await routes.request { await interactor.start(request: request) }
    }

    func displayStart(viewModel: Login.Start.ViewModel) {
        form = viewModel
        context.displayed(viewModel)
    }

    func displayAccount(viewModel: Login.Account.ViewModel) {
        account = viewModel
        journal.clearNotices()
        for notice in LoginRenderer.notices(of: viewModel) {
            journal.announce(notice.text, isError: notice.isError, width: context.width)
        }
        context.displayed(viewModel)
        if viewModel.isSignedIn { routes.go { [router] in await router.routeToListContacts() } }
    }

    func perform(_ command: Command) async -> CommandOutcome {
        switch command.name {
        case "login": return await login(command)
        case "cancel", "back": await router.routeToWelcome()
        default: journal.clearNotices()
        }
        return .done()
    }

    private func login(_ command: Command) async -> CommandOutcome {
        journal.clearNotices()
        let request = Login.Account.Request(
            identity: command.named["email"] ?? "", password: Secret(command.named["password"] ?? ""))
        context.trace(request)
        await routes.request { await interactor.login(request: request) }
        let error = journal.notices.first(where: \.isError).map { Sanitiser.line($0.text).text }
        return account.isSignedIn || account.isBusy ? .done() : .failed(reason: error ?? "You are not signed in.")
    }

    var promptTitle: SafeLine { Sanitiser.line(form.title) }
    private var content: [SafeLine] { LoginRenderer.lines(of: form, width: context.width) }

    var screen: [SafeLine] {
        content + journal.notices.flatMap { NoticeRenderer.lines(of: $0, width: context.width) }
    }

    func describe(in facts: inout ScreenFacts) {
        facts.errors += [form.notice].compactMap { $0 }.map { Sanitiser.line($0).text } + journal.texts
    }

    func takeLines() -> [SafeLine] { journal.take { content } }
    func comeBack() { journal.printContent() }
    func dropLines() { journal.drop() }
    func leave() { interactor.leave() }
}
