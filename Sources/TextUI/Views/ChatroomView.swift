import Models
import Scenes

/// A conversation as text.
@MainActor
final class ChatroomView: RequestingView {
    let scene = SceneName.chatroom
    private let interactor: any ChatroomBusinessLogic
    private let router: any ChatroomRoutingLogic
    let context: ViewContext
    private var journal = Journal()
    private var log = ChatroomLog()
    private var messages: Chatroom.Messages.ViewModel?
    private var typing: Chatroom.Typing.ViewModel?
    private var draft: Chatroom.Draft.ViewModel?
    private var banner: Banner?
    var outcome: CommandOutcome?
    private var isAsking = false
    let routes: RouteFollower

    init(interactor: any ChatroomBusinessLogic, router: any ChatroomRoutingLogic, context: ViewContext) {
        self.interactor = interactor
        self.router = router
        self.context = context
        routes = RouteFollower(activity: context.activity)
    }

    func start() async { await ask(Chatroom.Start.Request()) { await interactor.start(request: $0) } }

    func comeBack() {
        log = ChatroomLog()
        journal.printContent()
    }

    func dropLines() { journal.drop() }
    func leave() { interactor.leave() }

    /// The title and the conversation after the scene came on top; later what is new in it, then what was said about it.
    func takeLines() -> [SafeLine] {
        guard let messages else { return [] }
        if journal.isContentDue {
            return journal.take {
                [ChatroomRenderer.title(of: messages, width: context.width)]
                    + log.takeLines(of: messages, width: context.width)
            }
        }
        return log.takeLines(of: messages, width: context.width) + journal.take { [] }
    }
}

extension ChatroomView {
    func perform(_ command: Command) async -> CommandOutcome {
        journal.clearNotices()
        switch command.name {
        case "send": return await send(command.positional.first ?? "")
        case "older": return await ask(Chatroom.Older.Request()) { await interactor.showOlder(request: $0) }
        case "retry": return await ask(Chatroom.Retry.Request()) { await interactor.retry(request: $0) }
        case "typing": return await type(command.positional.first)
        case "read": return await ask(Chatroom.Read.Request()) { await interactor.markRead(request: $0) }
        case "members": return await ask(Chatroom.Members.Request()) { await interactor.listMembers(request: $0) }
        case "back":
            await router.routeBack()
            return .done()
        case "contacts":
            await router.routeToListContacts()
            return .done()
        case "channels":
            await router.routeToListChannels()
            return .done()
        default: return await performOnChannel(command)
        }
    }

    private func performOnChannel(_ command: Command) async -> CommandOutcome {
        let kind: Chatroom.Act.Kind? =
            switch command.name {
            case "leave": .leave
            case "invite": .invite(command.positional.first ?? "")
            case "delete": .delete
            case "confirm": .confirmDelete
            case "dismiss" where isAsking: .cancelDelete
            default: nil
            }
        guard let kind else { return .done() }
        guard command.name != "delete" || command.positional.isEmpty else {
            return journal.announce(
                .failed(line: "In a channel delete takes no name: it is this one that it deletes."),
                width: context.width)
        }
        return await ask(Chatroom.Act.Request(kind: kind)) { await interactor.act(request: $0) }
    }

    /// One key was pressed; `draft` is what stands there by now.
    private func type(_ draft: String?) async -> CommandOutcome {
        let outcome = await ask(Chatroom.Typing.Request()) { await interactor.typed(request: $0) }
        if let draft { await draftChanged(draft) }
        return outcome
    }

    func draftChanged(_ text: String) async {
        let request = Chatroom.Draft.Request(text: text)
        context.trace(request)
        await interactor.measure(request: request)
    }

    /// Neither ends what is said on the screen nor the request under way.
    func keyPressed() async {
        let request = Chatroom.Typing.Request()
        context.trace(request)
        await interactor.typed(request: request)
    }

    /// Returns the id of the message; fails too where the server has refused it.
    private func send(_ text: String) async -> CommandOutcome {
        let before = newestOwn?.id
        draft = nil
        let outcome = await ask(Chatroom.Send.Request(text: text)) { await interactor.send(request: $0) }
        guard case .done = outcome, let sent = newestOwn, sent.id != before else { return outcome }
        if case .failed(let reason) = sent.state { return .failed(reason: Sanitiser.line(reason).text) }
        return .done(value: sent.id)
    }

    private var newestOwn: Chatroom.MessageRow? {
        messageRows.last(where: \.isOwn)
    }

