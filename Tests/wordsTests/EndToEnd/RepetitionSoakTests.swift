import ChildProcesses
import Foundation
import Testing

/// The same scene gives the same bytes, wherever and however often it is played.
@Suite final class RepetitionSoakTests {
    private static let rounds = ProcessInfo.processInfo.environment["WORDS_SOAK"] == "full" ? 100 : 10
    private static let zones = ["UTC", "America/St_Johns", "Asia/Kathmandu", "Pacific/Apia"]
    private static let languages = ["C", "C.UTF-8", "POSIX", "tr_TR.UTF-8", "ar_EG.UTF-8"]
    private static let columns = ["20", "80", "211"]

    private let home = FileManager.default.temporaryDirectory.appendingPathComponent("words-\(UUID().uuidString)")
    private let scenes = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("SceneFiles")

    init() throws { try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: home) }

    @Test("two-person scripts pass again and again, under any zone, language and width, byte for byte")
    func repeated() async throws {
        let paths = ["first-meeting.scene", "chat.scene"].map { scenes.appendingPathComponent($0).path }
        var first: ChildProcess.Result?

        for round in 0..<Self.rounds {
            let environment = [
                "TZ": Self.zones[round % Self.zones.count], "LANG": Self.languages[round % Self.languages.count],
                "LC_ALL": Self.languages[(round / 2) % Self.languages.count],
                "COLUMNS": Self.columns[round % Self.columns.count],
            ]
            let result = try await ChildProcess.run(["run"] + paths, home: home, environment: environment)

            #expect(result.status == 0, "round \(round), \(environment): \(result.error)")
            if let first { #expect(result == first, "round \(round), \(environment)") } else { first = result }
        }
    }
}
