import Foundation
import SceneScript
import Testing

/// Plays every script of this folder as `words run` does.
@Suite("Scene files", .serialized)
@MainActor
struct SceneFilesTests {
    /// The paths of the scripts that stand beside this file.
    nonisolated static let paths: [String] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".scene") }.sorted().map { folder.appendingPathComponent($0).path }
    }()

    /// What a run has written.
    private final class Written {
        var output: [String] = []
        var error: [String] = []
    }

    private func play(_ path: String) async -> (status: RunStatus, written: Written) {
        let written = Written()
        let output = TextOutput(
            standardOutput: { written.output.append($0) }, standardError: { written.error.append($0) })
        var options = SceneRun.Options(paths: [path])
        options.shortestDeadline = .seconds(60)
        let run = SceneRun(options, output: output) { file throws(StageError) in
            try await EmbeddedStage(file.settings)
        }
        return (await run.play(), written)
    }

    @Test("there are scripts here")
    func scripts() { #expect(Self.paths.count >= 10) }

    @Test("plays as it is written", arguments: paths)
    func plays(_ path: String) async {
        let (status, written) = await play(path)

        #expect(status == .success, "\(written.error.joined(separator: "\n"))")
    }

    @Test("a script that is played again shows the same bytes")
    func again() async throws {
        let path = try #require(Self.paths.first { $0.hasSuffix("/look-alikes.scene") })

        let first = await play(path).written.output
        let second = await play(path).written.output

        #expect(first.map { Array($0.utf8) } == second.map { Array($0.utf8) })
    }
}
