import Models
import Scenes

/// The channels as text.
@MainActor
final class ListChannelsView: SceneView {
    let scene = SceneName.listChannels
    private let interactor: any ListChannelsBusinessLogic
    private let router: any ListChannelsRoutingLogic
    private let context: ViewContext
    private let routes: RouteFollower
    private var journal = Journal()
    private var list: ListChannels.Fetch.ViewModel?
    private var banner: Banner?
    /// How the request under way has ended, once its outcome has been presented.
    private var outcome: CommandOutcome?
    private var isCovered = false
    private var isAsking = false

    init(interactor: any ListChannelsBusinessLogic, router: any ListChannelsRoutingLogic, context: ViewContext) {
        self.interactor = interactor
        self.router = router
        self.context = context
        routes = RouteFollower(activity: context.activity)
    }

    func start() async { await ask(ListChannels.Start.Request()) { await interactor.start(request: $0) } }

    func comeBack() {
        isCovered = false
        journal.clearNotices()
        journal.printContent()
    }

    func dropLines() {
        isCovered = true
        journal.drop()
    }

    func takeLines() -> [SafeLine] { journal.take { content } }
    func leave() { interactor.leave() }

    @discardableResult
    private func ask<Request>(_ request: Request, _ body: @MainActor (Request) async -> Void) async -> CommandOutcome {
        context.trace(request)
        outcome = nil
        await routes.request { await body(request) }
        return outcome ?? .done()
    }
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
        let unread = list.map { $0.rows.map(\.unreadCount).reduce(0, +) }
        list = viewModel
        if viewModel.isReload && !isCovered { journal.printContent() }
        if let unread, viewModel.rows.map(\.unreadCount).reduce(0, +) > unread { context.onNews() }
        context.displayed(viewModel)
    }

    func displayReachability(viewModel: ListChannels.Reachability.ViewModel) {
        banner = viewModel.banner
        context.displayed(viewModel)
    }

    func displayEvent(viewModel: ListChannels.Event.ViewModel) {
        if !isCovered { journal.print(SafeText(lines: [Sanitiser.line(viewModel.line)]).wrapped(to: context.width)) }
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
        isAsking = viewModel.step == .confirm
        switch viewModel.step {
        case .confirm:
            let loss: RemoteText = viewModel.message.map { "\($0) " } ?? ""
            journal.announce("\(viewModel.title). \(loss)Type confirm to go on, or dismiss.", width: context.width)
        case .cancelled: journal.announce("\(viewModel.title).", width: context.width)
        case .notAsked: outcome = journal.announce(.failed(line: "\(viewModel.title)."), width: context.width)
        case .loggedOut: routes.go { [router] in await router.routeToWelcome(notice: viewModel.notice) }
        }
        context.displayed(viewModel)
    }

    func displaySessionEnd(viewModel: ListContacts.SessionEnd.ViewModel) {
        context.displayed(viewModel)
        routes.go { [router] in await router.routeToLogin() }
    }

    func displayFailure(viewModel: ListChannels.Failure.ViewModel) {
        journal.announce(viewModel.line, isError: true, width: context.width)
        if isCovered { journal.drop() }
        context.displayed(viewModel)
    }

    private func end(_ viewModel: ListChannels.OutcomeViewModel) {
        outcome = journal.announce(viewModel.outcome, value: viewModel.roomID?.raw, width: context.width)
        context.displayed(viewModel)
    }
}

extension ListChannelsView {
    private var unreadCount: Int { list?.rows.map(\.unreadCount).reduce(0, +) ?? 0 }

    var promptTitle: SafeLine {
        let unread: SafeLine = unreadCount > 0 ? " (\(unreadCount) unread)" : .empty
        return "\(list?.title ?? "Channels")" + unread + BannerRenderer.promptMark(of: banner)
    }

    private var content: [SafeLine] {
        ListChannelsRenderer.lines(of: list ?? .init(rows: [], isLoading: true), width: context.width)
    }

    var screen: [SafeLine] {
        let lines = content
        return lines.prefix(1) + BannerRenderer.lines(of: banner, width: context.width) + lines.dropFirst()
            + journal.notices.flatMap { NoticeRenderer.lines(of: $0, width: context.width) }
    }

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
