import Models
import Scenes
import Testing
import TextSnapshots

@testable import TextUI

@MainActor
@Suite("TextApplication")
struct TextApplicationTests {
    private let chat = ChatWorkerStub()

    private func application(width: Int = 60) -> (TextApplication, FakeScenes?) {
        var scenes: FakeScenes?
        let application = TextApplication(chat: chat, width: width) { context in
            let made = FakeScenes(context)
            scenes = made
            return made
        }
        return (application, scenes)
    }

    /// Signed in, with the contacts on top.
    private func signedIn(width: Int = 60) async -> (TextApplication, FakeScenes?) {
        let (application, scenes) = application(width: width)
        await application.launch()
        let login = Command(name: "login", named: ["email": "alice@words.test", "password": "secret-one"])
        _ = await application.perform(login)
        return (application, scenes)
    }

    @Test("launching shows the scene that it leads to")
    func launch() async {
        let (application, _) = application()
        #expect(application.prompt == "> ")
        #expect(await application.perform(Command(name: "help")) == .notHere("Nothing is on the screen yet."))

        await application.launch()

        #expect(application.facts.scene == .welcome)
        #expect(application.takeLines() == ["Words", "  (login to sign in, signup to make an account)"])
        #expect(application.prompt == "Words> ")
    }

    @Test("login at Welcome shows Login and signs in there, in one step")
    func login() async {
        let (application, scenes) = await signedIn()

        #expect(application.facts.scene == .listContacts)
        #expect(
            scenes?.log.calls == [
                .resume, .startLogin, .login(identity: "alice@words.test", password: Secret("secret-one")), .leave,
                .startContacts,
            ])
        #expect(application.takeLines().suffix(2) == ["Contacts", "  1  Bob  offline"])
        #expect(application.prompt == "Alice · Contacts> ")
    }

    @Test("login without arguments at Welcome shows Login")
    func bareLogin() async {
        let (application, _) = application()
        await application.launch()

        #expect(await application.perform(Command(name: "login")) == .done())

        #expect(application.facts.scene == .login)
        #expect(application.prompt == "Sign in> ")
    }

    @Test("a chat stands on top of the contacts; back shows them anew, and the chat is told that it goes")
    func stack() async {
        let (application, scenes) = await signedIn()
        _ = application.takeLines()

        _ = await application.perform(Command(name: "open", positional: ["Bob"]))
        #expect(application.takeLines() == ["Bob", "09:00  Alice  hello"])
        #expect(application.prompt == "Alice · Bob> ")
        scenes?.contacts?.displayEvent(viewModel: .init(kind: .added, id: UserID("@z:b"), line: "Zoe is now a contact"))
        #expect(application.takeLines().isEmpty)

        _ = await application.perform(Command(name: "back"))
        #expect(application.takeLines() == ["Contacts", "  1  Bob  offline"])
        #expect(scenes?.log.calls.suffix(3) == [.select("Bob"), .startChat, .leave])
    }

    @Test("channels takes the contacts' place; General takes that of a channel that closes, and back leads to the list")
    func channels() async {
        let (application, scenes) = await signedIn()
        _ = await application.perform(Command(name: "channels"))
        scenes?.channels?.displayChannels(viewModel: Sample.channelList([Sample.channel(1, "Tea")]))
        #expect(application.scene == .listChannels)
        #expect(application.prompt == "Alice · Channels> ")
        scenes?.channels?.displaySelect(viewModel: .init(outcome: .done()))
        await scenes?.context.activity.idle()
        let tea = scenes?.chatroomStores
        tea?.channel = Channel(id: RoomID("!tea"), name: "Tea")
        tea?.general = Channel(id: RoomID("!general"), name: "General Channel")
        _ = application.takeLines()

        scenes?.chatroom?.displayClose(viewModel: .init(notice: "The channel Tea has been deleted."))
        await scenes?.context.activity.idle()
        let general = scenes?.chatroomStores
        let inGeneral = application.scene
        _ = await application.perform(Command(name: "back"))

        #expect(inGeneral == .chatroom && general !== tea)
        #expect(general?.channel == tea?.general)
        #expect(general?.notice == "The channel Tea has been deleted.")
        #expect(application.scene == .listChannels)
        #expect(application.takeLines().suffix(2) == ["Channels", "  1  Tea  joined, public"])
        _ = await application.perform(Command(name: "contacts"))
        #expect(application.scene == .listContacts)
    }

    @Test("what is being typed is told to a chat, and to nothing else")
    func drafts() async {
        let (application, scenes) = await signedIn()
        await application.draftChanged("hello")
        _ = await application.perform(Command(name: "open", positional: ["Bob"]))
        await application.draftChanged("hello")

        #expect(scenes?.log.calls.filter { $0 == .draft("hello") }.count == 1)
    }

    @Test("what has been printed before a step is not lost when the step leaves the scene")
    func bystander() async {
        let (application, scenes) = await signedIn()
        _ = await application.perform(Command(name: "open", positional: ["Bob"]))
        _ = application.takeLines()
        scenes?.chatroom?.displayMessages(
            viewModel: Sample.chat([
                .message(Sample.message("hello")), .message(Sample.message("bye", id: "2", from: "Bob")),
            ]))

        _ = await application.perform(Command(name: "back"))

        #expect(application.takeLines() == ["09:00  Bob  bye", "Contacts", "  1  Bob  offline"])
    }

    @Test("a session that ends in a chat takes both scenes away")
    func sessionEnd() async {
        let (application, scenes) = await signedIn()
        _ = await application.perform(Command(name: "open", positional: ["Bob"]))

        scenes?.contacts?.displaySessionEnd(viewModel: .init())
        await scenes?.context.activity.idle()

        #expect(application.facts.scene == .login)
        #expect(scenes?.log.calls.suffix(3) == [.leave, .leave, .startLogin])
    }

    @Test("a command that is unknown, wrong or out of place says so and asks nothing of the scene")
    func faults() async {
        let (application, scenes) = await signedIn()
        _ = application.takeLines()
        let calls = scenes?.log.calls

        let outcomes = [
            await application.perform(Command(name: "opne")), await application.perform(Command(name: "open")),
            await application.perform(Command(name: "send", positional: ["x"])),
        ]

        #expect(
            outcomes == [
                .usage("There is no command opne. Type help for the commands."),
                .usage("open needs \"Name\"|N. Usage: open \"Name\"|N"),
                .notHere("send is for a chat. Type help for what can be done here."),
            ])
        #expect(application.takeLines() == outcomes.compactMap { $0.reason.map { "! \($0)" } }.flatMap(wrapped))
        #expect(scenes?.log.calls == calls)
    }

    private func wrapped(_ line: String) -> [String] {
        guard line.count > 60 else { return [line] }
        let end = line.prefix(61).lastIndex(of: " ") ?? line.endIndex
        return [String(line[..<end]), "  " + line[line.index(after: end)...]]
    }

    @Test("screen prints the whole screen, help the commands")
    func screen() async {
        let (application, scenes) = await signedIn()
        _ = application.takeLines()
        scenes?.contacts?.displayReachability(viewModel: .init(banner: Banner(kind: .offline, text: "Offline.")))

        #expect(await application.perform(Command(name: "screen")) == .done())
        #expect(application.takeLines() == ["Contacts", "(Offline.)", "  1  Bob  offline"])
        #expect(application.facts.screen == application.screen)
        _ = await application.perform(Command(name: "help", positional: ["add"]))
        #expect(application.takeLines() == ["  add EMAIL", "      add a person to the contacts"])
    }

    @Test("quit leaves every scene and says goodbye, once")
    func quit() async {
        let (application, scenes) = await signedIn()

        #expect(await application.perform(Command(name: "quit")) == .done())
        await application.shutDown()

        #expect(application.hasQuit)
        #expect(await chat.goodbyes == 1)
        #expect(scenes?.log.calls.last == .leave)
    }

    @Test("every presented view model is told")
    func displays() async {
        let (application, scenes) = await signedIn()
        var count = 0
        application.onDisplay = { count += 1 }

        scenes?.contacts?.displayContacts(viewModel: Sample.contacts)
        scenes?.contacts?.displayReachability(viewModel: .init(banner: Banner(kind: .online)))

        #expect(count == 2)
    }

    @Test("no line, no prompt is wider than the width, which may change", arguments: [1, 3, 12, 20, 60])
    func widths(width: Int) async {
        let (application, scenes) = await signedIn(width: 90)
        application.width = width
        scenes?.contacts?.displayContacts(viewModel: Sample.contacts)
        application.say("Something went wrong with a long explanation.")
        _ = await application.perform(Command(name: "help"))
        _ = await application.perform(Command(name: "screen"))

        #expect(application.takeLines().allSatisfy { ColumnWidth.of($0) <= width })
        #expect(application.screen.allSatisfy { ColumnWidth.of($0) <= width })
        #expect(ColumnWidth.of(application.prompt) <= max(3, width))
    }

    @Test(
        "that there is no connection is said, but not where nobody is signed in",
        arguments: [
            (nil, nil), (.online, nil), (.ended, "The session is over. Sign in again."),
            (
                .offline(reason: .timedOut, retryAt: nil),
                "The server cannot be reached. What was shown is what was known before."
            ),
        ] as [(Models.Connection?, String?)])
    func offline(_ connection: Models.Connection?, _ notice: String?) async {
        let state = connection.map { connection in
            var state = ChatState(ownID: UserID("@alice:localhost"))
            state.connection = connection
            return state
        }

        #expect(await TextApplication(chat: ChatWorkerStub(state: state), width: 60).offlineNotice() == notice)
    }

    @Test("what has not been sent is counted")
    func unsent() async {
        var state = ChatState(ownID: UserID("@alice:localhost"))
        var room = RoomState(id: RoomID("!a:b"), membership: .join)
        let message = OutgoingMessage(
            transactionID: TransactionID("1"), body: "x", createdAt: Timestamp(milliseconds: 0), state: .waiting)
        var sent = message
        sent.state = .sent(EventID("$1"))
        room.timeline.outgoing = [message, sent]
        state.rooms[room.id] = room
        func notice(_ state: ChatState?) async -> String? {
            await TextApplication(chat: ChatWorkerStub(state: state), width: 60).unsentNotice()
        }

        #expect(await notice(nil) == nil)
        #expect(await notice(state) == "One message has not been sent. It is kept and goes out when Words runs again.")
        room.timeline.outgoing = [message, message]
        state.rooms[room.id] = room
        #expect(
            await notice(state) == "2 messages have not been sent. They are kept and go out when Words runs again.")
        state.connection = .ended
        #expect(
            await notice(state) == "2 messages have not been sent. They are kept and go out once you sign in again.")
        var failed = message
        failed.state = .failed(.sessionEnded)
        room.timeline.outgoing = [failed]
        state.rooms[room.id] = room
        #expect(await notice(state) == "One message has not been sent. It is gone with the session.")
        room.timeline.outgoing = [sent]
        state.rooms[room.id] = room
        #expect(await notice(state) == nil)
    }
}
