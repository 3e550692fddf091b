import Foundation
import Models
import SceneScript
import Testing
import Workers

/// The scripts that are played on the embedded server, and those that are for plain homeservers alone.
@Suite("Scene files on Synapse", .enabled(if: Synapse.isThere), .serialized)
@MainActor
struct ScenesSynapseTests {
    @Test("plays as it is written, but for what needs a server in this process", arguments: SceneOnSynapse.shared)
    func plays(_ scene: SceneOnSynapse) async throws { try await scene.play(at: Synapse.address()) }

    @Test("there are scripts here, of both kinds")
    func scripts() {
        #expect(SceneOnSynapse.all.count { $0.path.contains("/SceneFiles/") } >= 28)
        #expect(SceneOnSynapse.all.contains { $0.path.contains("/SynapseTests/") })
        #expect(SceneOnSynapse.alone.count >= 13)
    }
}

/// Those that show the server's whole list of channels, each on a server that nobody else has used.
@Suite("Scene files on a Synapse of their own", .enabled(if: Synapse.isThere), .serialized)
@MainActor
struct ChannelScenesSynapseTests {
    @Test("plays as it is written, but for what needs a server in this process", arguments: SceneOnSynapse.alone)
    func plays(_ scene: SceneOnSynapse) async throws {
        let number = try #require(SceneOnSynapse.alone.firstIndex { $0.path == scene.path })
        try #require(number < Synapse.freshURLs.count, "\(Synapse.freshURLs.count) servers are too few")
        try await scene.play(at: Synapse.address(Synapse.freshURLs[number]))
    }
}

struct SceneOnSynapse: Sendable, CustomTestStringConvertible {
    let path: String

    var testDescription: String { URL(fileURLWithPath: path).lastPathComponent }

    static let all: [SceneOnSynapse] = {
        let own = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let folders = [
            own.deletingLastPathComponent().appendingPathComponent("SceneFiles"), own.appendingPathComponent("Scenes"),
        ]
        return folders.flatMap { folder in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            return names.filter { $0.hasSuffix(".scene") }.sorted()
                .map { SceneOnSynapse(path: folder.appendingPathComponent($0).path) }
        }
    }()

    static var shared: [SceneOnSynapse] { all.filter { !$0.isAlone } }
    static var alone: [SceneOnSynapse] { all.filter(\.isAlone) }

    /// Whoever looks at the list of channels sees General, and whatever else there is.
    private var isAlone: Bool {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }?
            .contains("General Channel") ?? false
    }

    private final class Written {
        var output: [String] = []
        var error: [String] = []
    }

    @MainActor
    func play(at address: ServerAddress) async throws {
        let written = Written()
        let output = TextOutput(
            standardOutput: { written.output.append($0) }, standardError: { written.error.append($0) })
        var options = SceneRun.Options(paths: [path])
        options.shortestDeadline = .seconds(60)
        var stageOptions = RemoteStage.Options()
        stageOptions.client = ClientOptions(generalChannel: true)
        stageOptions.isShared = !isAlone

        let status = await SceneRun(options, output: output) { [stageOptions] file throws(StageError) in
            try await RemoteStage(file.settings, at: address, options: stageOptions)
        }.play()

        #expect(status == .success || status == .skipped, "\(written.error.joined(separator: "\n"))")
        Interoperability.note(
            scene: path, status, skipped: (written.output + written.error).filter { $0.contains(": skipped: ") })
    }
}
