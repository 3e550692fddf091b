import Models
import Scenes
import Workers

/// One person's app on one screen: the navigation stack of text views over the headless scenes.
///
/// It holds no terminal: lines come out as text, commands come in as values, and neither knows where it is shown.
@MainActor
public final class TextApplication {
    /// Called after every view model that has been presented; what is asked of the application then is up to date.
    public var onDisplay: (@MainActor () -> Void)?
    /// Called when a message of somebody else's has come.
    public var onNews: (@MainActor () -> Void)?
    public private(set) var hasQuit = false

    /// In columns; no line printed from now on gets wider.
    public var width: Int {
        get { columns.count }
        set { columns.count = newValue }
    }

    private let chat: any ChatWorkerLogic
    private let columns: ScreenColumns
    private var factory: (any SceneFactory)?
    private var stack: [any SceneView] = []
    /// Lines printed by scenes that may be gone when they are asked for.
    private var printed: [SafeLine] = []

    /// - Parameters:
    ///   - width: No line gets wider, in columns; at least 1.
    ///   - trace: Gets each hop of the VIP cycle.
    ///   - messageLimit: How many characters a message in a channel may have.
    public convenience init(
        users: any UsersWorkerLogic, chat: any ChatWorkerLogic, environment: Environment, width: Int,
        trace: Trace = .off, messageLimit: Int = ClientOptions().messageLimit
    ) {
        self.init(chat: chat, width: width)
        factory = SceneAssembly(
            users: users, chat: chat, environment: environment, context: context(environment.activity, trace),
            messageLimit: messageLimit)
    }

    /// With scenes made by `factory`.
    init(chat: any ChatWorkerLogic, width: Int, factory: ((ViewContext) -> any SceneFactory)? = nil) {
        self.chat = chat
        columns = ScreenColumns(width)
        self.factory = factory?(context(Activity(), .off))
    }

    private func context(_ activity: Activity, _ trace: Trace) -> ViewContext {
        ViewContext(
            columns: columns, trace: trace, activity: activity,
            onDisplay: { [weak self] in self?.onDisplay?() }, onNews: { [weak self] in self?.onNews?() })
    }

    /// Shows Launch, which goes on by itself. Returns once the scene that it leads to stands.
    public func launch() async {
        guard let view = factory?.makeLaunch(navigator: self) else { return }
        await show(view)
    }

    /// Carries out a command in the scene on top. Returns once the scene has presented the outcome.
    public func perform(_ command: Command) async -> CommandOutcome {
        guard let view = stack.last else { return .notHere("Nothing is on the screen yet.") }
        collect()
        if let fault = CommandCatalogue.fault(of: command, in: view.scene) {
            say(fault.reason ?? "")
            return fault
        }
        switch command.name {
        case "help":
            printed += HelpRenderer.lines(about: command.positional.first, in: view.scene, width: width)
            return .done()
        case "screen":
            printed += view.screen
            return .done()
        case "quit":
            await shutDown()
            return .done()
        default: return await perform(command, in: view)
        }
    }

    private func perform(_ command: Command, in view: any SceneView) async -> CommandOutcome {
        let outcome = await view.perform(command)
        // Welcome only shows the way to the scene that the command is meant for.
        let leadsOn = view.scene == .welcome && !command.named.isEmpty
        guard leadsOn, let next = stack.last, next !== view else { return outcome }
        return await next.perform(command)
    }

    /// All that is to be printed since the last call, no line wider than the width.
    public func takeLines() -> [String] {
        collect()
        defer { printed = [] }
        return printed.map { $0.cut(to: width).trimmed.text }
    }

    /// The whole current screen, no line wider than the width.
    public var screen: [String] { stack.last?.screen.map { $0.cut(to: width).trimmed.text } ?? [] }

    /// What to print before the cursor: whose app it is, the scene, and what has changed there silently.
    public var prompt: String {
        guard let view = stack.last else { return "> " }
        let own = stack.lazy.compactMap { ($0 as? any ListView)?.shownOwnName }.first
        let whole: SafeLine = own.map { "\($0) · \(view.promptTitle)" } ?? view.promptTitle
        return whole.cut(to: max(1, width - 2)).text + "> "
    }

