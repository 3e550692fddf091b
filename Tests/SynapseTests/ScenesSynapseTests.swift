import Foundation
import Models
import SceneScript
import Testing
import Workers

/// The scripts that are played on the embedded server, on Synapse, and those that are for plain homeservers alone.
@Suite("Scene files on Synapse", .enabled(if: Synapse.isThere), .serialized)
@MainActor
struct ScenesSynapseTests {
    nonisolated static let paths: [String] = {
        let own = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let folders = [
            own.deletingLastPathComponent().appendingPathComponent("SceneFiles"), own.appendingPathComponent("Scenes"),
        ]
        return folders.flatMap { folder in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            return names.filter { $0.hasSuffix(".scene") }.sorted().map { folder.appendingPathComponent($0).path }
        }
    }()

    /// Their goldens show the server's whole list of channels and every line that channels bring, as a server shows them that
    /// nobody else uses and that tells all of one change at once: these do not play on Synapse yet.
    private nonisolated static let notYet = Set(
        [
            "channel-deleted", "channel-deletion-cut-off", "channel-events", "channel-invitations", "channel-leave",
            "channel-many", "channel-names", "channel-privacy", "channels", "general-fails", "general-two-starters",
            "tokens-in-a-channel",
            "message-length",
        ].map { "\($0).scene" })

    private static func isNotYet(_ path: String) -> Bool {
        notYet.contains(URL(fileURLWithPath: path).lastPathComponent)
    }

    private final class Written {
        var output: [String] = []
        var error: [String] = []
    }

    @Test("plays as it is written, but for what needs a server in this process", arguments: paths)
    func plays(_ path: String) async throws {
        guard !Self.isNotYet(path) else { return Interoperability.note(scene: path, nil, skipped: []) }
        let written = Written()
        let output = TextOutput(
            standardOutput: { written.output.append($0) }, standardError: { written.error.append($0) })
        var options = SceneRun.Options(paths: [path])
        options.shortestDeadline = .seconds(60)
        var stageOptions = RemoteStage.Options()
        stageOptions.client = ClientOptions(generalChannel: true)
        let address = try Synapse.address()

        let status = await SceneRun(options, output: output) { [stageOptions] file throws(StageError) in
            try await RemoteStage(file.settings, at: address, options: stageOptions)
        }.play()

        #expect(status == .success || status == .skipped, "\(written.error.joined(separator: "\n"))")
        Interoperability.note(
            scene: path, status, skipped: (written.output + written.error).filter { $0.contains(": skipped: ") })
    }

    @Test("there are scripts here, of both kinds")
    func scripts() {
        #expect(Self.paths.filter { $0.contains("/SceneFiles/") }.count >= 15)
        #expect(Self.paths.contains { $0.contains("/SynapseTests/") })
    }
}
