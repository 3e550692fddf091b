import Models
import Testing
import Workers

@testable import Scenes

@MainActor
private final class ViewSpy: ListContactsDisplayLogic {
    enum Call: Equatable {
        case contacts(ListContacts.Fetch.ViewModel)
        case fetch(ListContacts.OutcomeViewModel)
        case reachability(Banner)
        case event(ListContacts.Event.ViewModel)
        case create(ListContacts.OutcomeViewModel)
        case remove(ListContacts.OutcomeViewModel)
        case block(ListContacts.OutcomeViewModel)
        case select(ListContacts.OutcomeViewModel)
        case rename(ListContacts.OutcomeViewModel)
        case changePassword(ListContacts.OutcomeViewModel)
        case logout(ListContacts.Logout.ViewModel)
        case sessionEnd
        case failure(RemoteText)
    }

    var calls: [Call] = []
    func displayContacts(viewModel: ListContacts.Fetch.ViewModel) { calls.append(.contacts(viewModel)) }
    func displayFetch(viewModel: ListContacts.OutcomeViewModel) { calls.append(.fetch(viewModel)) }
    func displayReachability(viewModel: ListContacts.Reachability.ViewModel) {
        calls.append(.reachability(viewModel.banner))
    }
    func displayEvent(viewModel: ListContacts.Event.ViewModel) { calls.append(.event(viewModel)) }
    func displayCreate(viewModel: ListContacts.OutcomeViewModel) { calls.append(.create(viewModel)) }
    func displayRemove(viewModel: ListContacts.OutcomeViewModel) { calls.append(.remove(viewModel)) }
    func displayBlock(viewModel: ListContacts.OutcomeViewModel) { calls.append(.block(viewModel)) }
    func displaySelect(viewModel: ListContacts.OutcomeViewModel) { calls.append(.select(viewModel)) }
    func displayRename(viewModel: ListContacts.OutcomeViewModel) { calls.append(.rename(viewModel)) }
    func displayChangePassword(viewModel: ListContacts.OutcomeViewModel) { calls.append(.changePassword(viewModel)) }
    func displayLogout(viewModel: ListContacts.Logout.ViewModel) { calls.append(.logout(viewModel)) }
    func displaySessionEnd(viewModel: ListContacts.SessionEnd.ViewModel) { calls.append(.sessionEnd) }
    func displayFailure(viewModel: ListContacts.Failure.ViewModel) { calls.append(.failure(viewModel.line)) }
}

@MainActor
@Suite("ListContactsPresenter")
struct ListContactsPresenterTests {
    private let view = ViewSpy()
    private let time = VirtualTime()
    private let presenter: ListContactsPresenter
    private let bob = Fixture.bob.chatID
    private let people: [UserID: RemoteText] = [Fixture.alice.chatID: "Alice", Fixture.bob.chatID: "Bob"]

    init() {
        presenter = ListContactsPresenter(environment: time.environment, trace: .off)
        presenter.view = view
    }

    private func list(
        _ contacts: [ListContacts.ContactStanding], people: [UserID: RemoteText]? = nil, isLoading: Bool = false
    ) -> ListContacts.Fetch.ViewModel? {
        presenter.presentContacts(
            response: .init(
                own: Fixture.alice, contacts: contacts, people: people ?? self.people, isLoading: isLoading,
                isReload: true))
        guard case .contacts(let viewModel) = view.calls.last else { return nil }
        return viewModel
    }

    private func standing(
        _ newest: ListContacts.ContactStanding.Newest? = nil, _ presence: Presence? = nil
    ) -> ListContacts.ContactStanding {
        .init(contact: Fixture.contact(Fixture.bob), presence: presence, newest: newest)
    }