    /// The scene on top.
    public var scene: SceneName { stack.last?.scene ?? .launch }

    /// What a script may look at.
    public var facts: ScreenFacts {
        var facts = ScreenFacts(scene: scene)
        stack.last?.describe(in: &facts)
        facts.screen = screen
        return facts
    }

    /// A key was pressed on the way to a message: the others see somebody typing. Prints nothing.
    public func keyPressed() async { await (stack.last as? ChatroomView)?.keyPressed() }

    /// What is being typed is another: in a channel its length shows in the prompt and on the screen, once it is near the
    /// limit. Prints nothing.
    public func draftChanged(_ text: String) async { await (stack.last as? ChatroomView)?.draftChanged(text) }

    /// A line for the person that no scene has a part in: an unknown command, a fault of the grammar.
    public func say(_ text: String) {
        printed += NoticeRenderer.lines(of: Journal.Notice(text: RemoteText(text), isError: true), width: width)
    }

    /// Ends the app as `quit` does: the scenes go, and the others see that one is offline.
    public func shutDown() async {
        guard !hasQuit else { return }
        hasQuit = true
        collect()
        stack.forEach { $0.leave() }
        await chat.disconnect()
    }

    /// Says how many messages have not been sent; nil where all have.
    public func unsentNotice() async -> String? {
        guard let state = await chat.currentState() else { return nil }
        let unsent = state.rooms.values.flatMap(\.timeline.outgoing).map(\.state).filter { state in
            if case .sent = state { false } else { true }
        }
        let count = unsent.count
        guard count > 0 else { return nil }
        let what = count == 1 ? "One message has not been sent." : "\(count) messages have not been sent."
        if unsent.contains(.failed(.sessionEnded)) {
            return "\(what) \(count == 1 ? "It is" : "They are") gone with the session."
        }
        let kept = count == 1 ? "It is kept and goes out" : "They are kept and go out"
        return "\(what) \(kept) \(state.connection == .ended ? "once you sign in again" : "when Words runs again")."
    }

    /// Says that there is no connection to the server; nil where there is one, and where nobody is signed in.
    public func offlineNotice() async -> String? {
        switch await chat.currentState()?.connection {
        case .online?, nil: nil
        case .ended?: "The session is over. Sign in again."
        case .connecting?, .offline?: "The server cannot be reached. What was shown is what was known before."
        }
    }

    private func collect() {
        if let view = stack.last { printed += view.takeLines() }
    }

    private func show(_ view: any SceneView) async {
        stack.forEach { $0.leave() }
        stack = [view]
        await view.start()
    }
}

extension TextApplication: Navigator {
    public func showWelcome(notice: RemoteText?) async {
        guard let view = factory?.makeWelcome(navigator: self, notice: notice) else { return }
        await show(view)
    }

    public func showLogin(prepare: (any LoginDataStore) -> Void) async {
        guard let (view, dataStore) = factory?.makeLogin(navigator: self) else { return }
        prepare(dataStore)
        await show(view)
    }

    public func showSignup(prepare: (any SignupDataStore) -> Void) async {
        guard let (view, dataStore) = factory?.makeSignup(navigator: self) else { return }
        prepare(dataStore)
        await show(view)
    }

    public func showListContacts(prepare: (any ListContactsDataStore) -> Void) async {
        guard let (view, dataStore) = factory?.makeListContacts(navigator: self) else { return }
        prepare(dataStore)
        await show(view)
    }

    public func showListChannels(prepare: (any ListChannelsDataStore) -> Void) async {
        guard let (view, dataStore) = factory?.makeListChannels(navigator: self) else { return }
        prepare(dataStore)
        await show(view)
    }

    public func showChatroom(prepare: (any ChatroomDataStore) -> Void) async {
        guard let (view, dataStore) = factory?.makeChatroom(navigator: self) else { return }
        prepare(dataStore)
        stack.last?.dropLines()
        stack.append(view)
        await view.start()
    }

    public func dismiss() async {
        guard stack.count > 1, let view = stack.popLast() else { return }
        view.leave()
        stack.last?.comeBack()
        onDisplay?()
    }
}
