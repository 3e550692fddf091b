import Foundation
import SceneScript

/// `words run` and `words demo`: plays scene scripts.
@MainActor
struct RunCommand {
    private let invocation: Invocation
    private let streams: StandardStreams

    init(_ invocation: Invocation, streams: StandardStreams) {
        self.invocation = invocation
        self.streams = streams
    }

    func run() async throws {
        var options = try options(paths: invocation.operands)
        options.updates = invocation.has("update")
        if let report = invocation.value("report") {
            guard let known = SceneRun.Report(rawValue: report) else {
                throw UsageError("--report takes junit or json.", invocation.verb)
            }
            options.report = known
        }
        try await play(options, .files)
    }

    /// Plays the script that the program bears in itself.
    func demonstrate() async throws {
        let script = Data(PackageResources.demo_scene)
        var options = try options(paths: ["demo.scene"])
        options.summarises = false
        try await play(options, SceneSource { _ in script })
        streams.say("")
        streams.say("Two apps, one real server, one script. Now it is your turn: words")
    }

    private func options(paths: [String]) throws -> SceneRun.Options {
        var options = SceneRun.Options(paths: paths)
        options.traces = invocation.has("trace")
        options.environment = ProcessInfo.processInfo.environment
        return options
    }

    private func play(_ options: SceneRun.Options, _ source: SceneSource) async throws {
        var stage = EmbeddedStage.Options()
        stage.keepsFiles = invocation.has("keep")
        stage.parent = invocation.has("home") ? invocation.home : nil
        stage.width = try invocation.width()
        let status = await SceneRun(options, source: source, output: streams.output) {
            [stage] file throws(StageError) in
            try await EmbeddedStage(file.settings, options: stage)
        }.play()
        guard status == .success else { throw Failure(status) }
    }
}
