/// Writes the script as it plays, each step with what it has shown; what differs goes to standard error.
@MainActor
public final class Transcript: RunObserver {
    private let output: TextOutput
    /// Whether steps are written at all; a report takes their place.
    private let showsSteps: Bool
    private let showsTrace: Bool
    private let summarises: Bool
    private var isFirst = true

    public init(to output: TextOutput, showsSteps: Bool = true, showsTrace: Bool = false, summarises: Bool = true) {
        self.summarises = summarises
        self.output = output
        self.showsSteps = showsSteps
        self.showsTrace = showsTrace
    }

    public func began(_ file: SceneFile) {
        guard let title = file.title, file.phases.first?.title != title else { return }
        show(["# \(title)"])
    }

    public func began(_ phase: PhaseResult) {
        show(phase.title.map { ["# \($0)"] } ?? [])
        if let reason = phase.skipped { output.standardError("\(phase.location): skipped: \(reason)") }
    }

    public func played(_ step: StepResult) {
        if showsSteps {
            output.standardOutput(step.step.redactedText)
            for line in step.output { output.standardOutput("  " + line) }
        }
        if let failure = step.failure { output.standardError(failure.description) }
        isFirst = false
    }

    public func traced(_ line: () -> String, by actor: String) {
        if showsTrace { output.standardError("\(actor) \(line())") }
    }

    public func ended(_ result: SceneResult) {
        guard summarises else { return }
        let skipped = result.phases.count { $0.skipped != nil }
        let parts = [
            "\(result.path): \(Self.words(result.status))", Self.count(result.steps.count, "step"),
            skipped > 0 ? Self.count(skipped, "phase") + " skipped" : nil,
            result.failures.isEmpty ? nil : Self.count(result.failures.count, "failure"),
        ]
        output.standardError(parts.compactMap(\.self).joined(separator: ", "))
    }

    private func show(_ lines: [String]) {
        guard showsSteps, !lines.isEmpty else { return }
        if !isFirst { output.standardOutput("") }
        isFirst = false
        for line in lines { output.standardOutput(line) }
    }

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    private static func words(_ status: RunStatus) -> String {
        switch status {
        case .success: "as expected"
        case .skipped: "skipped"
        case .differs: "differs"
        case .usage: "cannot be played"
        case .deadline: "past a deadline"
        case .unreachable: "no server"
        case .fault: "a fault of Words"
        }
    }
}
