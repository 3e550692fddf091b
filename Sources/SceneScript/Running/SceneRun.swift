import Foundation
import Models
import TextUI

/// `words run FILE…`: plays each script on a stage of its own, one after another, and says how it went.
@MainActor
public struct SceneRun {
    public enum Report: String, Sendable, CaseIterable { case junit, json }

    public struct Options: Sendable {
        public var paths: [String]
        /// Whether failing golden blocks are rewritten.
        public var updates = false
        public var traces = false
        /// Takes the place of the transcript.
        public var report: Report?
        /// Where a script gives its steps less real time than this, they get this: a busy machine is no failure.
        public var shortestDeadline = Duration.zero
        /// The process's environment, where `CI` forbids updates.
        public var environment: [String: String] = [:]
        /// Whether a line on standard error says how each script went.
        public var summarises = true

        public init(paths: [String]) { self.paths = paths }
    }

    /// Makes the stage for one script.
    public typealias StageMaker = @MainActor (SceneFile) async throws(StageError) -> any Stage

    private let options: Options
    private let source: SceneSource
    private let output: TextOutput
    private let realTime: any WallClock
    private let commandFault: (String) -> String?
    private let makeStage: StageMaker

    /// - Parameter commandFault: What is wrong with the name of a command; nil where the apps know it.
    public init(
        _ options: Options, source: SceneSource = .files, output: TextOutput,
        realTime: any WallClock = SystemClock(),
        commandFault: @escaping (String) -> String? = CommandCatalogue.fault(ofName:),
        makeStage: @escaping StageMaker
    ) {
        self.options = options
        self.source = source
        self.output = output
        self.realTime = realTime
        self.commandFault = commandFault
        self.makeStage = makeStage
    }

    /// Plays all of them; the worst decides.
    public func play() async -> RunStatus {
        if options.updates, GoldenUpdate.isForbidden(in: options.environment) {
            output.standardError("words: \(UpdateRefusal.continuousIntegration)")
            return .usage
        }
        let transcript = Transcript(
            to: output, showsSteps: options.report == nil, showsTrace: options.traces,
            summarises: options.summarises)
        var results: [SceneResult] = []
        for path in options.paths {
            if options.paths.count > 1, options.report == nil {
                output.standardOutput((results.isEmpty ? "" : "\n") + "## \(path)")
            }
            results.append(await play(path, transcript))
        }
        let status = results.map(\.status).max() ?? .success
        guard report(results) else { return .fault }
        return options.updates ? max(update(results), isMended(results) ? .success : status) : status
    }

    private func play(_ path: String, _ transcript: Transcript) async -> SceneResult {
        var result = SceneResult(path: path)
        var file: SceneFile
        do throws(ScriptError) { file = try SceneParser.parse(path: path, source: source) } catch {
            result.failure = StepFailure(error)
            output.standardError("\(error)")
            return result
        }
        let unknown = file.unknownCommands(commandFault)
        guard unknown.isEmpty else {
            result.failure = StepFailure(unknown[0])
            unknown.forEach { output.standardError("\($0)") }
            return result
        }
        file.settings.deadline = max(file.settings.deadline, options.shortestDeadline)
        do throws(StageError) {
            let stage = try await makeStage(file)
            result = await ScriptRunner(file, on: stage, observer: transcript, realTime: realTime).play()
            for note in await stage.close() { output.standardError(note) }
        } catch {
            result.failure = StepFailure(
                StepFailure.Kind(error.status), at: SourceLocation(file: path, line: 1),
                error.description)
            output.standardError("\(error)")
        }
        return result
    }

    private func report(_ results: [SceneResult]) -> Bool {
        do {
            let lines =
                switch options.report {
                case nil: [String]()
                case .junit: JUnitReport.lines(of: results)
                case .json: try JSONReport.lines(of: results)
                }
            lines.forEach(output.standardOutput)
            return true
        } catch {
            output.standardError("words: The report could not be written: \(error)")
            return false
        }
    }

    private func isMended(_ results: [SceneResult]) -> Bool {
        results.flatMap(\.failures).allSatisfy { $0.kind == .golden }
    }

    /// Rewrites the goldens, unless something else failed as well.
    private func update(_ results: [SceneResult]) -> RunStatus {
        do throws(UpdateRefusal) {
            if let other = results.flatMap(\.failures).first(where: { $0.kind != .golden }) {
                throw .otherFailure(other.location)
            }
            for path in try GoldenUpdate(outcomes: results.flatMap(\.goldens)).apply() {
                output.standardError("\(path): updated")
            }
            return .success
        } catch {
            output.standardError("words: \(error)")
            return .differs
        }
    }
}
