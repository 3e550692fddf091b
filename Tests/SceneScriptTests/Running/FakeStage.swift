import Models
import TextUI
import Workers

@testable import SceneScript

/// An app that says what it is told to say.
@MainActor
final class FakeApplication: ScriptApplication {
    enum Call: Equatable { case launch, perform(Command), shutDown }

    private(set) var calls: [Call] = []
    var lines: [String] = []
    var screen = ["the screen"]
    var facts = ScreenFacts(scene: .welcome)
    var onDisplay: (@MainActor () -> Void)?
    var hasQuit = false
    /// What it does with a command.
    var onPerform: (FakeApplication, Command) async -> CommandOutcome
    /// What has been put off.
    var later: () -> Void = {}
    let trace: TraceRecorder

    init(
        trace: @escaping TraceRecorder = { _ in },
        onPerform: @escaping (FakeApplication, Command) async -> CommandOutcome
    ) {
        self.trace = trace
        self.onPerform = onPerform
    }

    func launch() async {
        calls.append(.launch)
        lines.append("launched")
    }

    func perform(_ command: Command) async -> CommandOutcome {
        calls.append(.perform(command))
        trace { "Fake.\(command.name)" }
        return await onPerform(self, command)
    }

    func takeLines() -> [String] {
        defer { lines = [] }
        return lines
    }

    func shutDown() async { calls.append(.shutDown) }

    func show(_ change: (inout ScreenFacts) -> Void) {
        change(&facts)
        onDisplay?()
    }
}

/// A stage of fake apps; `echo "x"` prints x, `fail` is refused, `quit` quits, `id` returns one.
@MainActor
final class FakeStage: Stage {
    enum Call: Equatable {
        case settle, advance(Duration), network(NetworkStep), server(ServerStep), request(MatrixRequest, String), close
    }

    private(set) var calls: [Call] = []
    var applications: [String: FakeApplication] = [:]
    var onSettle: () async -> Void = {}
    var onAdvance: () -> Void = {}
    var outstanding: [String] = []
    private let activity = Activity()
    var hasClock = true
    var isWords = true
    var onShown: (ScreenFacts) -> ScreenFacts = { $0 }
    var error: StageError?
    var answer = MatrixAnswer(status: 200)
    var onPerform: (FakeApplication, Command) async -> CommandOutcome = FakeStage.echo

    static func echo(_ application: FakeApplication, _ command: Command) async -> CommandOutcome {
        switch command.name {
        case "echo": application.lines += command.positional
        case "fail": return .failed(reason: "refused")
        case "id": return .done(value: "id-1")
        case "quit": application.hasQuit = true
        case "elsewhere": return .notHere("elsewhere is for another scene.")
        case "nonsense": return .usage("There is no command nonsense.")
        case "hang": await hang()
        default: break
        }
        return .done()
    }

    /// Does not return.
    static func hang() async {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        for await _ in stream {}
        continuation.finish()
    }

    func application(
        for actor: String, trace: @escaping TraceRecorder
    ) async throws(StageError) -> any ScriptApplication {
        if let error { throw error }
        let application = FakeApplication(trace: trace, onPerform: onPerform)
        applications[actor] = application
        return application
    }

    func begin(_ work: @escaping @MainActor @Sendable () async -> Void) { activity.run("work", work) }

    func apply(_ step: NetworkStep) async { calls.append(.network(step)) }

    func apply(_ step: ServerStep) async throws(StageError) {
        calls.append(.server(step))
        if let error { throw error }
    }

    func answer(to request: MatrixRequest, of actor: String) async -> Result<MatrixAnswer, StageError> {
        calls.append(.request(request, actor))
        return error.map { .failure($0) } ?? .success(answer)
    }

    func settle() async {
        calls.append(.settle)
        await activity.idle()
        await onSettle()
    }

    func advance(
        by duration: Duration, settle: () async throws(StepFailure) -> Void
    ) async throws(StepFailure) {
        calls.append(.advance(duration))
        onAdvance()
        try await settle()
    }

    func adapted(_ command: Command, of actor: String) -> Command { command }

    func shown(_ line: String) -> String { line }

    func shown(_ facts: ScreenFacts) -> ScreenFacts { onShown(facts) }

    func close() async -> [String] {
        calls.append(.close)
        return []
    }
}

/// What an observer was told.
@MainActor
final class ObserverSpy: RunObserver {
    enum Call: Equatable { case file(String), phase(String?), step(String), trace(String), end(RunStatus) }

    private(set) var calls: [Call] = []

    func began(_ file: SceneFile) { calls.append(.file(file.path)) }
    func began(_ phase: PhaseResult) { calls.append(.phase(phase.title)) }
    func played(_ step: StepResult) { calls.append(.step(step.step.text)) }
    func traced(_ line: () -> String, by actor: String) { calls.append(.trace("\(actor) \(line())")) }
    func ended(_ result: SceneResult) { calls.append(.end(result.status)) }
}

/// Real time that passes when a test says so, at once where something waits for it.
final class ImpatientClock: WallClock {
    private let clock = VirtualClock(now: Timestamp(milliseconds: 0))
    var now: Timestamp { clock.now }

    /// Every delay is over once the tasks that are under way have had their turn.
    func schedule(after delay: Duration, _ fire: @escaping @Sendable () -> Void) -> any ScheduledTimer {
        let timer = clock.schedule(after: delay, fire)
        Task { @MainActor in
            for _ in 0..<50 { await Task.yield() }
            _ = clock.fireNext(upTo: clock.now + delay)
        }
        return timer
    }
}
