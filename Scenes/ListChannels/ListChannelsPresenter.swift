import Models
import Workers

/// What there is to tell about the list of channels, not yet in words.
@MainActor
public protocol ListChannelsPresentationLogic: AnyObject {
    func presentChannels(response: ListChannels.Fetch.Response)
    func presentFetch(response: ListChannels.Fetch.Ending)
    func presentReachability(response: ListChannels.Reachability.Response)
    func presentEvent(response: ListChannels.Event.Response)
    func presentCreate(response: ListChannels.Create.Response)
    func presentAct(response: ListChannels.Act.Response)
    func presentConfirmation(response: ListChannels.Confirmation.Response)
    func presentSelect(response: ListChannels.Select.Response)
    func presentLogout(response: ListContacts.Logout.Response)
    func presentSessionEnd(response: ListContacts.SessionEnd.Response)
    func presentNotice(response: ListChannels.Notice.Response)
    func presentFailure(response: ListChannels.Failure.Response)
}

/// What a view of the list of channels shows; the one part to replace for another kind of screen.
@MainActor
public protocol ListChannelsDisplayLogic: AnyObject {
    /// The whole list, at every change of it.
    func displayChannels(viewModel: ListChannels.Fetch.ViewModel)
    func displayReachability(viewModel: ListChannels.Reachability.ViewModel)
    func displayEvent(viewModel: ListChannels.Event.ViewModel)
    /// How a request has ended that leads nowhere else.
    func displayOutcome(viewModel: ListChannels.OutcomeViewModel)
    func displayConfirmation(viewModel: ListChannels.Confirmation.ViewModel)
    /// Where done, the view routes to the chatroom.
    func displaySelect(viewModel: ListChannels.OutcomeViewModel)
    /// Where logged out, the view routes to Welcome with the notice.
    func displayLogout(viewModel: ListContacts.Logout.ViewModel)
    /// The view routes to Login.
    func displaySessionEnd(viewModel: ListContacts.SessionEnd.ViewModel)
    func displayFailure(viewModel: ListChannels.Failure.ViewModel)
}

/// Puts responses into words. Whoever assembles the scene sets `view`, which is held weakly.
@MainActor
public final class ListChannelsPresenter: ListChannelsPresentationLogic {
    public weak var view: (any ListChannelsDisplayLogic)?
    private let environment: Environment
    private let trace: Trace

    public init(environment: Environment, trace: Trace = .off) {
        self.environment = environment
        self.trace = trace
    }

    public func presentChannels(response: ListChannels.Fetch.Response) {
        trace(response)
        let book = NameBook(response.people)
        let rows = response.channels.enumerated().map { row($1, number: $0 + 1, book, response.ownID) }
        let isEmpty = rows.isEmpty && !response.isLoading
        view?.displayChannels(
            viewModel: ListChannels.Fetch.ViewModel(
                ownName: response.ownName, rows: rows, emptyText: isEmpty ? "(no channels yet)" : nil,
                isLoading: response.isLoading,
                isReload: response.isReload))
    }

    private func row(
        _ channel: ListChannels.ChannelStanding, number: Int, _ book: NameBook, _ ownID: UserID
    ) -> ListChannels.Row {
        let access: RemoteText = channel.isPrivate ? "private" : "public"
        let standing: RemoteText =
            switch channel.kind {
            case .joined: "joined, \(access)"
            case .open: "public"
            case .invited: channel.inviter.map { "invited by \(book.name(of: $0))" } ?? "invited"
            }
        let members = channel.memberCount.map { $0 == 1 ? "1 member" : "\($0) members" }
        return ListChannels.Row(
            id: channel.id, number: number, name: channel.shownName, kind: channel.kind, isPrivate: channel.isPrivate,
            standingText: standing, membersText: members ?? "",
            creatorText: channel.creator.map { $0 == ownID ? "by you" : "by \(book.name(of: $0))" },
            unreadCount: channel.unreadCount)
    }

    public func presentFetch(response: ListChannels.Fetch.Ending) {
        trace(response)
        for failure in response.failures.dropLast() { end(.failed(line: line(of: failure))) }
        end(response.failures.last.map { .failed(line: line(of: $0)) } ?? .done())
    }

    public func presentReachability(response: ListChannels.Reachability.Response) {
        trace(response)
        let banner = Wording.banner(response.connection, DayText(zone: environment.timeZone))
        view?.displayReachability(viewModel: ListChannels.Reachability.ViewModel(banner: banner))
    }

    public func presentEvent(response: ListChannels.Event.Response) {
        trace(response)
        let name = response.channel.shownName
        let book = NameBook(response.people)
        let line: RemoteText =
            switch response.kind {
            case .added: "\(name) is now a channel"
            case .invited:
                response.channel.inviter.map { "\(book.name(of: $0)) invites you to \(name)" }
                    ?? "You are invited to \(name)"
            case .joined: "You have joined \(name)"
            case .left: "You have left \(name)"
            case .renamed: "\(response.formerName ?? "") is now called \(name)"
            case .removed: "\(name) is not in your list any more"
            case .deleted: "\(name) has been deleted"
            }
        view?.displayEvent(viewModel: ListChannels.Event.ViewModel(kind: response.kind, line: line))
    }

