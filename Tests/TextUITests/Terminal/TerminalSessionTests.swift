import Models
import Scenes
import Testing

@testable import TextUI

@MainActor
private final class FakeTerminal: TerminalDevice {
    let isCapable: Bool
    var columns: Int? = 60
    private(set) var output = ""
    private(set) var echoes: [Bool] = []
    private(set) var hasEnded = false
    private var continuation: AsyncStream<TerminalEvent>.Continuation?
    private var waiting: (String, CheckedContinuation<Void, Never>)?

    init(isCapable: Bool) { self.isCapable = isCapable }

    func start() -> AsyncStream<TerminalEvent> {
        let (stream, continuation) = AsyncStream<TerminalEvent>.makeStream()
        self.continuation = continuation
        return stream
    }

    func setEcho(_ isOn: Bool) { echoes.append(isOn) }
    func write(_ text: String) {
        output += text
        guard let (awaited, waiter) = waiting, output.contains(awaited) else { return }
        waiting = nil
        waiter.resume()
    }

    /// Returns once that has been written.
    func wait(for text: String) async {
        guard !output.contains(text) else { return }
        await withCheckedContinuation { waiting = (text, $0) }
    }
    func end() { hasEnded = true }

    func send(_ event: TerminalEvent) { continuation?.yield(event) }
    func type(_ text: String) { send(.bytes(Array(text.utf8))) }
}

@MainActor
@Suite("TerminalSession")
struct TerminalSessionTests {
    private let clock = VirtualClock(now: Timestamp(milliseconds: 0))

    @MainActor
    private struct Run {
        var terminal: FakeTerminal
        var scenes: FakeScenes?
        var ending: TerminalEnding
        var text: String { terminal.output }
    }

    /// Types `input` once the app has started, and `more` once that has been echoed and all is settled; waits for the end.
    private func run(
        _ input: String, isCapable: Bool = true, then event: TerminalEvent? = nil,
        chat: ChatWorkerStub = ChatWorkerStub(),
        after echo: String = "", more: String = ""
    ) async -> Run {
        var scenes: FakeScenes?
        let application = TextApplication(chat: chat, width: 80) { context in
            let made = FakeScenes(context)
            scenes = made
            return made
        }
        let terminal = FakeTerminal(isCapable: isCapable)
        let environment = Environment.virtual(clock: clock)
        let session = TerminalSession(
            application: application, device: terminal, environment: environment, ringsBell: true)
        let run = Task { await session.run() }
        await terminal.wait(for: "Words> ")
        terminal.type(input)
        if let event { terminal.send(event) }
        if !more.isEmpty {
            await terminal.wait(for: echo)
            await environment.activity.idle()
            terminal.type(more)
        }
        return Run(terminal: terminal, scenes: scenes, ending: await run.value)
    }

    private static let signingIn = "login\nalice@words.test\nsecret-one\n"

