import Models

/// What there is to tell about a conversation, not yet in words.
@MainActor
public protocol ChatroomPresentationLogic: AnyObject {
    func presentMessages(response: Chatroom.Messages.Response)
    func presentReachability(response: Chatroom.Reachability.Response)
    func presentTyping(response: Chatroom.Typing.Response)
    func presentDraft(response: Chatroom.Draft.Response)
    func presentSend(response: Chatroom.Send.Response)
    func presentOlder(response: Chatroom.Older.Response)
    func presentRetry(response: Chatroom.Retry.Response)
    func presentRead(response: Chatroom.Read.Response)
    func presentMembers(response: Chatroom.Members.Response)
    func presentAct(response: Chatroom.Act.Response)
    func presentClose(response: Chatroom.Close.Response)
    func presentNotice(response: Chatroom.Notice.Response)
    func presentFailure(response: Chatroom.Failure.Response)
}

/// What a view of a conversation shows; the one part to replace for another kind of screen.
@MainActor
public protocol ChatroomDisplayLogic: AnyObject {
    /// The whole conversation, at every change of it.
    func displayMessages(viewModel: Chatroom.Messages.ViewModel)
    func displayReachability(viewModel: Chatroom.Reachability.ViewModel)
    func displayTyping(viewModel: Chatroom.Typing.ViewModel)
    /// How much is typed, where that is near the limit; once more where it is not any longer.
    func displayDraft(viewModel: Chatroom.Draft.ViewModel)
    func displaySend(viewModel: Chatroom.OutcomeViewModel)
    /// Comes right before the `displayMessages` that holds the same rows in their place.
    func displayOlder(viewModel: Chatroom.Older.ViewModel)
    func displayRetry(viewModel: Chatroom.OutcomeViewModel)
    func displayRead(viewModel: Chatroom.OutcomeViewModel)
    func displayMembers(viewModel: Chatroom.Members.ViewModel)
    /// Something nobody asked for at this moment has gone wrong.
    func displayFailure(viewModel: Chatroom.Failure.ViewModel)
    func displayAct(viewModel: Chatroom.Act.ViewModel)
    /// The view routes to General with the notice.
    func displayClose(viewModel: Chatroom.Close.ViewModel)
    func displayNotice(viewModel: Chatroom.Notice.ViewModel)
}

/// Puts responses into words. Whoever assembles the scene sets `view`, which is held weakly.
@MainActor
public final class ChatroomPresenter: ChatroomPresentationLogic {
    public weak var view: (any ChatroomDisplayLogic)?
    private let environment: Environment
    private let dayText: DayText
    private let trace: Trace
    /// Kept from one view model to the next: names change rarely.
    private var book = NameBook([:])

    public init(environment: Environment, trace: Trace = .off) {
        self.environment = environment
        dayText = DayText(zone: environment.timeZone)
        self.trace = trace
    }

    public func presentMessages(response: Chatroom.Messages.Response) {
        trace(response)
        let rows = rows(of: response)
        let title = title(response.channelName, response.contactID, response.people)
        view?.displayMessages(
            viewModel: Chatroom.Messages.ViewModel(
                title: title, rows: rows, hasOlder: response.hasOlder, isLoading: response.isLoading,
                refusal: response.refusal.map { Wording.refusal($0, contact: title) },
                emptyText: rows.isEmpty && !response.isLoading ? "(no messages yet)" : nil))
    }

    public func presentReachability(response: Chatroom.Reachability.Response) {
        trace(response)
        view?.displayReachability(
            viewModel: Chatroom.Reachability.ViewModel(banner: Wording.banner(response.connection, dayText)))
    }

    public func presentTyping(response: Chatroom.Typing.Response) {
        trace(response)
        let book = book(of: response.people)
        let names = response.ids.map(book.name(of:))
        view?.displayTyping(viewModel: Chatroom.Typing.ViewModel(names: names, text: Wording.typing(names)))
    }

    public func presentDraft(response: Chatroom.Draft.Response) {
        trace(response)
        let counter = response.isNear ? "\(response.count) of \(response.limit) characters" : nil
        view?.displayDraft(
            viewModel: Chatroom.Draft.ViewModel(counterText: counter, left: response.limit - response.count))
    }

    public func presentSend(response: Chatroom.Send.Response) {
        trace(response)
        let failed: RemoteText = "The message was not sent"
        let outcome: Outcome =
            switch response.fault {
            case nil: .done(line: Wording.removed(response.removed))
            case .refused(let refusal)?:
                .failed(
                    line: Wording.refusal(
                        refusal, contact: title(nil, response.contactID, response.people)))
            case .tooLong(let count, let limit)?:
                .failed(
                    line: "\(failed): it has \(count) characters, and one here may have \(limit). Send it in parts.")
            case .chat(let error)?: .failed(line: Wording.failure(failed, Wording.explain(error)))
            }
        view?.displaySend(viewModel: Chatroom.OutcomeViewModel(outcome: outcome))
    }

    public func presentOlder(response: Chatroom.Older.Response) {
        trace(response)
        let viewModel: Chatroom.Older.ViewModel =
            switch response.result {
            case .shown(let messages, let oldest): .init(rows: rows(of: messages, above: oldest), outcome: .done())
            case .nothingOlder: .init(rows: [], outcome: .done(line: "There is nothing older."))
            case .failed(let error):
                .init(
                    rows: [],
                    outcome: .failed(
                        line: Wording.failure("Older messages were not fetched", Wording.explain(error))))
            }
        view?.displayOlder(viewModel: viewModel)
    }

