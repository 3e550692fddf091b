import Foundation
import Models
import Scenes
import Server
import TextUI
import Workers

/// A fresh server in this process, a clock that the script advances, and one activity that all of them share: what goes
/// on between clients and server is known, and nothing is waited for.
@MainActor
public final class EmbeddedStage: Stage {
    public struct Options: Sendable {
        /// Where the folder of the run is made; nil takes the system's place for temporary files.
        public var parent: URL?
        /// Whether homes and database are left for a look.
        public var keepsFiles = false
        /// Columns, where the script does not say.
        public var width: Int?

        public init() {}
    }

    private let settings: SceneSettings
    private let options: Options
    private let folder: TemporaryFolder
    private let environment: Environment
    private let clock: VirtualClock
    private var server: EmbeddedServer
    private let endpoint: StageEndpoint
    private let networks: ActorNetworks
    private var identifiers: [String: GeneratedIdentifiers] = [:]

    /// Long enough that no poll ends while a script lets hours pass.
    private static let pollHold = Duration.seconds(86_400)

    /// Starts the server.
    public init(_ settings: SceneSettings, options: Options = Options()) async throws(StageError) {
        self.settings = settings
        self.options = options
        folder = try TemporaryFolder(in: options.parent)
        clock = VirtualClock(now: settings.clock)
        environment = Environment.virtual(clock: clock, timeZone: TimeZone(identifier: settings.zone) ?? .gmt)
        var configuration = ServerConfiguration(dataDirectory: folder.folder("server"))
        configuration.passwordCost = .low
        configuration.pollHold = Self.pollHold
        do throws(ServerError) {
            server = try EmbeddedServer(configuration: configuration, environment: environment)
            endpoint = StageEndpoint(try await server.start())
        } catch {
            folder.remove()
            throw StageError(.unreachable, error.description)
        }
        networks = ActorNetworks(URLSessionTransport(environment: environment), environment: environment)
    }

    public var hasClock: Bool { true }

    public var outstanding: [String] { environment.activity.outstanding }

    public func adapted(_ command: Command, of actor: String) -> Command { command }

    public func shown(_ line: String) -> String { line }

    public func application(
        for actor: String, trace: @escaping TraceRecorder
    ) async throws(StageError) -> any ScriptApplication {
        var environment = environment
        environment.identifiers = identifiers(of: actor)
        let clientOptions = ClientOptions(polls: .counted, pollHold: Self.pollHold)
        let client = ClientAssembly.make(
            endpoint: endpoint, home: folder.folder("home-\(actor)"), environment: environment,
            transport: networks.transport(of: actor), options: clientOptions)
        networks.connect(client, of: actor)
        return TextApplication(
            users: client.users, chat: client.chat, environment: environment,
            width: settings.width ?? options.width ?? 80,
            trace: Trace(recording: trace))
    }

    public func begin(_ work: @escaping @MainActor @Sendable () async -> Void) {
        environment.activity.run("command", work)
    }

    public func settle() async { await environment.activity.idle() }

    public func advance(
        by duration: Duration, settle: () async throws(StepFailure) -> Void
    ) async throws(StepFailure) {
        let limit = clock.now + duration
        repeat { try await settle() } while clock.fireNext(upTo: limit)
    }

    public func apply(_ step: NetworkStep) async { await networks.apply(step) }

    public func answer(to request: MatrixRequest, of actor: String) async -> Result<MatrixAnswer, StageError> {
        await networks.answer(to: request, of: actor)
    }

    public func apply(_ step: ServerStep) async throws(StageError) {
        do {
            switch step {
            case .restart: try await networks.interrupted { () throws(ServerError) in try await restart() }
            case .expireToken(let actor, let token):
                guard let person = await networks.client(of: actor)?.person() else { throw StageError.nobody(actor) }
                try await server.expireTokens(token.kind, of: person.chatID.raw)
            case .words: return
            }
        } catch let error as StageError {
            throw error
        } catch {
            throw StageError(.fault, "\(error)")
        }
    }

    /// The same data, at another address.
    private func restart() async throws(ServerError) {
        await server.stop()
        server = try EmbeddedServer(configuration: server.configuration, environment: environment)
        endpoint.move(to: try await server.start())
    }

    public func close() async -> [String] {
        await server.stop()
        guard options.keepsFiles else {
            folder.remove()
            return []
        }
        return ["kept: \(folder.url.path)"]
    }

    /// One stream for each actor, which goes on when the actor comes back: an id is never used twice.
    private func identifiers(of actor: String) -> GeneratedIdentifiers {
        let source = identifiers[actor] ?? GeneratedIdentifiers(seed: Self.seed(of: actor))
        identifiers[actor] = source
        return source
    }

    /// The same for the same name in every run: FNV-1a.
    private static func seed(of name: String) -> UInt64 {
        name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

/// Where the server of a stage is now. It stays the same server when it moves.
private final class StageEndpoint: ServerEndpoint {
    let identity: String
    private let url: Locked<URL>

    init(_ url: URL) {
        identity = url.absoluteString
        self.url = Locked(url)
    }

    func move(to next: URL) { url.withLock { $0 = next } }

    func baseURL() async throws(NetworkFault) -> URL { url.withLock { $0 } }

    func lost(_ url: URL) async {}
}

extension ServerStep.Token {
    fileprivate var kind: EmbeddedServer.TokenKind {
        switch self {
        case .user: .user
        case .chat: .chat
        case .refresh: .refresh
        }
    }
}