    public func presentCreate(response: ListChannels.Create.Response) {
        trace(response)
        let outcome: Outcome =
            switch response.fault {
            case nil: .done()
            case .missing?: .failed(line: "No channel was made. Enter a name for this channel.")
            case .tooLong(let limit)?:
                .failed(line: "No channel was made: a name may have at most \(limit) characters.")
            case .reserved?:
                .failed(line: "\"\(response.name)\" was not made: the name is that of the channel for everybody.")
            case .taken?: .failed(line: "\"\(response.name)\" was not made: the name is taken. Choose another one.")
            case .chat(let error)?:
                .failed(line: Wording.failure("\"\(response.name)\" was not made", Wording.explain(error)))
            }
        end(outcome, response.roomID)
    }

    public func presentAct(response: ListChannels.Act.Response) {
        trace(response)
        guard case .found(let channel) = response.chosen else { return end(.failed(line: unclear(response.chosen))) }
        let name = channel.shownName
        let outcome: Outcome =
            switch response.fault {
            case nil:
                response.unfinished.map { .done(line: Wording.unfinished(name, $0)) } ?? .done()
            case .notInvited?: .failed(line: "You are not invited to \(name).")
            case .isInvited?: .failed(line: "You are invited to \(name): accept or decline.")
            case .notCreator?, .general?: .failed(line: "You can not delete this channel")
            case .chat(let error)?:
                .failed(line: Wording.failure(notDone(response.kind, name), Wording.explain(error)))
            }
        end(outcome, channel.id)
    }

    private func notDone(_ kind: ListChannels.Act.Kind, _ name: RemoteText) -> RemoteText {
        switch kind {
        case .join: "You have not joined \(name)"
        case .accept: "The invitation to \(name) was not accepted"
        case .decline: "The invitation to \(name) was not declined"
        case .delete: "\(name) was not deleted"
        }
    }

    public func presentConfirmation(response: ListChannels.Confirmation.Response) {
        trace(response)
        let name = response.channel?.shownName ?? ""
        let line: RemoteText =
            response.isCancelled ? "\(name) stays." : "You are about to delete \(name) for everybody in it."
        view?.displayConfirmation(
            viewModel: ListChannels.Confirmation.ViewModel(isAsking: !response.isCancelled, outcome: .done(line: line)))
    }

    public func presentSelect(response: ListChannels.Select.Response) {
        trace(response)
        guard case .found(let channel) = response.chosen else {
            view?.displaySelect(viewModel: .init(outcome: .failed(line: unclear(response.chosen))))
            return
        }
        view?.displaySelect(viewModel: .init(outcome: .done(), roomID: channel.id))
    }

    public func presentLogout(response: ListContacts.Logout.Response) {
        trace(response)
        view?.displayLogout(viewModel: Wording.logout(response.step))
    }

    public func presentSessionEnd(response: ListContacts.SessionEnd.Response) {
        trace(response)
        view?.displaySessionEnd(viewModel: ListContacts.SessionEnd.ViewModel())
    }

    public func presentNotice(response: ListChannels.Notice.Response) {
        trace(response)
        end(.done(line: response.notice))
    }

    public func presentFailure(response: ListChannels.Failure.Response) {
        trace(response)
        view?.displayFailure(viewModel: ListChannels.Failure.ViewModel(line: line(of: response)))
    }

    private func line(of failure: ListChannels.Failure.Response) -> RemoteText {
        let what: RemoteText =
            switch failure.what {
            case .general: "Could not join General channel"
            case .list: "The public channels were not fetched"
            }
        var explanation = Wording.explain(failure.error)
        switch failure.error {
        // Trying again at once would be in vain.
        case .network(.limited), .network(.untrusted): break
        default: explanation.advice = "refresh tries again."
        }
        return Wording.failure(what, explanation)
    }

    private func end(_ outcome: Outcome, _ roomID: RoomID? = nil) {
        view?.displayOutcome(viewModel: ListChannels.OutcomeViewModel(outcome: outcome, roomID: roomID))
    }

    private func unclear(_ choice: ListChannels.ChosenChannel) -> RemoteText {
        switch choice {
        case .found(let channel): channel.shownName
        case .none(let text) where !Visible.hasAnything(text): "Say which: a name or the number of a row."
        case .none(let text): "There is no channel \"\(text)\" here."
        case .ambiguous(let text, let rooms):
            "Several channels are called \"\(text)\": \(rooms.map(\.raw).joined(separator: ", ")). Type the id."
        case .noSuchRow(let number, let count):
            count == 0
                ? "There is no channel \(number): there are none yet."
                : "There is no channel \(number): the last is \(count)."
        }
    }
}
