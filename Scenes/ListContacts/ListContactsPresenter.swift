import Models
import Workers

/// What there is to tell about the list of contacts, not yet in words.
@MainActor
public protocol ListContactsPresentationLogic: AnyObject {
    func presentContacts(response: ListContacts.Fetch.Response)
    func presentFetch(response: ListContacts.Fetch.Ending)
    func presentReachability(response: ListContacts.Reachability.Response)
    func presentEvent(response: ListContacts.Event.Response)
    func presentCreate(response: ListContacts.Create.Response)
    func presentRemove(response: ListContacts.Remove.Response)
    func presentBlock(response: ListContacts.Block.Response)
    func presentSelect(response: ListContacts.Select.Response)
    func presentRename(response: ListContacts.Rename.Response)
    func presentChangePassword(response: ListContacts.ChangePassword.Response)
    func presentLogout(response: ListContacts.Logout.Response)
    func presentSessionEnd(response: ListContacts.SessionEnd.Response)
    func presentFailure(response: ListContacts.Failure.Response)
}

/// What a view of the list of contacts shows; the one part to replace for another kind of screen.
@MainActor
public protocol ListContactsDisplayLogic: AnyObject {
    /// The whole list, at every change of it.
    func displayContacts(viewModel: ListContacts.Fetch.ViewModel)
    func displayFetch(viewModel: ListContacts.OutcomeViewModel)
    func displayReachability(viewModel: ListContacts.Reachability.ViewModel)
    func displayEvent(viewModel: ListContacts.Event.ViewModel)
    func displayCreate(viewModel: ListContacts.OutcomeViewModel)
    func displayRemove(viewModel: ListContacts.OutcomeViewModel)
    func displayBlock(viewModel: ListContacts.OutcomeViewModel)
    /// Where done, the view routes to the chatroom.
    func displaySelect(viewModel: ListContacts.OutcomeViewModel)
    func displayRename(viewModel: ListContacts.OutcomeViewModel)
    func displayChangePassword(viewModel: ListContacts.OutcomeViewModel)
    /// Where logged out, the view routes to Welcome with the notice.
    func displayLogout(viewModel: ListContacts.Logout.ViewModel)
    /// The view routes to Login.
    func displaySessionEnd(viewModel: ListContacts.SessionEnd.ViewModel)
    func displayFailure(viewModel: ListContacts.Failure.ViewModel)
}

/// Puts responses into words. Whoever assembles the scene sets `view`, which is held weakly.
@MainActor
public final class ListContactsPresenter: ListContactsPresentationLogic {
    public weak var view: (any ListContactsDisplayLogic)?
    private let environment: Environment
    private let dayText: DayText
    private let trace: Trace
    /// Kept from one list to the next: names change rarely.
    private var book = NameBook([:])
    /// The last list and its rows: most rows of the next are the same.
    private var last = RowCache()

    public init(environment: Environment, trace: Trace = .off) {
        self.environment = environment
        dayText = DayText(zone: environment.timeZone)
        self.trace = trace
    }

    public func presentContacts(response: ListContacts.Fetch.Response) {
        trace(response)
        let rows = rows(of: response)
        let isEmpty = rows.isEmpty && !response.isLoading
        view?.displayContacts(
            viewModel: ListContacts.Fetch.ViewModel(
                ownName: book(of: response.people).name(of: response.own.chatID), ownID: response.own.chatID,
                rows: rows,
                emptyText: isEmpty ? "(no contacts yet)" : nil, isLoading: response.isLoading,
                isReload: response.isReload))
    }

    public func presentFetch(response: ListContacts.Fetch.Ending) {
        trace(response)
        view?.displayFetch(viewModel: outcome(response.error, failing: "The contacts were not fetched"))
    }

    public func presentReachability(response: ListContacts.Reachability.Response) {
        trace(response)
        view?.displayReachability(
            viewModel: ListContacts.Reachability.ViewModel(banner: Wording.banner(response.connection, dayText)))
    }

