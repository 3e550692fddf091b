import TextUI
import Workers

/// What a script needs of one actor's app.
@MainActor
public protocol ScriptApplication: AnyObject {
    func launch() async
    /// Returns when the scene has presented the outcome.
    func perform(_ command: Command) async -> CommandOutcome
    /// What has been printed since the last call.
    func takeLines() -> [String]
    var screen: [String] { get }
    var facts: ScreenFacts { get }
    /// Called after every presented view model.
    var onDisplay: (@MainActor () -> Void)? { get set }
    var hasQuit: Bool { get }
    func shutDown() async
}

/// Gets what makes the line of a hop of the VIP cycle, which costs nothing until it is asked for.
public typealias TraceRecorder = (@escaping () -> String) -> Void

/// Where a script plays: a server, time, and a home folder for each actor.
@MainActor
public protocol Stage: AnyObject {
    /// The app of `actor`, with its own home, which it finds again when it comes back. It has not been launched.
    ///
    /// - Parameter trace: Gets each hop of the VIP cycle.
    func application(for actor: String, trace: @escaping TraceRecorder) async throws(StageError)
        -> any ScriptApplication
    /// Starts `work`. Nothing is settled until it has returned, or waits for what only time or the end of a fault brings.
    func begin(_ work: @escaping @MainActor @Sendable () async -> Void)
    /// Returns once nothing is going on any more.
    func settle() async
    /// Lets `duration` pass; `settle` is called before each timer that fires, and at the end.
    func advance(by duration: Duration, settle: () async throws(StepFailure) -> Void) async throws(StepFailure)
    /// Makes the network of an actor fail, or puts it right again.
    func apply(_ step: NetworkStep) async
    /// Makes the server fail; asked only where there is a clock, for both take a server in this process.
    func apply(_ step: ServerStep) async throws(StageError)
    /// Makes a request with the session of an actor, as another client of theirs would.
    func answer(to request: MatrixRequest, of actor: String) async -> Result<MatrixAnswer, StageError>
    /// What is still going on, by name.
    var outstanding: [String] { get }
    /// Whether the clock is the script's to advance; else time is real and matches anything.
    var hasClock: Bool { get }
    /// Whether the server is one of Words' own kind, with all that a plain homeserver does not do.
    var isWords: Bool { get }
    /// What a command becomes on this stage: elsewhere, names and addresses get the run's suffix.
    func adapted(_ command: Command, of actor: String) -> Command
    /// What a printed line is compared and shown as: without what `adapted` has put in.
    func shown(_ line: String) -> String
    /// The same, of what predicates look at.
    func shown(_ facts: ScreenFacts) -> ScreenFacts
    /// Ends the server and takes away what the run has left; where the homes were kept, says where.
    func close() async -> [String]
}

extension Stage {
    public var isWords: Bool { true }

    public func shown(_ facts: ScreenFacts) -> ScreenFacts { facts }
}

/// Why there is nothing to play on.
public struct StageError: Error, Equatable, Sendable, CustomStringConvertible {
    public var status: RunStatus
    public var description: String

    public init(_ status: RunStatus, _ description: String) {
        self.status = status
        self.description = description
    }
}

extension StageError {
    /// What only somebody who is signed in can do or have done to them.
    static func nobody(_ actor: String) -> StageError {
        StageError(.usage, "Nobody is signed in in the app of \(actor).")
    }
}

extension TextApplication: ScriptApplication {}
