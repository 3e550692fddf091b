import Models
import Testing
import Workers

@testable import Scenes

@MainActor
private final class ViewSpy: ListChannelsDisplayLogic {
    enum Call: Equatable {
        case channels(ListChannels.Fetch.ViewModel)
        case reachability(Banner)
        case event(ListChannels.Event.ViewModel)
        case outcome(ListChannels.OutcomeViewModel)
        case confirmation(ListChannels.Confirmation.ViewModel)
        case select(ListChannels.OutcomeViewModel)
        case logout(ListContacts.Logout.ViewModel)
        case sessionEnd
        case failure(RemoteText)
    }

    var calls: [Call] = []
    func displayChannels(viewModel: ListChannels.Fetch.ViewModel) { calls.append(.channels(viewModel)) }
    func displayReachability(viewModel: ListChannels.Reachability.ViewModel) {
        calls.append(.reachability(viewModel.banner))
    }
    func displayEvent(viewModel: ListChannels.Event.ViewModel) { calls.append(.event(viewModel)) }
    func displayOutcome(viewModel: ListChannels.OutcomeViewModel) { calls.append(.outcome(viewModel)) }
    func displayConfirmation(viewModel: ListChannels.Confirmation.ViewModel) { calls.append(.confirmation(viewModel)) }
    func displaySelect(viewModel: ListChannels.OutcomeViewModel) { calls.append(.select(viewModel)) }
    func displayLogout(viewModel: ListContacts.Logout.ViewModel) { calls.append(.logout(viewModel)) }
    func displaySessionEnd(viewModel: ListContacts.SessionEnd.ViewModel) { calls.append(.sessionEnd) }
    func displayFailure(viewModel: ListChannels.Failure.ViewModel) { calls.append(.failure(viewModel.line)) }
}

@MainActor
@Suite("ListChannelsPresenter")
struct ListChannelsPresenterTests {
    private let view = ViewSpy()
    private let presenter: ListChannelsPresenter
    private let alice = Fixture.alice.chatID
    private let bob = Fixture.bob.chatID
    private let tea = ListChannels.ChannelStanding(id: RoomID("!tea"), name: "Tea", kind: .joined)

    init() {
        presenter = ListChannelsPresenter(environment: VirtualTime().environment)
        presenter.view = view
    }

    private func list(
        _ channels: [ListChannels.ChannelStanding], people: [UserID: RemoteText] = [:], isLoading: Bool = false
    ) -> ListChannels.Fetch.ViewModel? {
        presenter.presentChannels(
            response: .init(
                channels: channels, people: people, ownID: alice, isLoading: isLoading, isReload: true,
                ownName: "Alice"))
        guard case .channels(let viewModel) = view.calls.last else { return nil }
        return viewModel
    }

    private var ended: Outcome? {
        guard case .outcome(let viewModel) = view.calls.last else { return nil }
        return viewModel.outcome
    }