    @Test("what a command lacks is asked for, the password without showing it")
    func questions() async {
        let run = await run(Self.signingIn + "quit\n")

        #expect(run.ending == .quit)
        #expect(
            run.scenes?.log.calls.contains(.login(identity: "alice@words.test", password: Secret("secret-one"))) == true
        )
        #expect(run.text.contains("Email: "))
        #expect(run.text.contains("Password: "))
        #expect(!run.text.contains("secret"))
        #expect(run.text.contains("Contacts\n  1  Bob  offline\n"))
        #expect(run.terminal.hasEnded)
    }

    @Test("an empty answer calls the command off")
    func calledOff() async {
        let run = await run("login\n\nquit\n")

        #expect(run.text.contains("! Nothing was done: an answer was missing.\n"))
        #expect(run.scenes?.log.calls == [.resume])
    }

    @Test("in a chat a line is a message, and a key tells that one is typing, once a second at most")
    func messages() async {
        let run = await run(
            Self.signingIn + "open Bob\nhi th", after: "hi th", more: "ere\n/back\nquit\n")

        let calls = run.scenes?.log.calls ?? []
        #expect(calls.contains(.send("hi there")))
        #expect(calls.filter { $0 == .typed }.count == 1)
        #expect(run.text.contains("Alice · Bob> "))
    }

    @Test("in a chat what is being typed is told as it stands, a command is none of it")
    func drafts() async {
        func drafts(_ first: String, _ more: String, isCapable: Bool = true) async -> [Call] {
            let run = await run(
                Self.signingIn + "open Bob\n" + first, isCapable: isCapable, after: isCapable ? first : "Bob> ",
                more: more)
            return (run.scenes?.log.calls ?? []).filter { if case .draft = $0 { true } else { false } }
        }

        #expect(await drafts("hi th", "ere\n/back\nquit\n") == [.draft("hi th")])
        #expect(await drafts("//hi", "\u{15}/back\nquit\n") == [.draft("/hi")])
        #expect(await drafts("/memb", "ers\n/back\nquit\n") == [])
        #expect(await drafts("hi th", "ere\n/back\nquit\n", isCapable: false) == [])
    }

    @Test("a plain terminal gets whole lines and no escape, and its echo is off for a password")
    func plain() async {
        let run = await run(Self.signingIn + "help\nquit\n", isCapable: false)

        #expect(!run.text.contains("\u{1B}") && !run.text.contains("\r"))
        #expect(run.text.contains("Words> Email: Password: Contacts\n  1  Bob  offline\nAlice · Contacts> Commands\n"))
        #expect(run.terminal.echoes.filter { !$0 }.count == 1)
        #expect(run.terminal.echoes.last == true)
    }

    @Test("the end of the input, Ctrl-D and a signal end the session, and others see one offline")
    func endings() async {
        for (input, event, ending) in [
            ("", .end, .endOfInput), ("\u{4}", nil, .endOfInput), ("", .signal(15), .signal(15)),
        ] as [(String, TerminalEvent?, TerminalEnding)] {
            let chat = ChatWorkerStub()
            let run = await run(input, then: event, chat: chat)
            #expect(run.ending == ending)
            #expect(run.terminal.hasEnded)
            #expect(await chat.goodbyes == 1)
        }
    }

    @Test("a server that does not answer keeps nobody from leaving")
    func hanging() async {
        let chat = ChatWorkerStub(hangs: true)
        let clock = clock
        let run = Task { await self.run("", then: .signal(2), chat: chat) }
        for await _ in chat.partings { break }
        _ = clock.fireNext(upTo: clock.now + .seconds(2))

        #expect(await run.value.ending == .signal(2))
    }

    @Test("a broken line is told, a wrong command too")
    func faults() async {
        let run = await run("open \"Bob\nsend hello\nquit\n")

        #expect(run.text.contains("! This quote is not closed. End the text with \".\n"))
        #expect(run.text.contains("! send is for a chat."))
    }
}

@Suite("TerminalScreen")
struct TerminalScreenTests {
    private func editor(_ text: String) -> LineEditor {
        var editor = LineEditor()
        for scalar in text.unicodeScalars { _ = editor.handle(.text(scalar)) }
        return editor
    }

    @Test("lines appear above the prompt, which comes back with what was being typed")
    func above() {
        var screen = TerminalScreen(isCapable: true)
        _ = screen.prompt("> ", editor: editor("hel"), columns: 40)

        let written = screen.lines(["09:00  Bob  hi"]) + screen.prompt("> ", editor: editor("hel"), columns: 40)

        #expect(written == "\r\u{1B}[K09:00  Bob  hi\n\r\u{1B}[K\u{1B}[2m> \u{1B}[22mhel\r\u{1B}[5C")
    }

    @Test("what is added at the end is written alone; what is the same is not written")
    func added() {
        var screen = TerminalScreen(isCapable: true)
        _ = screen.prompt("> ", editor: editor("hel"), columns: 40)

        #expect(screen.prompt("> ", editor: editor("hello"), columns: 40) == "lo")
        #expect(screen.prompt("> ", editor: editor("hello"), columns: 40) == "")
        #expect(screen.prompt("(2) > ", editor: editor("hello"), columns: 40).hasPrefix("\r\u{1B}[K"))
        #expect(screen.submit() == "\n")
    }

    @Test("a plain screen writes the prompt once, and lines from a row of their own")
    func plain() {
        var screen = TerminalScreen(isCapable: false)

        #expect(screen.prompt("> ", editor: editor(""), columns: 40) == "> ")
        #expect(screen.prompt("> ", editor: editor("hel"), columns: 40) == "")
        #expect(screen.lines(["news"]) == "\nnews\n")
        #expect(screen.lines([]) == "")
        #expect(screen.prompt("> ", editor: editor("hel"), columns: 40) == "> ")
        #expect(screen.submit() == "")
    }

    @Test("escapes go only to a terminal that is not dumb and where NO_COLOR is not set")
    func capable() {
        #expect(StandardTerminal.isCapable(["TERM": "xterm"], isTerminal: true))
        #expect(StandardTerminal.isCapable(["TERM": "xterm", "NO_COLOR": ""], isTerminal: true))
        #expect(!StandardTerminal.isCapable(["TERM": "xterm"], isTerminal: false))
        #expect(!StandardTerminal.isCapable(["TERM": "dumb"], isTerminal: true))
        #expect(!StandardTerminal.isCapable([:], isTerminal: true))
        #expect(!StandardTerminal.isCapable(["TERM": "xterm", "NO_COLOR": "1"], isTerminal: true))
    }
}
