/// What the playing of one script has shown.
public struct SceneResult: Equatable, Sendable {
    public var path: String
    public var title: String?
    public var phases: [PhaseResult] = []
    /// Whether the server was one of Words' own kind.
    public var isWords = true
    /// What went wrong before the first step or around all of them.
    public var failure: StepFailure?
    /// Real time that it took.
    public var duration = Duration.zero

    public init(path: String, title: String? = nil) {
        self.path = path
        self.title = title
    }

    public var steps: [StepResult] { phases.flatMap(\.steps) }

    public var failures: [StepFailure] { (failure.map { [$0] } ?? []) + steps.compactMap(\.failure) }

    public var status: RunStatus {
        if let worst = failures.map(\.status).max() { return worst }
        return !phases.isEmpty && phases.allSatisfy { $0.skipped != nil } ? .skipped : .success
    }

    /// What each played golden block stood against.
    public var goldens: [GoldenOutcome] {
        steps.compactMap { result in
            result.step.golden.map { GoldenOutcome(block: $0, output: result.output, isWords: isWords) }
        }
    }
}

public struct PhaseResult: Equatable, Sendable {
    public var title: String?
    public var location: SourceLocation
    public var steps: [StepResult] = []
    /// Why it was not played.
    public var skipped: String?
    public var duration = Duration.zero

    public init(title: String?, location: SourceLocation) {
        self.title = title
        self.location = location
    }
}

public struct StepResult: Equatable, Sendable {
    public var step: SceneStep
    /// What the actor's view has printed.
    public var output: [String]
    public var failure: StepFailure?

    public init(step: SceneStep, output: [String] = [], failure: StepFailure? = nil) {
        self.step = step
        self.output = output
        self.failure = failure
    }
}

/// Why a step failed.
public struct StepFailure: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Kind: Equatable, Sendable {
        /// A golden block, and nothing else: `--update` can mend it, and the script goes on.
        case golden
        /// A predicate, or a command that the scene does not have.
        case expectation
        case deadline
        case script
        case unreachable
        case fault

        /// Of what kept a stage from being made.
        init(_ status: RunStatus) {
            switch status {
            case .unreachable: self = .unreachable
            case .usage: self = .script
            default: self = .fault
            }
        }
    }

    public var kind: Kind
    public var location: SourceLocation
    public var actor: String?
    /// What happened, in one sentence.
    public var message: String
    /// The difference, the screen, what was still going on.
    public var details: [String]

    public init(
        _ kind: Kind, at location: SourceLocation, actor: String? = nil, _ message: String, details: [String] = []
    ) {
        self.kind = kind
        self.location = location
        self.actor = actor
        self.message = message
        self.details = details
    }

    public init(_ error: ScriptError) { self.init(.script, at: error.location, error.what) }

    public var status: RunStatus {
        switch kind {
        case .golden, .expectation: .differs
        case .deadline: .deadline
        case .script: .usage
        case .unreachable: .unreachable
        case .fault: .fault
        }
    }

    public var description: String {
        ([location.description + ": " + (actor.map { "\($0): " } ?? "") + message] + details).joined(separator: "\n")
    }
}
