import Models
import TextUI

/// Told what happens while a script plays.
@MainActor
public protocol RunObserver: AnyObject {
    func began(_ file: SceneFile)
    func began(_ phase: PhaseResult)
    func played(_ step: StepResult)
    /// A hop of the VIP cycle in an actor's app.
    func traced(_ line: () -> String, by actor: String)
    func ended(_ result: SceneResult)
}

/// Plays one script on one stage, step by step; each step ends settled.
@MainActor
public final class ScriptRunner {
    let file: SceneFile
    let stage: any Stage
    weak var observer: (any RunObserver)?
    private let realTime: any WallClock
    var actors: [String: Actor] = [:]
    /// What commands have returned, by the names that the script gives them.
    private var kept: [String: String] = [:]

    /// - Parameter realTime: For deadlines; what the script is about happens in the stage's time.
    public init(
        _ file: SceneFile, on stage: any Stage, observer: (any RunObserver)? = nil,
        realTime: any WallClock = SystemClock()
    ) {
        self.file = file
        self.stage = stage
        self.observer = observer
        self.realTime = realTime
    }

    /// Plays it to its end, or to the first failure after which nothing that follows would mean anything.
    public func play() async -> SceneResult {
        let start = realTime.now
        var result = SceneResult(path: file.path, title: file.title)
        result.isWords = stage.isWords
        observer?.began(file)
        for phase in file.phases {
            let (played, goesOn) = await play(phase)
            result.phases.append(played)
            guard goesOn else { break }
        }
        for name in actors.keys.sorted() { await leave(name) }
        result.duration = realTime.now - start
        observer?.ended(result)
        return result
    }

    private func play(_ phase: ScenePhase) async -> (PhaseResult, goesOn: Bool) {
        let start = realTime.now
        var result = PhaseResult(title: phase.title, location: phase.location)
        result.skipped = obstacle(to: phase)
        guard result.skipped == nil else {
            observer?.began(result)
            return (result, true)
        }
        observer?.began(result)
        for step in phase.steps {
            let played = await play(step)
            result.steps.append(played)
            result.duration = realTime.now - start
            observer?.played(played)
            if let failure = played.failure, failure.kind != .golden { return (result, false) }
        }
        return (result, true)
    }

    /// Why this stage cannot play it; nil where it can.
    private func obstacle(to phase: ScenePhase) -> String? {
        if !stage.hasClock, let step = phase.steps.first(where: \.action.needsOwnServer) {
            return "line \(step.location.line) needs the in-process server"
        }
        if !stage.isWords, let step = phase.steps.first(where: { $0.action == .server(.words) }) {
            return "line \(step.location.line) needs a Words server"
        }
        return nil
    }

    private func play(_ step: SceneStep) async -> StepResult {
        var result = StepResult(step: step)
        do throws(StepFailure) {
            try await act(step)
            result.output = takeLines(of: step)
            result.failure = mismatch(of: result)
        } catch {
            result.output = takeLines(of: step)
            result.failure = error
        }
        if let name = step.action.actor, actors[name]?.application.hasQuit == true { await leave(name) }
        return result
    }

    private func takeLines(of step: SceneStep) -> [String] {
        let lines = actors[step.action.actor ?? ""]?.application.takeLines() ?? []
        return lines.map(stage.shown)
    }

    private func mismatch(of result: StepResult) -> StepFailure? {
        guard let golden = result.step.golden else { return nil }
        let name = result.step.action.actor ?? ""
        let lines = stage.hasClock ? golden.lines : golden.lines.map(Self.withoutTimes)
        let output = stage.hasClock ? result.output : result.output.map(Self.withoutTimes)
        let difference = GoldenComparison(golden: lines, output: output, isWords: stage.isWords)
            .difference(expectedName: "\(golden.location.file):\(golden.location.line) \(name)", actualName: "printed")
        return difference.map { difference in
            StepFailure(
                .golden, at: golden.location, actor: name, "What was printed differs.", details: difference.lines)
        }
    }

    /// Real time is nobody's to predict: each `09:00` matches each other, with seconds and without.
    private static func withoutTimes(_ line: String) -> String {
        line.replacing(#/\b\d{1,2}:\d{2}(?::\d{2})?(?: ?[AP]M)?\b/#, with: "00:00")
    }
}

// MARK: - Steps

extension ScriptRunner {
    private func act(_ step: SceneStep) async throws(StepFailure) {
        switch step.action {
        case .perform(let name, let command):
            return try await perform(command, by: try await actor(name, at: step), step)
        case .await(let name, let predicate, let limit):
            try await expect(predicate, of: try await actor(name, at: step), within: limit, step)
        case .refute(let name, let predicate): try await refute(predicate, of: try await actor(name, at: step), step)
        case .advance(let duration):
            try await stage.advance(by: duration) { () async throws(StepFailure) in try await self.settle(step) }
        case .network(let fault): await stage.apply(fault)
        case .server(let fault): try await apply(fault, step)
        case .request(let request): try await ask(request, by: try await actor(request.actor, at: step), step)
        }
        try await settle(step)
    }

