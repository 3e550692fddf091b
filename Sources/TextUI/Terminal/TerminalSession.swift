import Models
import Scenes

/// The app on a terminal: what is typed becomes commands, what the scenes print appears above the prompt.
@MainActor
public final class TerminalSession {
    /// A command may take this long before what has come meanwhile is printed.
    private static let patience = Duration.seconds(1)
    /// At most one key press in this time is told to the scene.
    private static let pauseBetweenKeys = Duration.seconds(1)
    /// How long saying goodbye may take after a signal.
    private static let farewell = Duration.seconds(2)

    private let application: TextApplication
    private let device: any TerminalDevice
    private let environment: Environment
    private let ringsBell: Bool
    /// Nil where the window decides.
    private let fixedWidth: Int?
    private var decoder = KeyDecoder()
    private var editor = LineEditor()
    private var screen: TerminalScreen
    private var question: Question?
    private var isBusy = true
    private var isFlushDue = false
    private var lastKey: Timestamp?
    /// What is being typed, as the scene knows it.
    private var toldDraft = ""
    private var ending: TerminalEnding?
    private var ended: CheckedContinuation<Void, Never>?

    /// - Parameters:
    ///   - ringsBell: Whether a new message rings the terminal's bell.
    ///   - fixedWidth: Columns that hold whatever size the window has.
    public init(
        application: TextApplication, device: any TerminalDevice, environment: Environment, ringsBell: Bool = false,
        fixedWidth: Int? = nil
    ) {
        self.application = application
        self.device = device
        self.environment = environment
        self.ringsBell = ringsBell
        self.fixedWidth = fixedWidth
        screen = TerminalScreen(isCapable: device.isCapable)
    }

    /// Runs until somebody quits, the input ends or a signal comes. The terminal is then as it was.
    public func run() async -> TerminalEnding {
        let events = device.start()
        resize()
        application.onDisplay = { [weak self] in self?.flushSoon() }
        application.onNews = { [weak self] in self?.ring() }
        let loop = Task { await self.loop(events) }
        await withCheckedContinuation { continuation in
            if ending == nil { ended = continuation } else { continuation.resume() }
        }
        loop.cancel()
        let unsent = await application.unsentNotice()
        await sayGoodbye()
        application.onDisplay = nil
        application.onNews = nil
        if let unsent { application.say(unsent) }
        device.write(screen.lines(application.takeLines()) + screen.leavePrompt(keeping: true))
        device.end()
        return ending ?? .endOfInput
    }

    /// Ends the run, once; a command under way is not waited for.
    private func end(_ ending: TerminalEnding) {
        guard self.ending == nil else { return }
        self.ending = ending
        ended?.resume()
        ended = nil
    }

    /// A server that does not answer must not keep anybody from leaving.
    private func sayGoodbye() async {
        let environment = environment
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let once = Once(continuation)
            let timer = environment.clock.schedule(after: Self.farewell) { Task { @MainActor in once.resume() } }
            Task { @MainActor in
                await application.shutDown()
                timer.cancel()
                once.resume()
            }
        }
    }

    private func loop(_ events: AsyncStream<TerminalEvent>) async {
        let (inputs, continuation) = AsyncStream<[UInt8]>.makeStream()
        let urgent = Task {
            for await event in events { self.take(event, continuation) }
            continuation.finish()
        }
        await busily { await application.launch() }
        for await bytes in inputs {
            for key in decoder.keys(in: bytes) where ending == nil { await press(key) }
            await tellDraft()
        }
        urgent.cancel()
        end(.endOfInput)
    }

    /// Signals do not wait for the command under way; keys do.
    private func take(_ event: TerminalEvent, _ inputs: AsyncStream<[UInt8]>.Continuation) {
        switch event {
        case .bytes(let bytes): inputs.yield(bytes)
        case .end: inputs.finish()
        case .signal(let number): end(.signal(number))
        case .continued:
            screen.forget()
            drawPrompt()
        case .resized:
            resize()
            drawPrompt()
        }
    }

    private func resize() {
        guard fixedWidth == nil, let columns = device.columns else { return }
        application.width = columns
    }
}