    private var messageRows: [Chatroom.MessageRow] {
        (messages?.rows ?? []).compactMap { if case .message(let row) = $0 { row } else { nil } }
    }
}

extension ChatroomView: ChatroomDisplayLogic {
    func displayMessages(viewModel: Chatroom.Messages.ViewModel) {
        let isFirst = messages == nil
        let before = newestOfOthers
        messages = viewModel
        if !isFirst, let newest = newestOfOthers, newest != before { context.onNews() }
        context.displayed(viewModel)
    }

    private var newestOfOthers: String? { messageRows.last { !$0.isOwn }?.id }

    func displayReachability(viewModel: Chatroom.Reachability.ViewModel) {
        banner = viewModel.banner
        context.displayed(viewModel)
    }

    func displayTyping(viewModel: Chatroom.Typing.ViewModel) {
        typing = viewModel
        context.displayed(viewModel)
    }

    func displayDraft(viewModel: Chatroom.Draft.ViewModel) {
        draft = viewModel
        context.displayed(viewModel)
    }

    func displayOlder(viewModel: Chatroom.Older.ViewModel) {
        journal.print(log.takeLines(ofOlder: viewModel.rows, width: context.width))
        outcome = journal.announce(viewModel.outcome, width: context.width)
        context.displayed(viewModel)
    }

    func displayMembers(viewModel: Chatroom.Members.ViewModel) {
        journal.print(ChatroomRenderer.lines(of: viewModel, width: context.width))
        context.displayed(viewModel)
    }

    func displaySend(viewModel: Chatroom.OutcomeViewModel) { end(viewModel) }
    func displayRetry(viewModel: Chatroom.OutcomeViewModel) { end(viewModel) }
    func displayRead(viewModel: Chatroom.OutcomeViewModel) { end(viewModel) }

    func displayFailure(viewModel: Chatroom.Failure.ViewModel) {
        journal.announce(viewModel.line, isError: true, width: context.width)
        context.displayed(viewModel)
    }

    func displayAct(viewModel: Chatroom.Act.ViewModel) {
        isAsking = viewModel.isAsking
        outcome = journal.announce(viewModel.outcome, width: context.width)
        context.displayed(viewModel)
    }

    func displayClose(viewModel: Chatroom.Close.ViewModel) {
        context.displayed(viewModel)
        routes.go { [router] in await router.routeToGeneral(notice: viewModel.notice) }
    }

    func displayNotice(viewModel: Chatroom.Notice.ViewModel) {
        journal.announce(viewModel.line, width: context.width)
        context.displayed(viewModel)
    }

    private func end(_ viewModel: Chatroom.OutcomeViewModel) {
        outcome = journal.announce(viewModel.outcome, width: context.width)
        context.displayed(viewModel)
    }
}

extension ChatroomView {
    var promptTitle: SafeLine {
        let title = messages.map { ChatroomRenderer.title(of: $0, width: max(8, context.width / 3)) } ?? .empty
        let who = typing?.text.map { Sanitiser.line($0).cut(to: max(8, context.width / 3)) }
        return title + (who.map { " (\($0))" } ?? .empty) + ChatroomRenderer.promptMark(of: draft)
            + BannerRenderer.promptMark(of: banner)
    }

    var screen: [SafeLine] {
        guard let messages else { return [] }
        return ChatroomRenderer.screen(
            of: messages, banner: banner, typing: typing, draft: draft, width: context.width)
            + journal.notices.flatMap { NoticeRenderer.lines(of: $0, width: context.width) }
    }

    func describe(in facts: inout ScreenFacts) {
        facts.messages = messageRows.map { row in
            ScreenFacts.MessageFact(
                text: Sanitiser.text(row.body).lines.map(\.text).joined(separator: "\n"),
                sender: Sanitiser.line(row.senderName).text, state: Self.state(row.state))
        }
        facts.statusLines = (messages?.rows ?? []).compactMap { row in
            if case .status(_, let text, _) = row { Sanitiser.line(text).text } else { nil }
        }
        facts.typing = (typing?.names ?? []).map { Sanitiser.line($0).text }
        facts.errors += journal.texts
    }

    private static func state(_ state: Chatroom.MessageRow.State) -> ScreenFacts.MessageFact.State {
        switch state {
        case .sending: .sending
        case .waiting: .waiting
        case .sent: .sent
        case .failed: .failed
        }
    }
}
