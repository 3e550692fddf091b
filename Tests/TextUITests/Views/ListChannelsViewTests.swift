import Models
import Scenes
import Testing
import TextSnapshots

@testable import TextUI

@MainActor
@Suite("ListChannelsView")
struct ListChannelsViewTests {
    private let fixture = ViewFixture(width: 72)
    private var log: CallLog { fixture.log }

    private func shown(_ list: ListChannels.Fetch.ViewModel = Sample.channels) -> ListChannelsView {
        let view = fixture.channels()
        view.displayChannels(viewModel: list)
        _ = view.takeLines()
        return view
    }

    @Test("each command becomes its request")
    func requests() async throws {
        let view = fixture.channels()
        await view.start()
        for line in [
            #"open "Tea""#, "open 2", #"create "Tea""#, #"create "Plans" private"#, #"join "Tea""#,
            #"accept "Tea""#, #"decline "Tea""#, #"delete "Tea""#, "refresh", "logout", "confirm",
        ] {
            _ = await view.perform(try Command(parsing: line))
        }
        view.leave()

        #expect(
            log.calls == [
                .startChannels, .selectChannel("Tea"), .selectChannel("2"), .createChannel("Tea", false),
                .createChannel("Plans", true), .actOnList(.join, "Tea"), .actOnList(.accept, "Tea"),
                .actOnList(.decline, "Tea"), .actOnList(.delete, "Tea"), .fetchChannels, .logout, .confirm, .leave,
            ])
    }

    @Test("a channel is private or it is not: any other word makes none")
    func access() async {
        let view = shown()

        let outcome = await view.perform(Command(name: "create", positional: ["Tea", "secret"]))

        #expect(outcome == .failed(reason: "create takes a name and, where it is to be so, private."))
        #expect(log.calls.isEmpty)
    }

    @Test("contacts leads there; channels prints the list again")
    func lists() async throws {
        let view = shown(Sample.channelList([Sample.channel(1, "Tea")]))

        _ = await view.perform(Command(name: "channels"))
        try TextSnapshot().compare(view.takeLines().texts, with: "Channels\n  1  Tea  joined, public")
        _ = await view.perform(Command(name: "contacts"))

        #expect(log.calls == [.toListContacts])
    }

    @Test("on entry the list is printed once, as it stands when it is asked for")
    func entry() throws {
        let view = fixture.channels()
        view.displayChannels(viewModel: Sample.channelList([], isLoading: true))
        view.displayChannels(viewModel: Sample.channels)

        try TextSnapshot().compare(
            view.takeLines().texts,
            with: """
                Channels
                  1  Cocoa            public, 1 member, by Bob
                  2  General Channel  joined, public, 3 members, by Bob, 2 new
                  3  Plans            invited by Bob
                  4  Tea              joined, private, 2 members, by you
                """)
        #expect(view.takeLines().isEmpty)
    }

    @Test("until the first view model has come it is loading")
    func loading() {
        let view = fixture.channels()

        #expect(view.screen.texts == ["Channels", "  (loading)"])
        #expect(view.promptTitle.text == "Channels")
    }

    @Test("unread counts change the screen and the prompt, not what is printed")
    func silent() {
        let view = shown(Sample.channelList([Sample.channel(1, "Tea")]))
        var changed = Sample.channelList([Sample.channel(1, "Tea", unread: 3)])
        changed.isReload = false

        view.displayChannels(viewModel: changed)

        #expect(view.takeLines().isEmpty)
        #expect(view.screen.texts == ["Channels", "  1  Tea  joined, public, 3 new"])
        #expect(view.promptTitle.text == "Channels (3 unread)")
    }

    @Test("an event prints one line; the list is printed again only when it is loaded as a whole")
    func events() {
        let view = shown()
        var changed = Sample.channelList([Sample.channel(1, "Tea")])
        changed.isReload = false

        view.displayChannels(viewModel: changed)
        view.displayEvent(viewModel: .init(kind: .added, line: "Tea is now a channel"))
        #expect(view.takeLines().texts == ["Tea is now a channel"])

        changed.isReload = true
        view.displayChannels(viewModel: changed)
        #expect(view.takeLines().texts == ["Channels", "  1  Tea  joined, public"])
    }

    @Test("whether the news is current shows on the screen and in the prompt")
    func banner() {
        let view = shown(Sample.channelList([]))

        view.displayReachability(
            viewModel: .init(banner: Banner(kind: .offline, text: "Offline: the server cannot be reached.")))

        #expect(view.takeLines().isEmpty)
        #expect(view.screen.texts[1] == "(Offline: the server cannot be reached.)")
        #expect(view.promptTitle.text == "Channels (offline)")
    }

    @Test("the outcome of a request is the outcome of the command, with the room's id")
    func outcomes() async {
        let view = shown()

        log.duringRequest = { view.displayOutcome(viewModel: .init(outcome: .done(), roomID: RoomID("!tea"))) }
        let made = await view.perform(Command(name: "create", positional: ["Tea"]))
        log.duringRequest = { view.displayOutcome(viewModel: .init(outcome: .failed(line: "The name is taken."))) }
        let refused = await view.perform(Command(name: "create", positional: ["Tea"]))

        #expect(made == .done(value: "!tea"))
        #expect(refused == .failed(reason: "The name is taken."))
        #expect(view.takeLines().texts == ["! The name is taken."])
        var facts = ScreenFacts(scene: .listChannels)
        view.describe(in: &facts)
        #expect(facts.errors == ["The name is taken."])
    }

    @Test("the next command takes the last error off the screen")
    func nextCommand() async {
        let view = shown(Sample.channelList([]))
        view.displayFailure(viewModel: .init(line: "Could not join General channel."))
        #expect(view.screen.texts.last == "! Could not join General channel.")

        _ = await view.perform(Command(name: "dismiss"))

        #expect(view.screen.texts.last == "  (no channels yet)")
        #expect(log.calls.isEmpty)
    }

    @Test("a channel that was chosen is opened after the request, one that was not is not")
    func select() async {
        let view = shown()
        log.duringRequest = { view.displaySelect(viewModel: .init(outcome: .done(), roomID: RoomID("!tea"))) }
        #expect(await view.perform(Command(name: "open", positional: ["Tea"])) == .done(value: "!tea"))
        log.duringRequest = { view.displaySelect(viewModel: .init(outcome: .failed(line: "None."))) }
        #expect(await view.perform(Command(name: "open", positional: ["X"])) == .failed(reason: "None."))

        #expect(log.calls == [.selectChannel("Tea"), .toChatroom, .selectChannel("X")])
    }

    @Test("deleting is asked for, and can be taken back, once")
    func confirmation() async {
        let view = shown(Sample.channelList([]))
        log.duringRequest = {
            view.displayConfirmation(
                viewModel: .init(isAsking: true, outcome: .done(line: "You are about to delete Tea.")))
        }
        _ = await view.perform(Command(name: "delete", positional: ["Tea"]))
        log.duringRequest = {
            view.displayConfirmation(viewModel: .init(isAsking: false, outcome: .done(line: "Tea stays.")))
        }
        _ = await view.perform(Command(name: "dismiss"))
        _ = await view.perform(Command(name: "dismiss"))

        #expect(
            view.takeLines().texts == [
                "You are about to delete Tea. Type confirm to go on, or dismiss.", "Tea stays.",
            ])
        #expect(log.calls == [.actOnList(.delete, "Tea"), .cancel])
    }

    @Test("logging out is asked for, and can be taken back")
    func logout() async {
        let view = shown(Sample.channelList([]))
        log.duringRequest = {
            view.displayLogout(viewModel: .init(step: .confirm, title: "You are about to log out"))
        }
        _ = await view.perform(Command(name: "logout"))
        log.duringRequest = { view.displayLogout(viewModel: .init(step: .cancelled, title: "You are still logged in")) }
        _ = await view.perform(Command(name: "dismiss"))

        #expect(
            view.takeLines().texts == [
                "You are about to log out. Type confirm to go on, or dismiss.", "You are still logged in.",
            ])
        #expect(log.calls == [.logout, .cancel])
    }

    @Test("logged out, it leads to Welcome with the notice; there is nothing to confirm unasked")
    func loggedOut() async {
        let view = shown()
        log.duringRequest = {
            view.displayLogout(viewModel: .init(step: .notAsked, title: "There is nothing to confirm"))
        }
        #expect(await view.perform(Command(name: "confirm")) == .failed(reason: "There is nothing to confirm."))
        log.duringRequest = {
            view.displayLogout(viewModel: .init(step: .loggedOut, title: "You are logged out", notice: "Held."))
        }
        _ = await view.perform(Command(name: "confirm"))

        #expect(log.calls == [.confirm, .confirm, .toWelcome("Held.")])
    }

    @Test("a session that ends leads to Login, though nobody asked for anything")
    func sessionEnd() async {
        let view = shown()

        view.displaySessionEnd(viewModel: .init())
        await fixture.activity.idle()

        #expect(log.calls == [.toLogin])
    }

    @Test("covered by a channel it prints nothing, and back on top it prints anew, with what has gone wrong")
    func covered() {
        let view = shown()
        view.dropLines()
        view.displayEvent(viewModel: .init(kind: .added, line: "Zen is now a channel"))
        view.displayFailure(viewModel: .init(line: "The public channels were not fetched."))
        view.displayChannels(viewModel: Sample.channelList([Sample.channel(1, "Zen")]))
        #expect(view.takeLines().isEmpty)

        view.comeBack()

        let lines = ["Channels", "  1  Zen  joined, public", "! The public channels were not fetched."]
        #expect(view.takeLines().texts == lines)
        #expect(view.screen.texts == lines)
    }

    @Test("facts hold what the rows show")
    func facts() {
        var facts = ScreenFacts(scene: .listChannels)
        shown().describe(in: &facts)

        #expect(facts.channels.map(\.name) == ["Cocoa", "General Channel", "Plans", "Tea"])
        #expect(facts.channels.map(\.state) == [.public, .joined, .invited, .joined])
        #expect(facts.channels.map(\.unreadCount) == [0, 2, 0, 0])
    }

    @Test("more unread than before is news")
    func news() {
        var rings = 0
        var fixture = ViewFixture()
        fixture.context.onNews = { rings += 1 }
        let view = fixture.channels()

        for count in [2, 2, 3, 0, 1] {
            view.displayChannels(viewModel: Sample.channelList([Sample.channel(1, "Tea", unread: count)]))
        }

        #expect(rings == 2)
    }
}