    public func presentEvent(response: ListContacts.Event.Response) {
        trace(response)
        let name = book(of: response.people).name(of: response.id)
        let line: RemoteText =
            switch response.kind {
            case .added: "\(name) is now a contact"
            case .addedAgain: "\(name) has been invited again"
            case .removed: "\(name) is no longer a contact"
            case .left: "\(name) has left"
            case .returned: "\(name) is back"
            case .joined: "\(name) has joined"
            case .renamed: "\(formerName(of: response)) is now called \(name)"
            }
        view?.displayEvent(viewModel: ListContacts.Event.ViewModel(kind: response.kind, id: response.id, line: line))
    }

    public func presentCreate(response: ListContacts.Create.Response) {
        trace(response)
        let identity = RemoteText(response.identity)
        let outcome: Outcome =
            switch response.fault {
            case nil: .done()
            case .missing?: .failed(line: "Nobody was added. Type an e-mail address or an id.")
            case .users(let error)?:
                .failed(line: Wording.failure("\(identity) was not added", Wording.explain(error)))
            }
        view?.displayCreate(viewModel: ListContacts.OutcomeViewModel(outcome: outcome, roomID: response.roomID))
    }

    public func presentRemove(response: ListContacts.Remove.Response) {
        trace(response)
        view?.displayRemove(
            viewModel: chosen(response.chosen) { name in
                response.error.map { .failed(line: Wording.failure("\(name) was not removed", Wording.explain($0))) }
                    ?? .done()
            })
    }

    public func presentBlock(response: ListContacts.Block.Response) {
        trace(response)
        let what = response.isBlocking ? "blocked" : "unblocked"
        let can = response.isBlocking ? "can neither add you nor write to you" : "can add you and write to you again"
        view?.displayBlock(
            viewModel: chosen(response.chosen) { name in
                response.error.map { .failed(line: Wording.failure("\(name) was not \(what)", Wording.explain($0))) }
                    ?? .done(line: "\(name) is \(what) and \(can).")
            })
    }

    public func presentSelect(response: ListContacts.Select.Response) {
        trace(response)
        view?.displaySelect(viewModel: chosen(response.chosen) { _ in .done() })
    }

    public func presentRename(response: ListContacts.Rename.Response) {
        trace(response)
        let failed: RemoteText = "Your name was not changed"
        let outcome: Outcome =
            switch response.fault {
            case nil: .done(line: "You are now called \(response.name ?? "").")
            case .unfit(let fault)?:
                .failed(line: "\(failed). \(Wording.explain(fault, of: "The name"))")
            case .users(let error)?: .failed(line: Wording.failure(failed, Wording.explain(error)))
            }
        view?.displayRename(viewModel: ListContacts.OutcomeViewModel(outcome: outcome))
    }

    public func presentChangePassword(response: ListContacts.ChangePassword.Response) {
        trace(response)
        let failed: RemoteText = "Your password was not changed"
        let outcome: Outcome =
            switch response.fault {
            case nil: .done(line: "Your password is changed. All other sessions have ended.")
            case .unfit(let fault)?:
                .failed(line: "\(failed). \(Wording.explain(fault, of: "The new password"))")
            case .users(let error)?: .failed(line: Wording.failure(failed, Wording.explain(error)))
            }
        view?.displayChangePassword(viewModel: ListContacts.OutcomeViewModel(outcome: outcome))
    }

    public func presentLogout(response: ListContacts.Logout.Response) {
        trace(response)
        view?.displayLogout(viewModel: Wording.logout(response.step))
    }

    public func presentSessionEnd(response: ListContacts.SessionEnd.Response) {
        trace(response)
        view?.displaySessionEnd(viewModel: ListContacts.SessionEnd.ViewModel())
    }

