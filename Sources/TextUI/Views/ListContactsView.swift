import Models
import Scenes

/// The contacts as text.
@MainActor
final class ListContactsView: ListView {
    let scene = SceneName.listContacts
    private let interactor: any ListContactsBusinessLogic
    private let router: any ListContactsRoutingLogic
    let context: ViewContext
    let routes: RouteFollower
    var journal = Journal()
    private var list: ListContacts.Fetch.ViewModel?
    private(set) var banner: Banner?
    var outcome: CommandOutcome?
    var isCovered = false
    var isAsking = false

    init(interactor: any ListContactsBusinessLogic, router: any ListContactsRoutingLogic, context: ViewContext) {
        self.interactor = interactor
        self.router = router
        self.context = context
        routes = RouteFollower(activity: context.activity)
    }

    var ownName: RemoteText? { list?.ownName }

    func start() async { await ask(ListContacts.Start.Request()) { await interactor.start(request: $0) } }

    func takeLines() -> [SafeLine] { journal.take { content } }
    func leave() { interactor.leave() }
}

extension ListContactsView {
    func perform(_ command: Command) async -> CommandOutcome {
        journal.clearNotices()
        let argument = command.positional.first ?? ""
        switch command.name {
        case "open":
            return await ask(ListContacts.Select.Request(who: argument)) { await interactor.selectContact(request: $0) }
        case "add":
            return await ask(ListContacts.Create.Request(identity: argument)) {
                await interactor.addContact(request: $0)
            }
        case "remove":
            return await ask(ListContacts.Remove.Request(who: argument)) { await interactor.removeContact(request: $0) }
        case "block", "unblock":
            let request = ListContacts.Block.Request(who: argument, isBlocking: command.name == "block")
            return await ask(request) { await interactor.block(request: $0) }
        case "refresh":
            return await ask(ListContacts.Fetch.Request()) { await interactor.fetchContacts(request: $0) }
        case "channels":
            await router.routeToListChannels()
            return .done()
        case "contacts":
            journal.printContent()
            return .done()
        default: return await performOnAccount(command)
        }
    }

    private func performOnAccount(_ command: Command) async -> CommandOutcome {
        switch command.name {
        case "rename":
            let request = ListContacts.Rename.Request(name: command.positional.first ?? "")
            return await ask(request) { await interactor.rename(request: $0) }
        case "passwd":
            let request = ListContacts.ChangePassword.Request(
                current: Secret(command.named["current"] ?? ""), new: Secret(command.named["new"] ?? ""))
            return await ask(request) { await interactor.changePassword(request: $0) }
        case "logout": return await ask(ListContacts.Logout.Request()) { await interactor.logout(request: $0) }
        case "confirm":
            return await ask(ListContacts.Logout.Request()) { await interactor.confirmLogout(request: $0) }
        case "dismiss" where isAsking:
            return await ask(ListContacts.Logout.Request()) { await interactor.cancelLogout(request: $0) }
        default: return .done()
        }
    }
}

extension ListContactsView: ListContactsDisplayLogic {
    func displayContacts(viewModel: ListContacts.Fetch.ViewModel) {
        let before = list.map { _ in unreadCount }
        list = viewModel
        listChanged(isReload: viewModel.isReload, isMoreUnread: before.map { unreadCount > $0 } ?? false)
        context.displayed(viewModel)
    }

    func displayReachability(viewModel: ListContacts.Reachability.ViewModel) {
        banner = viewModel.banner
        context.displayed(viewModel)
    }

    func displayEvent(viewModel: ListContacts.Event.ViewModel) {
        tell(viewModel.line)
        context.displayed(viewModel)
    }

    func displayFetch(viewModel: ListContacts.OutcomeViewModel) { end(viewModel) }
    func displayCreate(viewModel: ListContacts.OutcomeViewModel) { end(viewModel) }
    func displayRemove(viewModel: ListContacts.OutcomeViewModel) { end(viewModel) }
    func displayBlock(viewModel: ListContacts.OutcomeViewModel) { end(viewModel) }
    func displayRename(viewModel: ListContacts.OutcomeViewModel) { end(viewModel) }
    func displayChangePassword(viewModel: ListContacts.OutcomeViewModel) { end(viewModel) }

    func displaySelect(viewModel: ListContacts.OutcomeViewModel) {
        end(viewModel)
        guard case .done = viewModel.outcome else { return }
        routes.go { [router] in await router.routeToChatroom() }
    }

    func displayLogout(viewModel: ListContacts.Logout.ViewModel) {
        take(viewModel) { [router] in await router.routeToWelcome(notice: viewModel.notice) }
        context.displayed(viewModel)
    }

    func displaySessionEnd(viewModel: ListContacts.SessionEnd.ViewModel) {
        context.displayed(viewModel)
        routes.go { [router] in await router.routeToLogin() }
    }

    func displayFailure(viewModel: ListContacts.Failure.ViewModel) {
        tellFailure(viewModel.line)
        context.displayed(viewModel)
    }

    private func end(_ viewModel: ListContacts.OutcomeViewModel) {
        end(viewModel.outcome, viewModel.roomID)
        context.displayed(viewModel)
    }
}

extension ListContactsView {
    var unreadCount: Int { list?.rows.map(\.unreadCount).reduce(0, +) ?? 0 }

    var promptTitle: SafeLine { promptTitle(list?.title ?? "Contacts") }

    private var content: [SafeLine] { lines(showsTyping: false) }

    private func lines(showsTyping: Bool) -> [SafeLine] {
        let list = list ?? ListContacts.Fetch.ViewModel(ownName: "", ownID: UserID(""), rows: [], isLoading: true)
        return ListContactsRenderer.lines(of: list, showsTyping: showsTyping, width: context.width)
    }

    var screen: [SafeLine] { screen(of: lines(showsTyping: true)) }

    func describe(in facts: inout ScreenFacts) {
        facts.contacts = (list?.rows ?? []).map { row in
            ScreenFacts.ContactFact(
                name: Sanitiser.line(row.name).text, isOnline: row.presence == .online, unreadCount: row.unreadCount)
        }
        facts.errors += journal.texts
    }
}
