import Models
import Scenes
import Testing
import TextSnapshots

@testable import TextUI

@MainActor
@Suite("ChatroomView")
struct ChatroomViewTests {
    private let fixture = ViewFixture()
    private var log: CallLog { fixture.log }

    private func shown(_ rows: [Chatroom.Row] = []) -> ChatroomView {
        let view = fixture.chatroom()
        view.displayMessages(viewModel: Sample.chat(rows))
        _ = view.takeLines()
        return view
    }

    private func own(_ state: Chatroom.MessageRow.State, id: String = "1") -> Chatroom.Row {
        .message(Sample.message("hello", id: id, isOwn: true, state: state))
    }

    @Test("each command becomes its request")
    func requests() async {
        let view = fixture.chatroom()
        await view.start()
        for command in [
            Command(name: "send", positional: ["hello"]), Command(name: "older"), Command(name: "retry"),
            Command(name: "typing"), Command(name: "read"), Command(name: "members"), Command(name: "back"),
            Command(name: "contacts"), Command(name: "dismiss"),
        ] {
            _ = await view.perform(command)
        }
        await view.keyPressed()
        view.leave()

        #expect(
            log.calls == [
                .startChat, .send("hello"), .older, .retry, .typed, .read, .members, .back, .toListContacts, .typed,
                .leave,
            ])
    }

    @Test("on entry the title and the conversation are printed, once")
    func entry() throws {
        let view = fixture.chatroom()
        #expect(view.takeLines().isEmpty)
        view.displayMessages(viewModel: Sample.chat([], isLoading: true))
        view.displayMessages(
            viewModel: Sample.chat([.day(id: "d", text: "Today"), .message(Sample.message("hello 👋"))]))

        try TextSnapshot().compare(
            view.takeLines().texts,
            with: """
                Bob
                — Today —
                09:00  Alice  hello 👋
                """)
        #expect(view.takeLines().isEmpty)
    }

    @Test("an empty conversation is said on entry, once it is known to be empty")
    func empty() {
        let view = fixture.chatroom()
        view.displayMessages(viewModel: Sample.chat([], isLoading: true))
        #expect(view.takeLines().texts == ["Bob"])

        view.displayMessages(viewModel: Sample.chat([]))
        #expect(view.takeLines().texts == ["  (no messages yet)"])
        view.displayMessages(viewModel: Sample.chat([]))
        #expect(view.takeLines().isEmpty)
    }

    @Test("a new message prints once, in the conversation's order, whatever the batches")
    func news() {
        let first = Chatroom.Row.message(Sample.message("one", id: "1"))
        let second = Chatroom.Row.message(Sample.message("two", id: "2", from: "Bob"))
        let third = Chatroom.Row.status(id: "3", text: "User Bob has left", timeText: "09:02")
        let together = shown()
        together.displayMessages(viewModel: Sample.chat([first, second, third]))
        let apart = shown()
        apart.displayMessages(viewModel: Sample.chat([first]))
        apart.displayMessages(viewModel: Sample.chat([first, second]))
        apart.displayMessages(viewModel: Sample.chat([first, second, third]))

        let lines = together.takeLines().texts

        #expect(lines == ["09:00  Alice  one", "09:00  Bob  two", "09:02  User Bob has left"])
        #expect(apart.takeLines().texts == lines)
        #expect(apart.takeLines().isEmpty)
    }

    @Test("a message on its way is not printed until it is sent, waiting or failed; each later change is one line")
    func states() {
        let view = shown()
        var printed: [[String]] = []
        for state: Chatroom.MessageRow.State in [
            .sending, .waiting, .sending, .waiting, .failed(reason: "No."), .waiting, .sent, .sent,
        ] {
            view.displayMessages(viewModel: Sample.chat([.day(id: "d", text: "Today"), own(state)]))
            printed.append(view.takeLines().texts)
        }

        #expect(
            printed == [
                [], ["— Today —", "09:00  Alice  hello  [waiting]"], [], [],
                ["09:00  Alice  hello  [failed]", "              No."], ["09:00  Alice  hello  [waiting]"],
                ["09:00  Alice  hello  [sent]"], [],
            ])
    }

    @Test("a message prints with the state it has when lines are taken")
    func settled() {
        let view = shown()
        for state: Chatroom.MessageRow.State in [.sending, .waiting, .sent] {
            view.displayMessages(viewModel: Sample.chat([own(state)]))
        }

        #expect(view.takeLines().texts == ["09:00  Alice  hello"])
    }

    @Test("a changed body is printed as edited")
    func edited() {
        let view = shown([.message(Sample.message("helo"))])
        view.displayMessages(viewModel: Sample.chat([.message(Sample.message("hello"))]))

        #expect(view.takeLines().texts == ["09:00  Alice  hello  [edited]"])
    }

    @Test("older messages print as a block, with their days, and not again with the conversation")
    func older() async {
        let row = Chatroom.Row.message(Sample.message("new", id: "9"))
        let view = shown([.day(id: "d2", text: "Today"), row])
        let above: [Chatroom.Row] = [.day(id: "d1", text: "January 4"), .message(Sample.message("old", id: "1"))]
        log.duringRequest = {
            view.displayOlder(viewModel: .init(rows: above, outcome: .done()))
            view.displayMessages(viewModel: Sample.chat(above + [.day(id: "d2", text: "Today"), row]))
        }

        #expect(await view.perform(Command(name: "older")) == .done())

        #expect(view.takeLines().texts == ["— January 4 —", "09:00  Alice  old"])
        #expect(view.takeLines().isEmpty)
    }

    @Test("what fills a gap prints where it was missing from, in order")
    func gap() {
        let first = Chatroom.Row.message(Sample.message("one", id: "1"))
        let last = Chatroom.Row.message(Sample.message("four", id: "4"))
        let view = shown([first, .gap(id: "g", text: "(messages are missing here)"), last])

        view.displayMessages(
            viewModel: Sample.chat([
                first, .message(Sample.message("two", id: "2")), .message(Sample.message("three", id: "3")), last,
            ]))

        #expect(view.takeLines().texts == ["09:00  Alice  two", "09:00  Alice  three"])
    }

    @Test("sending returns the message's id; refused by the server, it fails with the reason")
    func send() async {
        let view = shown()
        let command = Command(name: "send", positional: ["hello"])
        log.duringRequest = {
            view.displayMessages(viewModel: Sample.chat([own(.waiting, id: "t1")]))
            view.displaySend(viewModel: .init(outcome: .done()))
        }
        #expect(await view.perform(command) == .done(value: "t1"))
        log.duringRequest = {
            view.displayMessages(
                viewModel: Sample.chat([own(.waiting, id: "t1"), own(.failed(reason: "No."), id: "t2")]))
            view.displaySend(viewModel: .init(outcome: .done()))
        }
        #expect(await view.perform(command) == .failed(reason: "No."))
        log.duringRequest = { view.displaySend(viewModel: .init(outcome: .failed(line: "The message was not sent."))) }
        #expect(await view.perform(command) == .failed(reason: "The message was not sent."))

        #expect(view.takeLines().texts.last == "! The message was not sent.")
    }

    @Test("what happened prints before what is said about it")
    func order() async {
        let view = shown()
        log.duringRequest = {
            view.displaySend(
                viewModel: .init(outcome: .done(line: "1 control character was taken out before sending.")))
            view.displayMessages(viewModel: Sample.chat([own(.sent)]))
        }

        _ = await view.perform(Command(name: "send", positional: ["hello"]))

        #expect(
            view.takeLines().texts == ["09:00  Alice  hello", "1 control character was taken out before sending."])
    }

    @Test("typing and the connection change the screen and the prompt, not what is printed")
    func silent() {
        let view = shown()
        view.displayTyping(viewModel: .init(names: ["Bob"], text: "Bob is typing"))
        view.displayReachability(viewModel: .init(banner: Banner(kind: .offline, text: "Offline.")))

        #expect(view.takeLines().isEmpty)
        #expect(view.screen.texts == ["Bob", "(Offline.)", "  (no messages yet)", "Bob is typing"])
        #expect(view.promptTitle.text == "Bob (Bob is typing) (offline)")
    }

    @Test("members are printed when they are asked for")
    func members() async {
        let view = shown()
        log.duringRequest = {
            view.displayMembers(
                viewModel: .init(rows: [
                    .init(
                        id: UserID("@b:b"), name: "Bob", initials: "B", isOwn: false, standingText: "joined",
                        presenceText: "online")
                ]))
        }

        _ = await view.perform(Command(name: "members"))

        #expect(view.takeLines().texts == ["Members", "  Bob  joined, online"])
    }

    @Test("facts hold messages in every state, status lines, who types, errors")
    func facts() {
        let view = fixture.chatroom()
        view.displayMessages(viewModel: Sample.conversation)
        view.displayTyping(viewModel: .init(names: ["Bob"], text: "Bob is typing"))
        view.displayFailure(viewModel: .init(line: "The conversation is not shown in full."))
        var facts = ScreenFacts(scene: .chatroom)

        view.describe(in: &facts)

        #expect(facts.messages.map(\.state) == [.sent, .sent, .sent, .sent, .waiting, .failed, .sending])
        #expect(facts.messages[2].text == "two\nlines")
        #expect(facts.messages[0].sender == "Alice")
        #expect(facts.statusLines == ["User Bob has joined"])
        #expect(facts.typing == ["Bob"])
        #expect(facts.errors == ["The conversation is not shown in full."])
    }

    @Test("a message of somebody else's is news, one of one's own is not, nor are older ones")
    func bell() {
        var rings = 0
        var fixture = ViewFixture()
        fixture.context.onNews = { rings += 1 }
        let view = fixture.chatroom()
        let bob = Chatroom.Row.message(Sample.message("hi", id: "2", from: "Bob"))

        view.displayMessages(viewModel: Sample.chat([]))
        view.displayMessages(viewModel: Sample.chat([own(.sent)]))
        #expect(rings == 0)
        view.displayMessages(viewModel: Sample.chat([own(.sent), bob]))
        #expect(rings == 1)
        view.displayMessages(
            viewModel: Sample.chat([.message(Sample.message("old", id: "0", from: "Bob")), own(.sent), bob]))
        #expect(rings == 1)
    }
}