    public func presentFailure(response: ListContacts.Failure.Response) {
        trace(response)
        let what: RemoteText =
            if case .storage = response.error { Wording.notKept } else { "The contacts were not fetched" }
        view?.displayFailure(
            viewModel: ListContacts.Failure.ViewModel(line: Wording.failure(what, Wording.explain(response.error))))
    }
}

extension ListContactsPresenter {
    private func book(of people: [UserID: RemoteText]) -> NameBook {
        if people != book.people { book = NameBook(people) }
        return book
    }

    private func rows(of response: ListContacts.Fetch.Response) -> [ListContacts.Row] {
        let now = environment.clock.now
        let book = book(of: response.people)
        let day = dayText.dayNumber(now)
        let isUsable = last.people == response.people && last.day == day
        let rows = response.contacts.enumerated().map { index, standing in
            if isUsable, last.contacts.indices.contains(index), last.contacts[index] == standing {
                return last.rows[index]
            }
            return row(standing, number: index + 1, book: book, now: now)
        }
        last = RowCache(people: response.people, day: day, contacts: response.contacts, rows: rows)
        return rows
    }

    private struct RowCache {
        var people: [UserID: RemoteText] = [:]
        var day: Int?
        var contacts: [ListContacts.ContactStanding] = []
        var rows: [ListContacts.Row] = []
    }

    /// As it would be shown today: a former name could be somebody else's, too.
    private func formerName(of response: ListContacts.Event.Response) -> RemoteText {
        var people = response.people
        people[response.id] = response.formerName
        return NameBook(people).name(of: response.id)
    }

    private func row(
        _ standing: ListContacts.ContactStanding, number: Int, book: NameBook, now: Timestamp
    ) -> ListContacts.Row {
        ListContacts.Row(
            id: standing.id, number: number, name: book.name(of: standing.id),
            initials: Initials.of(
                Visible.hasAnything(standing.name.unsanitised) ? standing.name : RemoteText(standing.id.localPart)),
            presence: kind(standing.presence), presenceText: dayText.presence(standing.presence, now: now),
            isTyping: standing.isTyping, unreadCount: standing.unreadCount,
            lastMessage: standing.newest.map { preview($0, of: book.name(of: standing.id), now: now) },
            hasLeft: standing.hasLeft)
    }

    private func kind(_ presence: Presence?) -> ListContacts.Row.PresenceKind {
        switch presence?.state {
        case .online?: .online
        case .unavailable?: .unavailable
        case .offline?, nil: .offline
        }
    }

    private func preview(
        _ newest: ListContacts.ContactStanding.Newest, of name: RemoteText, now: Timestamp
    ) -> ListContacts.Row.Preview {
        let lines = Wording.body(of: newest.message).unsanitised.split(whereSeparator: \.isNewline)
        let first = RemoteText(lines.first { Visible.hasAnything(String($0)) }.map(String.init) ?? "")
        let who: RemoteText = newest.isOwn ? "You" : name
        return ListContacts.Row.Preview(
            text: newest.message.kind == .emote ? "* \(who) \(first)" : first, isOwn: newest.isOwn,
            timeText: dayText.short(newest.timestamp, now: now))
    }

    private func outcome(_ error: UsersError?, failing what: RemoteText) -> ListContacts.OutcomeViewModel {
        guard let error else { return ListContacts.OutcomeViewModel(outcome: .done()) }
        return ListContacts.OutcomeViewModel(
            outcome: .failed(line: Wording.failure(what, Wording.explain(error))))
    }

    /// Says who was meant where that is not clear; else what `ending` says of them.
    private func chosen(
        _ chosen: ListContacts.ChosenContact, _ ending: (RemoteText) -> Outcome
    ) -> ListContacts.OutcomeViewModel {
        switch chosen {
        case .found(let id, let roomID, let people):
            ListContacts.OutcomeViewModel(outcome: ending(book(of: people).name(of: id)), roomID: roomID)
        default: ListContacts.OutcomeViewModel(outcome: .failed(line: Wording.unclear(chosen)))
        }
    }
}
