import Models
import Scenes

/// The channels as text.
@MainActor
final class ListChannelsView: ListView {
    let scene = SceneName.listChannels
    private let interactor: any ListChannelsBusinessLogic
    private let router: any ListChannelsRoutingLogic
    let context: ViewContext
    let routes: RouteFollower
    var journal = Journal()
    private var list: ListChannels.Fetch.ViewModel?
    private(set) var banner: Banner?
    var outcome: CommandOutcome?
    var isCovered = false
    var isAsking = false

    init(interactor: any ListChannelsBusinessLogic, router: any ListChannelsRoutingLogic, context: ViewContext) {
        self.interactor = interactor
        self.router = router
        self.context = context
        routes = RouteFollower(activity: context.activity)
    }

    var ownName: RemoteText? { list?.ownName }

    func start() async { await ask(ListChannels.Start.Request()) { await interactor.start(request: $0) } }

    func takeLines() -> [SafeLine] { journal.take { content } }
    func leave() { interactor.leave() }
}

extension ListChannelsView {
    func perform(_ command: Command) async -> CommandOutcome {
        journal.clearNotices()
        let argument = command.positional.first ?? ""
        switch command.name {
        case "open":
            return await ask(ListChannels.Select.Request(which: argument)) {
                await interactor.selectChannel(request: $0)
            }
        case "create": return await create(argument, command.positional.dropFirst().first)
        case "join": return await act(.join, argument)
        case "accept": return await act(.accept, argument)
        case "decline": return await act(.decline, argument)
        case "delete": return await act(.delete, argument)
        case "refresh":
            return await ask(ListChannels.Fetch.Request()) { await interactor.fetchChannels(request: $0) }
        case "channels":
            journal.printContent()
            return .done()
        case "contacts":
            await router.routeToListContacts()
            return .done()
        case "logout": return await ask(ListContacts.Logout.Request()) { await interactor.logout(request: $0) }
        case "confirm":
            return await ask(ListChannels.Confirmation.Request()) { await interactor.confirm(request: $0) }
        case "dismiss" where isAsking:
            return await ask(ListChannels.Confirmation.Request()) { await interactor.cancel(request: $0) }
        default: return .done()
        }
    }

    private func create(_ name: String, _ access: String?) async -> CommandOutcome {
        if let access, access != "private" {
            return journal.announce(
                .failed(line: "create takes a name and, where it is to be so, private."), width: context.width)
        }
        return await ask(ListChannels.Create.Request(name: name, isPrivate: access != nil)) {
            await interactor.createChannel(request: $0)
        }
    }

    private func act(_ kind: ListChannels.Act.Kind, _ which: String) async -> CommandOutcome {
        await ask(ListChannels.Act.Request(kind: kind, which: which)) { await interactor.act(request: $0) }
    }
}

extension ListChannelsView: ListChannelsDisplayLogic {
    func displayChannels(viewModel: ListChannels.Fetch.ViewModel) {
        let before = list.map { _ in unreadCount }
        list = viewModel
        listChanged(isReload: viewModel.isReload, isMoreUnread: before.map { unreadCount > $0 } ?? false)
        context.displayed(viewModel)
    }

    func displayReachability(viewModel: ListChannels.Reachability.ViewModel) {
        banner = viewModel.banner
        context.displayed(viewModel)
    }

    func displayEvent(viewModel: ListChannels.Event.ViewModel) {
        tell(viewModel.line)
        context.displayed(viewModel)
    }

    func displayOutcome(viewModel: ListChannels.OutcomeViewModel) { end(viewModel) }

    func displaySelect(viewModel: ListChannels.OutcomeViewModel) {
        end(viewModel)
        guard case .done = viewModel.outcome else { return }
        routes.go { [router] in await router.routeToChatroom() }
    }

    func displayConfirmation(viewModel: ListChannels.Confirmation.ViewModel) {
        isAsking = viewModel.isAsking
        var asked = viewModel.outcome
        if viewModel.isAsking, case .done(let line?) = asked {
            asked = .done(line: "\(line) Type confirm to go on, or dismiss.")
        }
        outcome = journal.announce(asked, width: context.width)
        context.displayed(viewModel)
    }

    func displayLogout(viewModel: ListContacts.Logout.ViewModel) {
        take(viewModel) { [router] in await router.routeToWelcome(notice: viewModel.notice) }
        context.displayed(viewModel)
    }

    func displaySessionEnd(viewModel: ListContacts.SessionEnd.ViewModel) {
        context.displayed(viewModel)
        routes.go { [router] in await router.routeToLogin() }
    }

    func displayFailure(viewModel: ListChannels.Failure.ViewModel) {
        tellFailure(viewModel.line)
        context.displayed(viewModel)
    }

    private func end(_ viewModel: ListChannels.OutcomeViewModel) {
        end(viewModel.outcome, viewModel.roomID)
        context.displayed(viewModel)
    }
}

extension ListChannelsView {
    var unreadCount: Int { list?.rows.map(\.unreadCount).reduce(0, +) ?? 0 }

    var promptTitle: SafeLine { promptTitle(list?.title ?? "Channels") }

    private var content: [SafeLine] {
        ListChannelsRenderer.lines(of: list ?? .init(rows: [], isLoading: true), width: context.width)
    }

    var screen: [SafeLine] { screen(of: content) }

    func describe(in facts: inout ScreenFacts) {
        facts.channels = (list?.rows ?? []).map { row in
            ScreenFacts.ChannelFact(
                name: Sanitiser.line(row.name).text, state: Self.state(row.kind), unreadCount: row.unreadCount)
        }
        facts.errors += journal.texts
    }

    private static func state(_ kind: ListChannels.Row.Kind) -> ScreenFacts.ChannelFact.State {
        switch kind {
        case .joined: .joined
        case .open: .public
        case .invited: .invited
        }
    }
}
