import Foundation
import Models
import Testing
import TextUI

@testable import SceneScript

@Suite("SceneRun")
@MainActor
struct SceneRunTests {
    private final class Written {
        var output: [String] = []
        var error: [String] = []
    }

    private let written = Written()

    private func run(
        _ files: [String: String], paths: [String]? = nil, change: (inout SceneRun.Options) -> Void = { _ in },
        stage: @escaping SceneRun.StageMaker = { _ in FakeStage() }
    ) async -> RunStatus {
        var options = SceneRun.Options(paths: paths ?? files.keys.sorted())
        change(&options)
        let output = TextOutput(
            standardOutput: { written.output.append($0) }, standardError: { written.error.append($0) })
        return await SceneRun(
            options, source: Scripts(files).source, output: output,
            realTime: VirtualClock(now: Timestamp(milliseconds: 0)),
            commandFault: { ["echo", "help"].contains($0) ? nil : CommandCatalogue.fault(ofName: $0) }, makeStage: stage
        ).play()
    }

    @Test("commands that no app knows are told, each with its place, before anything is played")
    func unknownCommands() async {
        let files = [
            "a": "a> echo \"x\"\nrepeat 3 a> sned \"{number}\"\ninclude \"b\"\na>   ehco\n",
            "b": "# Shown on purpose\na> nonsense\n  (nothing)\nbob> quit2\n",
        ]

        let status = await run(files, paths: ["a"]) { _ in
        } stage: { _ in
            Issue.record("a stage is made for it")
            return FakeStage()
        }

        #expect(status == .usage)
        #expect(written.output.isEmpty)
        #expect(
            written.error == [
                "a:2:13: There is no command sned.", "b:4:6: There is no command quit2. Did you mean quit?",
                "a:4:6: There is no command ehco.",
            ])
    }

    @Test("one that stands above a golden block is played: the block shows what is said of it")
    func shownOnPurpose() async {
        #expect(await run(["a": "a> nonsense\n  (nothing)\n"]) == .success)
    }

    @Test("prints the script as it plays, with what each step shows and no password")
    func transcript() async {
        let status = await run([
            "a": "# Title\n\n# One\na> echo \"x\" password=secret\nb> help\n\n# Two\na> echo \"y\"\n  y\n"
        ])

        #expect(status == .success)
        #expect(
            written.output == [
                "# Title", "", "# One", "a> echo \"x\" password=<redacted>", "  x", "b> help", "", "# Two",
                "a> echo \"y\"",
                "  y",
            ])
        #expect(written.error == ["a: as expected, 3 steps"])
    }

    @Test("a difference is told on standard error with file, line and actor")
    func difference() async {
        let status = await run(["a": "a> echo \"x\"\n  y\n"])

        #expect(status == .differs)
        #expect(written.output == ["a> echo \"x\"", "  x"])
        #expect(
            written.error == [
                "a:2:1: a: What was printed differs.\n--- a:2 a\n+++ printed\n@@ -1 +1 @@\n-y\n+x",
                "a: differs, 1 step, 1 failure",
            ])
    }

    @Test("of several files the worst decides, and each is played")
    func worst() async {
        let status = await run(["a": "a> echo \"x\"\n  y\n", "b": "oops", "c": "a> help\n"])

        #expect(status == .usage)
        #expect(written.output == ["## a", "a> echo \"x\"", "  x", "\n## b", "\n## c", "a> help"])
        #expect(written.error.contains { $0.hasPrefix("b:1:1: A line begins with") })
    }

    @Test("each hop of the VIP cycle is a line on standard error")
    func trace() async {
        _ = await run(["a": "a> echo \"x\"\n"]) { $0.traces = true }

        #expect(written.error.first == "a Fake.echo")
        #expect(written.output == ["a> echo \"x\"", "  x"])
    }

    @Test("a report takes the transcript's place")
    func reports() async throws {
        _ = await run(["a": "# T\na> echo \"x<\" password=secret\n  y\n"]) { $0.report = .json }
        let json = written.output.joined(separator: "\n")
        written.output = []
        _ = await run(["a": "# T\na> echo \"x<\" password=secret\n  y\n"]) { $0.report = .junit }
        let xml = written.output.joined(separator: "\n")

        let object = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect(object["exit"] as? Int == 1)
        #expect(object["status"] as? String == "differs")
        #expect(json.contains("password=<redacted>"))
        #expect(xml.contains("<testsuites tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\">"))
        #expect(xml.contains("<testcase classname=\"a\" name=\"T\" file=\"a\" line=\"1\""))
        #expect(xml.contains("+x&lt;"))
        #expect(!(json + xml).contains("secret"))
    }

    @Test("a script that cannot be read is in the reports")
    func reportOfAnUnreadableScript() async {
        let status = await run(["a": "oops"]) { $0.report = .junit }

        #expect(status == .usage)
        #expect(written.output.contains { $0.contains("<error type=\"usage\"") })
    }

    @Test("under CI an update is refused before anything is played")
    func updateUnderCI() async {
        let status = await run(["a": "a> echo \"x\"\n  y\n"]) {
            $0.updates = true
            $0.environment = ["CI": "true"]
        }

        #expect(status == .usage)
        #expect(written.output == [])
        #expect(written.error.count == 1)
    }

    @Test("where an await failed nothing is updated")
    func updateAfterFailure() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).scene").path
        let text = "a> echo \"x\"\n  y\na! scene Welcome\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }

        let status = await run([path: text]) { $0.updates = true }

        #expect(status == .differs)
        #expect(FileManager.default.contents(atPath: path) == Data(text.utf8))
        #expect(written.error.last?.hasPrefix("words: Nothing is updated: more than golden blocks failed") == true)
    }

    @Test("an update makes the script pass")
    func update() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).scene").path
        let text = "a> echo \"x\"\n  y\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }

        let status = await run([path: text]) { $0.updates = true }
        let new = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)

        #expect(status == .success)
        #expect(new == "a> echo \"x\"\n  x\n")
        #expect(await run([path: new]) == .success)
    }

    @Test("where there is no stage the script fails with its status")
    func noStage() async {
        let status = await run(["a": "a> help"]) { _ in
        } stage: { _ throws(StageError) in
            throw StageError(.unreachable, "Nobody answers.")
        }

        #expect(status == .unreachable)
        #expect(written.error == ["Nobody answers."])
    }
}

@Suite("RunStatus")
struct RunStatusTests {
    @Test("success is better than skipped, skipped than any failure")
    func order() {
        let order: [RunStatus] = [.success, .skipped, .differs, .usage, .deadline, .unreachable, .fault]

        #expect(RunStatus.allCases.shuffled().sorted() == order)
        #expect(order.map(\.rawValue) == [0, 77, 1, 2, 3, 4, 5])
    }
}