    @Test("a row is all text, formatted")
    func row() {
        var channel = tea
        (channel.creator, channel.memberCount, channel.unreadCount) = (bob, 3, 2)

        let viewModel = list([channel], people: [bob: "Bob"])

        #expect(
            viewModel
                == .init(
                    ownName: "Alice",
                    rows: [
                        .init(
                            id: RoomID("!tea"), number: 1, name: "Tea", kind: .joined, standingText: "joined, public",
                            membersText: "3 members", creatorText: "by Bob", unreadCount: 2)
                    ], isReload: true))
    }

    @Test(
        "each standing has its words",
        arguments: [
            (ListChannels.Row.Kind.joined, false, "joined, public"), (.joined, true, "joined, private"),
            (.open, false, "public"), (.invited, true, "invited by Bob"),
        ])
    func standings(_ kind: ListChannels.Row.Kind, _ isPrivate: Bool, _ words: String) {
        var channel = tea
        (channel.kind, channel.isPrivate, channel.inviter) = (kind, isPrivate, kind == .invited ? bob : nil)

        #expect(list([channel], people: [bob: "Bob"])?.rows.first?.standingText == RemoteText(words))
    }

    @Test("an invitation of nobody knows whom is one all the same")
    func invitedByNobody() {
        #expect(list([.init(id: RoomID("!a"), kind: .invited)])?.rows.first?.standingText == "invited")
    }

    @Test("what nobody knows is left out, one's own channel is by you, and one member is one")
    func sparse() {
        var own = tea
        (own.creator, own.memberCount) = (alice, 1)

        let rows = list([.init(id: RoomID("!a"), kind: .open), own])?.rows

        #expect(rows?.map(\.name) == ["(no name)", "Tea"])
        #expect(rows?.map(\.creatorText) == [nil, "by you"])
        #expect(rows?.map(\.membersText) == ["", "1 member"])
        #expect(rows?.map(\.number) == [1, 2])
    }

    @Test("who goes by another's name shows the id too")
    func namesakes() {
        var channel = tea
        channel.creator = bob

        let rows = list([channel], people: [bob: "Bob", UserID("@b0b:words.test"): "B0b"])?.rows

        #expect(rows?.first?.creatorText == "by Bob (@bob:words.test)")
    }

    @Test("an empty list says so once it is known to be empty")
    func empty() {
        #expect(list([], isLoading: true) == .init(ownName: "Alice", rows: [], isLoading: true, isReload: true))
        #expect(list([]) == .init(ownName: "Alice", rows: [], emptyText: "(no channels yet)", isReload: true))
    }

    @Test(
        "each event is one line",
        arguments: [
            (ListChannels.Event.Kind.added, "Tea is now a channel"), (.invited, "Bob invites you to Tea"),
            (.joined, "You have joined Tea"), (.left, "You have left Tea"), (.renamed, "Chai is now called Tea"),
            (.removed, "Tea is not in your list any more"), (.deleted, "Tea has been deleted"),
        ])
    func events(_ kind: ListChannels.Event.Kind, _ line: String) {
        var channel = tea
        channel.inviter = bob

        presenter.presentEvent(
            response: .init(kind: kind, channel: channel, formerName: "Chai", people: [bob: "Bob"]))

        #expect(view.calls == [.event(.init(kind: kind, line: RemoteText(line)))])
    }

    @Test("an invitation of nobody knows whom is a line, too")
    func invitedEvent() {
        presenter.presentEvent(response: .init(kind: .invited, channel: tea, people: [:]))

        #expect(view.calls == [.event(.init(kind: .invited, line: "You are invited to Tea"))])
    }

    @Test("a channel that was made bears the id of its room")
    func created() {
        presenter.presentCreate(response: .init(name: "Tea", roomID: tea.id))

        #expect(view.calls == [.outcome(.init(outcome: .done(), roomID: tea.id))])
    }

    @Test(
        "why none was made is said, and what to do",
        arguments: [
            (ListChannels.CreateFault.missing, "No channel was made. Enter a name for this channel."),
            (.tooLong(limit: 64), "No channel was made: a name may have at most 64 characters."),
            (.reserved, #""Tea" was not made: the name is that of the channel for everybody."#),
            (.taken, #""Tea" was not made: the name is taken. Choose another one."#),
            (.chat(.refused("No.")), #""Tea" was not made: No."#),
        ])
    func notCreated(_ fault: ListChannels.CreateFault, _ line: String) {
        presenter.presentCreate(response: .init(name: "Tea", fault: fault))

        #expect(ended == .failed(line: RemoteText(line)))
    }

    @Test(
        "why nothing was done with a channel is said",
        arguments: [
            (ListChannels.Act.Kind.accept, ListChannels.ActFault.notInvited, "You are not invited to Tea."),
            (.join, .isInvited, "You are invited to Tea: accept or decline."),
            (.delete, .notCreator, "You can not delete this channel"),
            (.delete, .general, "You can not delete this channel"),
            (.join, .chat(.refused("No.")), "You have not joined Tea: No."),
            (.accept, .chat(.refused("No.")), "The invitation to Tea was not accepted: No."),
            (.decline, .chat(.refused("No.")), "The invitation to Tea was not declined: No."),
            (.delete, .chat(.refused("No.")), "Tea was not deleted: No."),
        ])
    func notDone(_ kind: ListChannels.Act.Kind, _ fault: ListChannels.ActFault, _ line: String) {
        presenter.presentAct(response: .init(kind: kind, chosen: .found(tea), fault: fault))

        #expect(ended == .failed(line: RemoteText(line)))
    }

    @Test("what was done says nothing; a deletion that was cut off says what is still to come")
    func done() {
        presenter.presentAct(response: .init(kind: .join, chosen: .found(tea)))
        #expect(view.calls == [.outcome(.init(outcome: .done(), roomID: tea.id))])

        presenter.presentAct(
            response: .init(kind: .delete, chosen: .found(tea), unfinished: .network(.interrupted)))
        guard case .done(let line?) = ended else { return #expect(Bool(false)) }
        #expect(line.unsanitised.hasPrefix("Tea is deleted, but not everybody has been removed yet: "))
        #expect(line.unsanitised.hasSuffix(". That is finished by itself."))
    }

    @Test(
        "which channel was not clear is said, for opening and for everything else",
        arguments: [
            (ListChannels.ChosenChannel.none(" "), "Say which: a name or the number of a row."),
            (.none("Coffee"), #"There is no channel "Coffee" here."#),
            (
                .ambiguous("Tea", [RoomID("!a"), RoomID("!b")]),
                #"Several channels are called "Tea": !a, !b. Type the id."#
            ),
            (.noSuchRow(2, count: 0), "There is no channel 2: there are none yet."),
            (.noSuchRow(9, count: 3), "There is no channel 9: the last is 3."),
        ])
    func unclear(_ chosen: ListChannels.ChosenChannel, _ line: String) {
        presenter.presentAct(response: .init(kind: .join, chosen: chosen))
        presenter.presentSelect(response: .init(chosen: chosen))

        let outcome = ListChannels.OutcomeViewModel(outcome: .failed(line: RemoteText(line)))
        #expect(view.calls == [.outcome(outcome), .select(outcome)])
    }

    @Test("the channel that was chosen leads on")
    func select() {
        presenter.presentSelect(response: .init(chosen: .found(tea)))

        #expect(view.calls == [.select(.init(outcome: .done(), roomID: tea.id))])
    }

    @Test("deleting is asked for by name, and taking that back says that the channel stays")
    func confirmation() {
        presenter.presentConfirmation(response: .init(channel: tea))
        presenter.presentConfirmation(response: .init(channel: tea, isCancelled: true))

        #expect(
            view.calls == [
                .confirmation(
                    .init(isAsking: true, outcome: .done(line: "You are about to delete Tea for everybody in it."))),
                .confirmation(.init(isAsking: false, outcome: .done(line: "Tea stays."))),
            ])
    }

    @Test("how a refresh ended is said; of two failures, both")
    func refresh() {
        presenter.presentFetch(response: .init(failures: []))
        presenter.presentFetch(
            response: .init(failures: [
                .init(what: .general, error: .refused("No.")), .init(what: .list, error: .refused("No.")),
            ]))

        #expect(
            view.calls == [
                .outcome(.init(outcome: .done())),
                .outcome(
                    .init(
                        outcome: .failed(
                            line: "Could not join General channel: No. refresh tries again."))),
                .outcome(
                    .init(
                        outcome: .failed(
                            line: "The public channels were not fetched: No. refresh tries again."))
                ),
            ])
    }

    @Test(
        "one piece of advice is given: to refresh, or what has to come before",
        arguments: [
            (NetworkFault.timedOut, "the server did not answer in time. refresh tries again."),
            (.limited(retryAfter: .seconds(2)), "there were too many tries. Try again in 2 seconds."),
        ] as [(NetworkFault, String)])
    func advice(_ fault: NetworkFault, _ words: String) {
        presenter.presentFailure(response: .init(what: .general, error: .network(fault)))

        #expect(view.calls == [.failure(RemoteText("Could not join General channel: \(words)"))])
    }

    @Test("a failure that nobody asked for is a line, too, and says how to try again")
    func failure() {
        presenter.presentFailure(response: .init(what: .general, error: .refused("No.")))

        #expect(
            view.calls == [
                .failure("Could not join General channel: No. refresh tries again.")
            ])
    }

    @Test("the rest is passed on in words")
    func rest() {
        presenter.presentReachability(response: .init(connection: .online))
        presenter.presentLogout(response: .init(step: .confirm(unsent: 1)))
        presenter.presentNotice(response: .init(notice: "You have left Tea."))
        presenter.presentSessionEnd(response: .init(reason: .sessionEnded))

        #expect(
            view.calls == [
                .reachability(Banner(kind: .online)),
                .logout(
                    .init(
                        step: .confirm, title: "You are about to log out",
                        message: "1 message has not been sent and will be lost.")),
                .outcome(.init(outcome: .done(line: "You have left Tea."))), .sessionEnd,
            ])
    }
}
