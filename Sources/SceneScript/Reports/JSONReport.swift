import Foundation
import Models

/// The results as one JSON object, each step with what it has shown.
public enum JSONReport {
    public static func lines(of results: [SceneResult]) throws -> [String] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let status = results.map(\.status).max() ?? .success
        let report = Report(status: name(of: status), exit: status.rawValue, files: results.map(File.init))
        let text = String(decoding: try encoder.encode(report), as: UTF8.self)
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private static func name(of status: RunStatus) -> String { "\(status)" }

    private struct Report: Encodable {
        var status: String
        var exit: Int32
        var files: [File]
    }

    private struct File: Encodable {
        var path: String
        var title: String?
        var status: String
        var milliseconds: Int64
        var failure: Failure?
        var phases: [Phase]

        init(_ result: SceneResult) {
            path = result.path
            title = result.title
            status = name(of: result.status)
            milliseconds = result.duration.milliseconds
            failure = result.failure.map(Failure.init)
            phases = result.phases.map(Phase.init)
        }
    }

    private struct Phase: Encodable {
        var title: String?
        var file: String
        var line: Int
        var skipped: String?
        var milliseconds: Int64
        var steps: [Step]

        init(_ result: PhaseResult) {
            title = result.title
            file = result.location.file
            line = result.location.line
            skipped = result.skipped
            milliseconds = result.duration.milliseconds
            steps = result.steps.map(Step.init)
        }
    }

    private struct Step: Encodable {
        var file: String
        var line: Int
        var actor: String?
        var text: String
        var output: [String]
        var failure: Failure?

        init(_ result: StepResult) {
            file = result.step.location.file
            line = result.step.location.line
            actor = result.step.action.actor
            text = result.step.redactedText
            output = result.output
            failure = result.failure.map(Failure.init)
        }
    }

    private struct Failure: Encodable {
        var status: String
        var file: String
        var line: Int
        var column: Int
        var actor: String?
        var message: String
        var details: [String]

        init(_ failure: StepFailure) {
            status = name(of: failure.status)
            file = failure.location.file
            line = failure.location.line
            column = failure.location.column
            actor = failure.actor
            message = failure.message
            details = failure.details
        }
    }
}
