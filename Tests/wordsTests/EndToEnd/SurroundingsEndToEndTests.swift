import ChildProcesses
import Foundation
import Testing

/// What the process finds around it has no part in what it shows.
@Suite("Surroundings EndToEndTests", .serialized)
final class SurroundingsEndToEndTests {
    private let home = FileManager.default.temporaryDirectory.appendingPathComponent("words-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: home) }

    /// Two people over midnight, with times, names to sort and ids.
    private static let script = """
        # Two people and a midnight
        set clock=2026-01-05T23:50:00Z zone=Europe/Rome width=60
        a> signup name="Ähnlich" email=a@b.test password=hush-hush-1
        z> signup name="Zoë 👩‍👩‍👧" email=z@b.test password=hush-hush-1
        i> signup name="İpek" email=i@b.test password=hush-hush-1
        a> add z@b.test
        a> add i@b.test
        a> contacts
        a> open "Zoë 👩‍👩‍👧"
        a> send "before midnight"
        clock> advance 23h
        z> open 1
        z> members
        a> send "after it"
        a> screen

        """

    @Test("a script shows the same bytes in any zone, language, width and with any hash seed")
    func sameBytes() async throws {
        let path = home.appendingPathComponent("a.scene").path
        try Data(Self.script.utf8).write(to: URL(fileURLWithPath: path))
        let surroundings: [[String: String]] = [
            ["TZ": "UTC", "LANG": "C", "SWIFT_DETERMINISTIC_HASHING": "1"],
            ["TZ": "Pacific/Auckland", "LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8", "COLUMNS": "23"],
            ["TZ": "America/St_Johns", "LANG": "ar_EG.UTF-8", "COLUMNS": "200", "TERM": "dumb"],
            [:],
        ]

        var outputs: [String] = []
        for environment in surroundings {
            let result = try await ChildProcess.run(["run", path], home: home, environment: environment)
            #expect(result.status == 0, "\(result.error)")
            outputs.append(result.output)
        }

        #expect(outputs.first?.contains("before midnight") == true)
        for output in outputs.dropFirst() { #expect(Array(output.utf8) == Array((outputs.first ?? "").utf8)) }
    }

    @Test("a proxy has no part in what stays on this machine")
    func proxy() async throws {
        let nobody = "http://127.0.0.1:1"

        let result = try await ChildProcess.run(
            [], input: "signup name=\"Al\" email=al@b.test password=hush-hush-1\n", home: home,
            environment: ["http_proxy": nobody, "HTTP_PROXY": nobody, "all_proxy": nobody, "NO_PROXY": "words.example"])

        #expect(result.status == 0 && result.output.contains("Contacts"), "\(result)")
    }
}
