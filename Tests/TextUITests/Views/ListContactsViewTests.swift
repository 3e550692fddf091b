import Models
import Scenes
import Testing
import TextSnapshots

@testable import TextUI

@MainActor
@Suite("ListContactsView")
struct ListContactsViewTests {
    private let fixture = ViewFixture()
    private var log: CallLog { fixture.log }

    private func shown(_ list: ListContacts.Fetch.ViewModel = Sample.contacts) -> ListContactsView {
        let view = fixture.contacts()
        view.displayContacts(viewModel: list)
        return view
    }

    @Test("each command becomes its request")
    func requests() async {
        let view = fixture.contacts()
        await view.start()
        for line in [
            #"open "Bob""#, "open 2", "add bob@words.test", #"remove "Bob""#, #"block "Bob""#, #"unblock "Bob""#,
            "refresh",
            #"rename "Al""#, "passwd current=one new=two", "logout", "confirm",
        ] {
            guard let command = try? Command(parsing: line) else { continue }
            _ = await view.perform(command)
        }

        #expect(
            log.calls == [
                .startContacts, .select("Bob"), .select("2"), .add("bob@words.test"), .remove("Bob"),
                .block("Bob", true),
                .block("Bob", false), .fetch, .rename("Al"), .changePassword(Secret("one"), Secret("two")), .logout,
                .confirmLogout,
            ])
    }

    @Test("on entry the list is printed once, as it stands when it is asked for")
    func entry() throws {
        let view = fixture.contacts()
        view.displayContacts(viewModel: Sample.list([], isLoading: true))
        view.displayContacts(viewModel: Sample.contacts)

        try TextSnapshot().compare(
            view.takeLines().texts,
            with: """
                Contacts
                  1  Bob    online           2 new  09:00  are you there?
                  2  Carol  last seen 08:12         09:00  You: ok
                  3  Dave   offline                 January 4  see you
                  4  Erin   has left
                """)
        #expect(view.takeLines().isEmpty)
    }

    @Test("presence, unread counts and typing change the screen and the prompt, not what is printed")
    func silent() {
        let view = shown(Sample.list([Sample.row(1, "Bob")]))
        _ = view.takeLines()

        var changed = Sample.list([
            Sample.row(1, "Bob", presence: .online, presenceText: "online", isTyping: true, unread: 3)
        ])
        changed.isReload = false
        view.displayContacts(viewModel: changed)

        #expect(view.takeLines().isEmpty)
        #expect(view.screen.texts == ["Contacts", "  1  Bob  online  3 new  typing"])
        #expect(view.promptTitle.text == "Contacts (3 unread)")
    }

    @Test("an event prints one line; the list is printed again only when it is loaded as a whole")
    func events() {
        let view = shown()
        _ = view.takeLines()
        var changed = Sample.list([Sample.row(1, "Bob")])
        changed.isReload = false

        view.displayContacts(viewModel: changed)
        view.displayEvent(viewModel: .init(kind: .added, id: UserID("@bob:localhost"), line: "Bob is now a contact"))
        #expect(view.takeLines().texts == ["Bob is now a contact"])

        changed.isReload = true
        view.displayContacts(viewModel: changed)
        #expect(view.takeLines().texts == ["Contacts", "  1  Bob  offline"])
    }

    @Test("whether the news is current shows on the screen and in the prompt")
    func banner() {
        let view = shown(Sample.list([]))
        _ = view.takeLines()

        view.displayReachability(
            viewModel: .init(banner: Banner(kind: .offline, text: "Offline: the server cannot be reached.")))

        #expect(view.takeLines().isEmpty)
        #expect(view.screen.texts[1] == "(Offline: the server cannot be reached.)")
        #expect(view.promptTitle.text == "Contacts (offline)")
        view.displayReachability(viewModel: .init(banner: Banner(kind: .online)))
        #expect(view.screen.count == 2)
        #expect(view.promptTitle.text == "Contacts")
    }

    @Test("the outcome of a request is the outcome of the command, with the room's id")
    func outcomes() async {
        let view = shown()
        _ = view.takeLines()

        log.duringRequest = { view.displayCreate(viewModel: .init(outcome: .done(), roomID: RoomID("!a:localhost"))) }
        let added = await view.perform(Command(name: "add", positional: ["bob@words.test"]))
        log.duringRequest = { view.displayCreate(viewModel: .init(outcome: .failed(line: "bob was not added."))) }
        let refused = await view.perform(Command(name: "add", positional: ["bob"]))

        #expect(added == .done(value: "!a:localhost"))
        #expect(refused == .failed(reason: "bob was not added."))
        #expect(view.takeLines().texts == ["! bob was not added."])
        var facts = ScreenFacts(scene: .listContacts)
        view.describe(in: &facts)
        #expect(facts.errors == ["bob was not added."])
    }

    @Test("the next command takes the last error off the screen")
    func nextCommand() async {
        let view = shown(Sample.list([]))
        view.displayFailure(viewModel: .init(line: "The contacts were not fetched."))
        #expect(view.screen.texts.last == "! The contacts were not fetched.")

        _ = await view.perform(Command(name: "dismiss"))

        #expect(view.screen.texts.last == "  (no contacts yet)")
    }

    @Test("a contact that was chosen is opened after the request, one that was not is not")
    func select() async {
        let view = shown()
        log.duringRequest = { view.displaySelect(viewModel: .init(outcome: .done(), roomID: RoomID("!a:b"))) }
        #expect(await view.perform(Command(name: "open", positional: ["Bob"])) == .done(value: "!a:b"))
        log.duringRequest = { view.displaySelect(viewModel: .init(outcome: .failed(line: "Nobody."))) }
        #expect(await view.perform(Command(name: "open", positional: ["X"])) == .failed(reason: "Nobody."))

        #expect(log.calls == [.select("Bob"), .toChatroom, .select("X")])
    }

    @Test("logging out is asked for, and can be taken back")
    func logout() async {
        let view = shown(Sample.list([]))
        _ = view.takeLines()
        log.duringRequest = {
            view.displayLogout(
                viewModel: .init(
                    step: .confirm, title: "You are about to log out",
                    message: "1 message has not been sent and will be lost."))
        }
        _ = await view.perform(Command(name: "logout"))
        log.duringRequest = { view.displayLogout(viewModel: .init(step: .cancelled, title: "You are still logged in")) }
        _ = await view.perform(Command(name: "dismiss"))

        #expect(
            view.takeLines().texts == [
                "You are about to log out. 1 message has not been sent and",
                "will be lost. Type confirm to go on, or dismiss.",
                "You are still logged in.",
            ])
        #expect(log.calls == [.logout, .cancelLogout])
        log.duringRequest = nil
        _ = await view.perform(Command(name: "dismiss"))
        #expect(log.calls == [.logout, .cancelLogout])
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

        #expect(log.calls == [.confirmLogout, .confirmLogout, .toWelcome("Held.")])
    }

    @Test("a session that ends leads to Login, though nobody asked for anything")
    func sessionEnd() async {
        let view = shown()

        view.displaySessionEnd(viewModel: .init())
        await fixture.activity.idle()

        #expect(log.calls == [.toLogin])
    }

    @Test("what goes wrong while a chat covers it is said when one comes back, and stands there until the next command")
    func failsCovered() async {
        let view = shown(Sample.list([]))
        _ = view.takeLines()
        view.dropLines()
        view.displayFailure(viewModel: .init(line: "The contacts were not fetched."))
        #expect(view.takeLines().isEmpty)

        view.comeBack()

        let lines = ["Contacts", "  (no contacts yet)", "! The contacts were not fetched."]
        #expect(view.takeLines().texts == lines)
        #expect(view.screen.texts == lines)
        _ = await view.perform(Command(name: "dismiss"))
        #expect(view.screen.texts == Array(lines.dropLast()))
    }

    @Test("covered by a chat it prints nothing, and back on top it prints anew")
    func covered() {
        let view = shown()
        view.dropLines()
        view.displayEvent(viewModel: .init(kind: .added, id: UserID("@z:b"), line: "Zoe is now a contact"))
        view.displayContacts(viewModel: Sample.list([Sample.row(1, "Zoe")]))
        #expect(view.takeLines().isEmpty)

        view.comeBack()

        #expect(view.takeLines().texts == ["Contacts", "  1  Zoe  offline"])
    }

    @Test("facts hold what the rows show")
    func facts() {
        var facts = ScreenFacts(scene: .listContacts)
        shown().describe(in: &facts)

        #expect(facts.contacts.map(\.name) == ["Bob", "Carol", "Dave", "Erin"])
        #expect(facts.contacts.map(\.isOnline) == [true, false, false, false])
        #expect(facts.contacts.map(\.unreadCount) == [2, 0, 0, 0])
    }

    @Test("more unread than before is news")
    func news() {
        var rings = 0
        var fixture = ViewFixture()
        fixture.context.onNews = { rings += 1 }
        let view = fixture.contacts()

        for count in [2, 2, 3, 0, 1] {
            view.displayContacts(viewModel: Sample.list([Sample.row(1, "Bob", unread: count)]))
        }

        #expect(rings == 2)
    }
}
