import Models
import TextUI
import Workers

/// A script as it was written, with the place of every part.
public struct SceneFile: Equatable, Sendable {
    public var path: String
    /// The comment that it begins with.
    public var title: String?
    public var settings: SceneSettings
    public var phases: [ScenePhase]

    public init(
        path: String, title: String? = nil, settings: SceneSettings = SceneSettings(), phases: [ScenePhase] = []
    ) {
        self.path = path
        self.title = title
        self.settings = settings
        self.phases = phases
    }

    public var steps: [SceneStep] { phases.flatMap(\.steps) }

    /// The commands that no app knows, in their order, each line once. What stands above a golden block is played: the
    /// block shows what is said of it.
    ///
    /// - Parameter fault: What is wrong with the name of a command; nil where there is such a one.
    func unknownCommands(_ fault: (String) -> String?) -> [ScriptError] {
        var errors: [ScriptError] = []
        for step in steps where step.golden == nil && errors.last?.location.isOn(step.location) != true {
            guard case .perform(_, let command) = step.action, let word = command.words.first,
                let what = fault(word.value)
            else { continue }
            var location = step.location
            location.column = word.column
            errors.append(ScriptError(location, what))
        }
        return errors
    }
}

/// What `set key=value` lines say; nil or the default where they say nothing.
public struct SceneSettings: Equatable, Sendable {
    public enum Server: Equatable, Sendable {
        /// A fresh one of this process.
        case embedded
        /// One that runs elsewhere, in real time.
        case at(String)
    }

    /// The time at which the clock stands when the script begins.
    public var clock = Timestamp(milliseconds: 1_767_603_600_000)
    /// The identifier of a time zone.
    public var zone = "UTC"
    /// Columns of every actor's screen; nil where the script does not say.
    public var width: Int?
    /// Real time that one step may take.
    public var deadline = Duration.seconds(5)
    public var server: Server?

    public init() {}
}

/// The steps below one comment, up to the next.
public struct ScenePhase: Equatable, Sendable {
    /// The comment; nil where the script begins without one.
    public var title: String?
    public var location: SourceLocation
    public var steps: [SceneStep]

    public init(title: String?, location: SourceLocation, steps: [SceneStep] = []) {
        self.title = title
        self.location = location
        self.steps = steps
    }
}

/// One line that does or demands something.
public struct SceneStep: Equatable, Sendable {
    public var location: SourceLocation
    /// The line as it was written.
    public var text: String
    public var action: SceneAction
    /// What the actor's view is to have printed; nil where nothing is compared.
    public var golden: GoldenBlock?

    public init(location: SourceLocation, text: String, action: SceneAction, golden: GoldenBlock? = nil) {
        self.location = location
        self.text = text
        self.action = action
        self.golden = golden
    }
}

public enum SceneAction: Equatable, Sendable {
    /// `actor> command`
    case perform(actor: String, SceneCommand)
    /// `actor? predicate within=2s`
    case await(actor: String, Predicate, within: Duration?)
    /// `actor! predicate`
    case refute(actor: String, Predicate)
    /// `clock> advance 31s`
    case advance(Duration)
    /// `network> …`
    case network(NetworkStep)
    /// `server> …`
    case server(ServerStep)
    /// `request> …`
    case request(RequestStep)

    /// Who acts or is looked at; nil of steps that are nobody's.
    public var actor: String? {
        switch self {
        case .perform(let actor, _), .await(let actor, _, _), .refute(let actor, _): actor
        case .advance, .network, .server, .request: nil
        }
    }
}

/// A fault between an actor and the server.
public enum NetworkStep: Equatable, Sendable {
    case offline(actor: String)
    case online(actor: String)
    /// The next `count` requests of `operation` fail.
    case fail(actor: String, operation: Workers.Operation, count: Int)
    /// The next request of `operation` sets out that much later.
    case delay(actor: String, operation: Workers.Operation, Duration)
    /// The next request of `operation` is done and its answer lost.
    case dropResponse(actor: String, operation: Workers.Operation)
    /// The next request of `operation` is answered with `status`, asking to wait `after`.
    case limit(actor: String, operation: Workers.Operation, status: Int, after: Duration?)
}

/// One request of the Matrix API, as another client of the actor's would make it.
public struct RequestStep: Equatable, Sendable {
    public var actor: String
    public var method: String
    /// The parts of the path, with variables.
    public var segments: [CommandWord]
    /// With variables, as the body.
    public var query: [String: CommandWord]
    public var body: CommandWord?
    /// What the server is to answer.
    public var status: Int

    /// The request, with `values` put in for the variables.
    func request(with values: [String: String]) -> MatrixRequest {
        func text(_ word: CommandWord) -> String { SceneWord.variable(word).flatMap { values[$0] } ?? word.value }
        return MatrixRequest(
            method: method, segments: segments.map(text), query: query.mapValues(text), body: body.map(text))
    }
}

/// A fault of the in-process server.
public enum ServerStep: Equatable, Sendable {
    public enum Token: String, Equatable, Sendable, CaseIterable { case user, chat, refresh }

    case restart
    case expireToken(actor: String, Token)
    /// No fault: what follows needs a server of Words' own kind.
    case words
}

/// The indented lines below a step.
public struct GoldenBlock: Equatable, Sendable {
    /// Of its first line.
    public var location: SourceLocation
    /// The lines of the file that it takes, counted from one.
    public var lineNumbers: Range<Int>
    /// Without the two blanks that every line begins with.
    public var lines: [String]

    public init(location: SourceLocation, lineNumbers: Range<Int>, lines: [String]) {
        self.location = location
        self.lineNumbers = lineNumbers
        self.lines = lines
    }
}