    public func presentRetry(response: Chatroom.Retry.Response) {
        trace(response)
        let line: RemoteText? = response.count == 0 ? "There is nothing to send again." : nil
        view?.displayRetry(viewModel: Chatroom.OutcomeViewModel(outcome: .done(line: line)))
    }

    public func presentRead(response: Chatroom.Read.Response) {
        trace(response)
        view?.displayRead(
            viewModel: Chatroom.OutcomeViewModel(
                outcome: response.isOnTop
                    ? .done() : .failed(line: "Nothing was marked as read: the conversation is not on the screen.")))
    }

    public func presentMembers(response: Chatroom.Members.Response) {
        trace(response)
        let book = book(of: response.people)
        let now = environment.clock.now
        let rows = response.members.map { member in
            Chatroom.Members.ViewModel.Row(
                id: member.id, name: book.name(of: member.id),
                initials: Initials.of(member.displayName ?? RemoteText(member.id.localPart)),
                isOwn: member.id == response.ownID, standingText: Wording.standing(member.membership),
                presenceText: member.membership == .join
                    ? dayText.presence(response.presences[member.id], now: now) : nil)
        }
        view?.displayMembers(viewModel: Chatroom.Members.ViewModel(rows: rows))
    }

    public func presentFailure(response: Chatroom.Failure.Response) {
        trace(response)
        let what: RemoteText =
            if case .storage = response.error {
                Wording.notKept
            } else if response.isJoin {
                "The channel was not joined"
            } else { "The conversation is not shown in full" }
        view?.displayFailure(
            viewModel: Chatroom.Failure.ViewModel(line: Wording.failure(what, Wording.explain(response.error))))
    }

    public func presentAct(response: Chatroom.Act.Response) {
        trace(response)
        let outcome = outcome(of: response)
        view?.displayAct(viewModel: Chatroom.Act.ViewModel(isAsking: response.result == .asking, outcome: outcome))
    }

    private func outcome(of response: Chatroom.Act.Response) -> Outcome {
        let name = response.name
        return switch response.result {
        case .done: .done()
        case .invited(let id): .done(line: "\(book(of: response.people).name(of: id)) is invited to \(name).")
        case .asking:
            .done(line: "You are about to delete \(name) for everybody in it. Type confirm to go on, or dismiss.")
        case .cancelled: .done(line: "\(name) stays.")
        case .notAsked: .failed(line: "There is nothing to confirm.")
        case .noChannel: .failed(line: "This is no channel.")
        case .notCreator: .failed(line: "You can not delete this channel")
        case .general where response.kind == .leave: .failed(line: "You can not leave this channel")
        case .general: .failed(line: "You can not delete this channel")
        case .nobody(let who): .failed(line: "Nobody goes by \"\(who)\" here. Type a contact's name or an id.")
        case .ambiguous(let who, let ids):
            .failed(
                line: "Several people could be \"\(who)\": \(ids.map(\.raw).joined(separator: ", ")). Type the id.")
        case .failed(let error): .failed(line: Wording.failure(notDone(response), Wording.explain(error)))
        }
    }

    private func notDone(_ response: Chatroom.Act.Response) -> RemoteText {
        switch response.kind {
        case .leave: "You have not left \(response.name)"
        case .invite(let who): "\(who) was not invited"
        case .delete, .confirmDelete, .cancelDelete: "\(response.name) was not deleted"
        }
    }

    public func presentClose(response: Chatroom.Close.Response) {
        trace(response)
        let notice: RemoteText =
            switch response.reason {
            case .left: "You have left \(response.name)."
            case .removed: "You have been removed from \(response.name)."
            case .deleted:
                response.unfinished.map { Wording.unfinished(response.name, $0) }
                    ?? "The channel \(response.name) has been deleted."
            }
        view?.displayClose(viewModel: Chatroom.Close.ViewModel(notice: notice))
    }

    public func presentNotice(response: Chatroom.Notice.Response) {
        trace(response)
        view?.displayNotice(viewModel: Chatroom.Notice.ViewModel(line: response.notice))
    }

    private func title(
        _ channel: RemoteText?, _ contact: UserID?, _ people: [UserID: RemoteText]
    ) -> RemoteText {
        channel ?? contact.map { book(of: people).name(of: $0) } ?? ""
    }

    private func book(of people: [UserID: RemoteText]) -> NameBook {
        if people != book.people { book = NameBook(people) }
        return book
    }

    private func rows(of response: Chatroom.Messages.Response) -> [Chatroom.Row] {
        var rows = ConversationRows(
            book: book(of: response.people), ownID: response.ownID, dayText: dayText, now: environment.clock.now)
        return rows.rows(of: response)
    }

    /// The rows above the item `oldest`; all where there was none.
    private func rows(of response: Chatroom.Messages.Response, above oldest: EventID?) -> [Chatroom.Row] {
        let rows = rows(of: response)
        guard let item = response.items.first(where: { $0.id == oldest }),
            let end = rows.firstIndex(where: { $0.id == ConversationRows.rowID(of: item) })
        else { return rows }
        if end > 0, case .day = rows[end - 1] { return Array(rows[..<(end - 1)]) }
        return Array(rows[..<end])
    }
}
