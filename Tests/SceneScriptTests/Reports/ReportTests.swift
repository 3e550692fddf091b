import Foundation
import Testing

@testable import SceneScript

@Suite("Reports")
struct ReportTests {
    private let result: SceneResult = {
        let location = SourceLocation(file: "a<b>.scene", line: 3)
        let step = SceneStep(location: location, text: "clock> advance 1s", action: .advance(.seconds(1)))
        var played = PhaseResult(title: "One & \"two\"", location: location)
        played.duration = .milliseconds(1_042)
        played.steps = [
            StepResult(step: step, output: ["x"]),
            StepResult(
                step: step,
                failure: StepFailure(.deadline, at: location, "Late \u{1B}[2J.", details: ["screen", "]]>"])),
        ]
        var skipped = PhaseResult(title: nil, location: location)
        skipped.skipped = "line 3 needs the in-process server"
        var result = SceneResult(path: "a<b>.scene")
        result.phases = [played, skipped]
        result.duration = .milliseconds(2_000)
        return result
    }()

    @Test("JUnit has a suite for each file and a case for each phase, all of it escaped")
    func junit() {
        #expect(
            JUnitReport.lines(of: [result]) == [
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
                "<testsuites tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"1\">",
                "  <testsuite name=\"a&lt;b&gt;.scene\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"1\" time=\"2.000\">",
                "    <testcase classname=\"a&lt;b&gt;.scene\" name=\"One &amp; &quot;two&quot;\" file=\"a&lt;b&gt;.scene\" "
                    + "line=\"3\" time=\"1.042\">",
                "      <failure type=\"deadline\" message=\"Late \u{FFFD}[2J.\">a&lt;b&gt;.scene:3:1: Late \u{FFFD}[2J."
                    + "&#10;screen&#10;]]&gt;</failure>",
                "    </testcase>",
                "    <testcase classname=\"a&lt;b&gt;.scene\" name=\"line 3\" file=\"a&lt;b&gt;.scene\" line=\"3\" time=\"0.000\">",
                "      <skipped message=\"line 3 needs the in-process server\"/>",
                "    </testcase>",
                "  </testsuite>",
                "</testsuites>",
            ])
    }

    @Test("JSON has every step with what it has shown")
    func json() throws {
        struct Report: Decodable {
            struct File: Decodable {
                struct Phase: Decodable {
                    struct Step: Decodable {
                        struct Failure: Decodable { var status: String; var line: Int; var details: [String] }
                        var text: String
                        var output: [String]
                        var failure: Failure?
                    }
                    var title: String?
                    var skipped: String?
                    var steps: [Step]
                }
                var path: String
                var milliseconds: Int
                var phases: [Phase]
            }
            var status: String
            var exit: Int
            var files: [File]
        }

        let text = try JSONReport.lines(of: [result]).joined(separator: "\n")
        let report = try JSONDecoder().decode(Report.self, from: Data(text.utf8))

        #expect(report.status == "deadline" && report.exit == 3)
        let file = try #require(report.files.first)
        #expect(file.path == "a<b>.scene" && file.milliseconds == 2_000)
        #expect(file.phases.map(\.skipped) == [nil, "line 3 needs the in-process server"])
        #expect(file.phases[0].steps.map(\.output) == [["x"], []])
        #expect(file.phases[0].steps[1].failure?.details == ["screen", "]]>"])
    }
}