extension TerminalSession {
    private func press(_ key: Key) async {
        switch editor.handle(key) {
        case .changed:
            tellTyping()
            drawPrompt()
        case .redraw:
            device.write(screen.clear())
            device.write(screen.lines(application.screen))
            drawPrompt()
        case .submit(let line):
            device.write(screen.submit())
            await take(line)
            drawPrompt()
        case .end: end(.endOfInput)
        case nil: break
        }
    }

    private func take(_ line: String) async {
        if var open = question {
            question = nil
            open.answer(line)
            if line.isEmpty {
                application.say("Nothing was done: an answer was missing.")
                flush()
            } else {
                await carryOut(open)
            }
            return showEcho()
        }
        switch InputLine(typed: line, in: application.scene) {
        case .nothing: break
        case .fault(let error):
            application.say(error.message)
            flush()
        case .command(let command):
            // A misplaced command is better told so at once than after its questions.
            let isFit = CommandCatalogue[command.name]?.scenes.contains(application.scene) ?? false
            if isFit, command.positional.isEmpty, let question = Question(completing: command) {
                await carryOut(question)
            } else {
                await perform(command)
            }
        }
        showEcho()
    }

    /// Asks for what is missing; carries out the command once nothing is.
    private func carryOut(_ question: Question) async {
        if question.isAnswered {
            editor.isHidden = false
            showEcho()
            await perform(question.command)
        } else {
            self.question = question
        }
    }

    private func perform(_ command: Command) async {
        await busily { _ = await application.perform(command) }
        if application.hasQuit { end(.quit) }
    }

    private func showEcho() {
        editor.isHidden = question?.isSecret ?? false
        device.setEcho(!editor.isHidden)
    }

    /// Once for all that has come together: what is pasted is counted as a whole.
    private func tellDraft() async {
        guard device.isCapable, question == nil, ending == nil, application.scene == .chatroom else { return }
        var draft = ""
        if case .command(let command) = InputLine(typed: editor.text, in: .chatroom), command.name == "send" {
            draft = command.positional.first ?? ""
        }
        guard draft != toldDraft else { return }
        toldDraft = draft
        await application.draftChanged(draft)
        drawPrompt()
    }

    private func tellTyping() {
        let now = environment.clock.now
        let isMessage = !editor.text.isEmpty && !editor.text.hasPrefix("/") && question == nil
        guard device.isCapable, isMessage, application.scene == .chatroom,
            lastKey.map({ now - $0 >= Self.pauseBetweenKeys }) ?? true
        else { return }
        lastKey = now
        environment.activity.run("key") { await self.application.keyPressed() }
    }
}

extension TerminalSession {
    /// Nothing but the end of `work`, or its taking long, prints: what a command shows comes in one piece.
    private func busily(_ work: () async -> Void) async {
        isBusy = true
        let timer = environment.clock.schedule(after: Self.patience) { Task { @MainActor in self.showProgress() } }
        await work()
        timer.cancel()
        showProgress()
    }

    private func showProgress() {
        isBusy = false
        flush()
        drawPrompt()
    }

    /// The same step may present more: all of it is printed together.
    private func flushSoon() {
        guard !isBusy, !isFlushDue else { return }
        isFlushDue = true
        Task { @MainActor in
            isFlushDue = false
            guard !isBusy else { return }
            flush()
            drawPrompt()
        }
    }

    private func flush() { device.write(screen.lines(application.takeLines())) }

    private func drawPrompt() {
        guard !isBusy, ending == nil, !application.hasQuit else { return }
        let columns = fixedWidth ?? device.columns ?? application.width
        device.write(screen.prompt(question?.prompt ?? application.prompt, editor: editor, columns: columns))
    }

    private func ring() {
        if ringsBell, device.isCapable { device.write(EscapeSequences.bell) }
    }
}

/// Resumes a continuation once, whoever comes first.
@MainActor
private final class Once {
    private var continuation: CheckedContinuation<Void, Never>?

    init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }

    func resume() {
        continuation?.resume()
        continuation = nil
    }
}
