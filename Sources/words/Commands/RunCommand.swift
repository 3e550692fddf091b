import Foundation
import SceneScript
import Workers

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
        let stages = StageBox(try StageOptions(invocation))
        let signals = Signals { number in
            Task {
                await stages.close()
                exit(128 + number)
            }
        }
        defer { withExtendedLifetime(signals) {} }
        let status = await SceneRun(options, source: source, output: streams.output) { file throws(StageError) in
            try await stages.stage(for: file.settings)
        }.play()
        guard status == .success else { throw Failure(status) }
    }
}

/// Knows the stage that is being played on, so that a signal leaves no server and no folder behind.
@MainActor
private final class StageBox {
    private let options: StageOptions
    private var stage: (any Stage)?

    init(_ options: StageOptions) { self.options = options }

    func stage(for settings: SceneSettings) async throws(StageError) -> any Stage {
        let stage = try await options.stage(for: settings)
        self.stage = stage
        return stage
    }

    func close() async { _ = await stage?.close() }
}

/// Where scripts play, by the command line and by what they say themselves; the command line wins.
@MainActor
private struct StageOptions {
    private let server: ServerAddress?
    private let allowsInsecure: Bool
    private var embedded = EmbeddedStage.Options()
    private var remote = RemoteStage.Options()

    init(_ invocation: Invocation) throws {
        server = try invocation.serverAddress()
        allowsInsecure = invocation.has("insecure")
        embedded.keepsFiles = invocation.has("keep")
        embedded.parent = invocation.has("home") ? invocation.home : nil
        embedded.width = try invocation.width()
        remote.keepsFiles = embedded.keepsFiles
        remote.parent = embedded.parent
        remote.width = embedded.width
        remote.client = try invocation.clientOptions()
    }

    func stage(for settings: SceneSettings) async throws(StageError) -> any Stage {
        var address = server
        if address == nil, case .at(let text) = settings.server {
            do throws(ServerAddress.Fault) { address = try ServerAddress(text) } catch {
                throw StageError(.usage, "`set server=` takes a name or a URL, as in https://words.example.")
            }
        }
        guard let address else { return try await EmbeddedStage(settings, options: embedded) }
        guard !address.isPlain || allowsInsecure else {
            throw StageError(.usage, "Plain http to \(address.url.host ?? "others") is for --insecure only.")
        }
        return try await RemoteStage(settings, at: address, options: remote)
    }
}
