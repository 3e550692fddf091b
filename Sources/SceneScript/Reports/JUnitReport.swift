import Models

/// The results as the XML that CI services read: a file is a suite, a phase is a test case.
public enum JUnitReport {
    public static func lines(of results: [SceneResult]) -> [String] {
        ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites\(counts(of: results.flatMap(cases)))>"]
            + results.flatMap(suite) + ["</testsuites>"]
    }

    private struct Case {
        var name: String
        var location: SourceLocation
        var duration: Duration
        var failures: [StepFailure]
        var skipped: String?
    }

    private static func suite(_ result: SceneResult) -> [String] {
        let cases = cases(result)
        let name = escaped(result.title.map { "\(result.path): \($0)" } ?? result.path)
        return ["  <testsuite name=\"\(name)\"\(counts(of: cases)) time=\"\(seconds(result.duration))\">"]
            + cases.flatMap { lines(of: $0, in: result.path) } + ["  </testsuite>"]
    }

    private static func cases(_ result: SceneResult) -> [Case] {
        let phases = result.phases.map { phase in
            Case(
                name: phase.title ?? "line \(phase.location.line)", location: phase.location,
                duration: phase.duration, failures: phase.steps.compactMap(\.failure), skipped: phase.skipped)
        }
        guard let failure = result.failure else { return phases }
        let script = Case(name: "the script", location: failure.location, duration: .zero, failures: [failure])
        return [script] + phases
    }

    private static func lines(of test: Case, in path: String) -> [String] {
        let head =
            "    <testcase classname=\"\(escaped(path))\" name=\"\(escaped(test.name))\" "
            + "file=\"\(escaped(test.location.file))\" line=\"\(test.location.line)\" time=\"\(seconds(test.duration))\""
        if let reason = test.skipped {
            return [head + ">", "      <skipped message=\"\(escaped(reason))\"/>", "    </testcase>"]
        }
        guard !test.failures.isEmpty else { return [head + "/>"] }
        let failures = test.failures.map { failure in
            let element = failure.status == .differs || failure.status == .deadline ? "failure" : "error"
            return "      <\(element) type=\"\(failure.status)\" message=\"\(escaped(failure.message))\">"
                + escaped(failure.description) + "</\(element)>"
        }
        return [head + ">"] + failures + ["    </testcase>"]
    }

    private static func counts(of cases: [Case]) -> String {
        let statuses = cases.compactMap { $0.failures.map(\.status).max() }
        let failures = statuses.count { $0 == .differs || $0 == .deadline }
        return " tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(statuses.count - failures)\""
            + " skipped=\"\(cases.count { $0.skipped != nil })\""
    }

    private static func seconds(_ duration: Duration) -> String {
        let milliseconds = max(0, duration.milliseconds)
        let fraction = String(1_000 + milliseconds % 1_000).dropFirst()
        return "\(milliseconds / 1_000).\(fraction)"
    }

    /// XML 1.0 has no way to write most control characters: U+FFFD stands for them.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n": result += "&#10;"
            case "\t": result += "&#9;"
            case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