    @Test("a row is all text, formatted")
    func row() {
        var contact = standing(
            .init(message: Message(body: "\n hello \nworld"), isOwn: false, timestamp: Fixture.now),
            Presence(state: .unavailable, lastActiveAt: Fixture.now + .seconds(-60)))
        contact.isTyping = true
        contact.unreadCount = 2
        contact.membership = .leave

        #expect(
            list([contact])
                == .init(
                    ownName: "Alice", ownID: Fixture.alice.chatID,
                    rows: [
                        .init(
                            id: bob, number: 1, name: "Bob", initials: "B", presence: .unavailable,
                            presenceText: "last seen 08:59", isTyping: true, unreadCount: 2,
                            lastMessage: .init(text: " hello ", isOwn: false, timeText: "09:00"), hasLeft: true)
                    ], isReload: true))
    }

    @Test("an empty list says so, once it is known to be empty")
    func empty() {
        #expect(list([])?.emptyText == "(no contacts yet)")
        #expect(list([], isLoading: true)?.emptyText == nil)
        #expect(list([standing()])?.emptyText == nil)
    }

    @Test(
        "previews tell one's own, emotes, other days and unknown times",
        arguments: [
            (Message.Kind.text, true, Fixture.now + .seconds(-86_400) as Timestamp?, "waves", "January 4"),
            (.emote, false, Fixture.now, "* Bob waves", "09:00"), (.emote, true, nil, "* You waves", "unknown time"),
        ])
    func preview(_ kind: Message.Kind, _ isOwn: Bool, _ timestamp: Timestamp?, _ text: String, _ time: String) {
        let newest = ListContacts.ContactStanding.Newest(
            message: Message(kind: kind, body: "waves"), isOwn: isOwn, timestamp: timestamp)

        #expect(
            list([standing(newest)])?.rows.first?.lastMessage
                == .init(text: RemoteText(text), isOwn: isOwn, timeText: time))
    }

    @Test("a body of nothing leaves an empty preview")
    func emptyPreview() {
        let newest = ListContacts.ContactStanding.Newest(
            message: Message(body: ""), isOwn: false, timestamp: Fixture.now)

        #expect(list([standing(newest)])?.rows.first?.lastMessage?.text == "")
    }

    @Test(
        "presence is told by kind and text",
        arguments: [
            (Presence?.none, ListContacts.Row.PresenceKind.offline, "offline"),
            (Presence(state: .online), .online, "online"), (Presence(state: .unavailable), .unavailable, "away"),
        ])
    func presence(_ presence: Presence?, _ kind: ListContacts.Row.PresenceKind, _ text: String) {
        let row = list([standing(nil, presence)])?.rows.first

        #expect(row?.presence == kind)
        #expect(row?.presenceText == text)
    }

    @Test("a contact who goes by one's own name shows the id, and so does one's own")
    func ownNamesake() {
        let viewModel = list([standing()], people: [Fixture.alice.chatID: "B0b", bob: "Bob"])

        #expect(viewModel?.rows.first?.name == "Bob (@bob:words.test)")
        #expect(viewModel?.ownName == "B0b (@alice:words.test)")
        #expect(viewModel?.rows.first?.initials == "B")
    }

    @Test("a contact without a visible name goes by id, with the initial of the id")
    func nameless() {
        let nobody = Fixture.user("zed", name: "\u{200B}")
        let row = list(
            [.init(contact: Fixture.contact(nobody))], people: [nobody.chatID: "\u{200B}"])?.rows.first

        #expect(row?.name == "@zed:words.test")
        #expect(row?.initials == "Z")
    }

    @Test(
        "each happening is one line",
        arguments: [
            (ListContacts.Event.Kind.added, "Bob is now a contact"), (.addedAgain, "Bob has been invited again"),
            (.removed, "Bob is no longer a contact"), (.left, "Bob has left"), (.returned, "Bob is back"),
            (.joined, "Bob has joined"), (.renamed, "Rob is now called Bob"),
        ])
    func event(_ kind: ListContacts.Event.Kind, _ line: String) {
        presenter.presentEvent(response: .init(kind: kind, id: bob, formerName: "Rob", people: people))

        #expect(view.calls == [.event(.init(kind: kind, id: bob, line: RemoteText(line)))])
    }

    @Test("a former name that is somebody else's shows whose it was")
    func formerNamesake() {
        let mallory = UserID("@mallory:words.test")

        presenter.presentEvent(
            response: .init(
                kind: .renamed, id: mallory, formerName: "B0b", people: [bob: "Bob", mallory: "Mallory"]))

        #expect(
            view.calls == [
                .event(
                    .init(kind: .renamed, id: mallory, line: "B0b (@mallory:words.test) is now called Mallory"))
            ])
    }

    @Test("adding says why it failed, by what was typed")
    func create() {
        let refusal = UsersError.invalid(message: "", fields: ["user_id": ["Nobody has that address."]])

        presenter.presentCreate(response: .init(identity: "cy@words.test", roomID: Fixture.room))
        presenter.presentCreate(response: .init(identity: "cy@words.test", fault: .users(refusal)))
        presenter.presentCreate(response: .init(identity: "", fault: .missing))

        #expect(
            view.calls == [
                .create(.init(outcome: .done(), roomID: Fixture.room)),
                .create(.init(outcome: .failed(line: "cy@words.test was not added: Nobody has that address."))),
                .create(.init(outcome: .failed(line: "Nobody was added. Type an e-mail address or an id."))),
            ])
    }

    @Test("removing, blocking and choosing tell whom they were about")
    func chosen() {
        let found = ListContacts.ChosenContact.found(bob, Fixture.room, people: people)

        presenter.presentRemove(response: .init(chosen: found))
        presenter.presentRemove(response: .init(chosen: found, error: .refused("No.")))
        presenter.presentBlock(response: .init(chosen: found, isBlocking: true))
        presenter.presentBlock(response: .init(chosen: found, isBlocking: false))
        presenter.presentBlock(response: .init(chosen: found, isBlocking: true, error: .refused("No.")))
        presenter.presentSelect(response: .init(chosen: found))
        presenter.presentSelect(response: .init(chosen: .noSuchRow(2, count: 1)))

        #expect(
            view.calls == [
                .remove(.init(outcome: .done(), roomID: Fixture.room)),
                .remove(.init(outcome: .failed(line: "Bob was not removed: No."), roomID: Fixture.room)),
                .block(
                    .init(
                        outcome: .done(line: "Bob is blocked and can neither add you nor write to you."),
                        roomID: Fixture.room)),
                .block(
                    .init(
                        outcome: .done(line: "Bob is unblocked and can add you and write to you again."),
                        roomID: Fixture.room)),
                .block(.init(outcome: .failed(line: "Bob was not blocked: No."), roomID: Fixture.room)),
                .select(.init(outcome: .done(), roomID: Fixture.room)),
                .select(.init(outcome: .failed(line: "There is no contact 2: the last is 1."))),
            ])
    }

    @Test("changes of one's own account are told, and why they failed")
    func account() {
        presenter.presentRename(response: .init(name: "Al"))
        presenter.presentRename(response: .init(fault: .unfit(.missing)))
        presenter.presentRename(response: .init(fault: .users(.refused("No."))))
        presenter.presentChangePassword(response: .init())
        presenter.presentChangePassword(response: .init(fault: .unfit(.length(6...1_024))))
        presenter.presentChangePassword(response: .init(fault: .users(.refused("No."))))

        #expect(
            view.calls == [
                .rename(.init(outcome: .done(line: "You are now called Al."))),
                .rename(.init(outcome: .failed(line: "Your name was not changed. The name is required."))),
                .rename(.init(outcome: .failed(line: "Your name was not changed: No."))),
                .changePassword(
                    .init(outcome: .done(line: "Your password is changed. All other sessions have ended."))),
                .changePassword(
                    .init(
                        outcome: .failed(
                            line: "Your password was not changed. The new password must have 6 to 1,024 bytes."))),
                .changePassword(.init(outcome: .failed(line: "Your password was not changed: No."))),
            ])
    }

    @Test("what remains is passed through in words")
    func others() {
        presenter.presentFetch(response: .init(error: nil))
        presenter.presentFetch(response: .init(error: .network(.timedOut)))
        presenter.presentFailure(response: .init(error: .refused("No.")))
        presenter.presentReachability(response: .init(connection: .connecting))
        presenter.presentSessionEnd(response: .init(reason: .sessionEnded))
        presenter.presentLogout(response: .init(step: .confirm(unsent: 0)))

        #expect(
            view.calls == [
                .fetch(.init(outcome: .done())),
                .fetch(
                    .init(
                        outcome: .failed(
                            line: "The contacts were not fetched: the server did not answer in time. Try again."))),
                .failure("The contacts were not fetched: No."),
                .reachability(Banner(kind: .connecting, text: "Connecting …")), .sessionEnd,
                .logout(.init(step: .confirm, title: "You are about to log out")),
            ])
    }
}