    private func perform(_ command: SceneCommand, by actor: Actor, _ step: SceneStep) async throws(StepFailure) {
        let whole: Command
        do { whole = try command.command(with: kept) } catch {
            throw StepFailure(.script, at: step.location, actor: actor.name, error.message)
        }
        let adapted = stage.adapted(whole, of: actor.name)
        let application = actor.application
        let outcome = try await counted("The command was not done", step, actor) {
            await application.perform(adapted)
        }
        switch outcome {
        case nil:
            // It waits for time to pass or for a fault to end, and goes on then.
            guard let name = command.capture else { return }
            throw StepFailure(
                .script, at: step.location, actor: actor.name, "`\(whole.name)` waits and has nothing for $\(name) yet."
            )
        case .done(let value):
            guard let name = command.capture else { return }
            guard let value else {
                throw StepFailure(
                    .script, at: step.location, actor: actor.name,
                    "`\(whole.name)` returns nothing to keep as $\(name).")
            }
            kept[name] = value
        case .failed: return
        case .notHere(let reason):
            guard step.golden == nil else { return }
            throw StepFailure(.expectation, at: step.location, actor: actor.name, reason, details: look(at: actor))
        case .usage(let reason):
            guard step.golden == nil else { return }
            throw StepFailure(.script, at: step.location, actor: actor.name, reason)
        }
    }

    private func expect(
        _ predicate: Predicate, of actor: Actor, within limit: Duration?, _ step: SceneStep
    ) async throws(StepFailure) {
        let application = actor.application
        guard !holds(predicate, application) else { return }
        let limit = limit ?? file.settings.deadline
        let came: Void? = await Deadline(clock: realTime, limit: limit).first { finish in
            application.onDisplay = { if self.holds(predicate, application) { finish(()) } }
        }
        application.onDisplay = nil
        guard came == nil else { return }
        throw late(step, actor, "This has not come true within \(DurationText.text(limit)).")
    }

    private func holds(_ predicate: Predicate, _ application: any ScriptApplication) -> Bool {
        predicate.holds(of: stage.shown(application.facts))
    }

    private func refute(_ predicate: Predicate, of actor: Actor, _ step: SceneStep) async throws(StepFailure) {
        func check(_ when: String) throws(StepFailure) {
            guard holds(predicate, actor.application) else { return }
            throw StepFailure(
                .expectation, at: step.location, actor: actor.name, "This is true \(when), and is not to be.",
                details: look(at: actor))
        }
        try check("now")
        try await settle(step)
        try check("once everything has settled")
    }

    /// Does `work` and lets everything settle. Nil where it is not done by then, since it waits for time or for a fault.
    func counted<Result: Sendable>(
        _ late: String, _ step: SceneStep, _ actor: Actor, _ work: @escaping @MainActor @Sendable () async -> Result
    ) async throws(StepFailure) -> Result? {
        let outcome = Outcome<Result>()
        stage.begin { outcome.value = await work() }
        do { try await settle(step) } catch {
            guard outcome.value == nil else { throw error }
            let limit = DurationText.text(file.settings.deadline)
            throw self.late(step, actor, "\(late) within \(limit).")
        }
        return outcome.value
    }

    @MainActor
    private final class Outcome<Value: Sendable> {
        var value: Value?
    }

    /// What the server answers is to have the status that the script demands.
    private func ask(_ request: RequestStep, by actor: Actor, _ step: SceneStep) async throws(StepFailure) {
        let whole = request.request(with: kept)
        let stage = stage
        let answer = try await counted("The request was not answered", step, actor) {
            await stage.answer(to: whole, of: actor.name)
        }
        switch answer {
        case .success(let answer)?:
            guard answer.status != request.status else { return }
            let words = answer.code.map { ": \($0) \(Sanitiser.line(answer.words ?? "").text)" } ?? ""
            throw StepFailure(
                .expectation, at: step.location,
                "The answer has the status \(answer.status)\(words), and is to have \(request.status).")
        case .failure(let error)?:
            throw StepFailure(StepFailure.Kind(error.status), at: step.location, error.description)
        case nil: return
        }
    }

    private func apply(_ fault: ServerStep, _ step: SceneStep) async throws(StepFailure) {
        guard fault != .words else { return }
        let stage = stage
        let result = await deadline.run { () -> Result<Void, StageError> in
            do throws(StageError) { return .success(try await stage.apply(fault)) } catch { return .failure(error) }
        }
        switch result {
        case .success?: return
        case .failure(let error)?:
            throw StepFailure(StepFailure.Kind(error.status), at: step.location, error.description)
        case nil:
            throw late(step, nil, "The server has not done it within \(DurationText.text(file.settings.deadline)).")
        }
    }

    func settle(_ step: SceneStep) async throws(StepFailure) {
        let stage = stage
        guard await deadline.run({ await stage.settle() }) == nil else { return }
        let limit = DurationText.text(file.settings.deadline)
        throw late(step, step.action.actor.flatMap { actors[$0] }, "Not everything has settled within \(limit).")
    }

    var deadline: Deadline { Deadline(clock: realTime, limit: file.settings.deadline) }
}

extension SceneAction {
    /// Whether only a server in this process, and a clock of the script's own, can do it.
    var needsOwnServer: Bool {
        switch self {
        case .advance, .server(.restart), .server(.expireToken): true
        case .server(.words), .perform, .await, .refute, .network, .request: false
        }
    }
}
