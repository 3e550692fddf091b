import Foundation
import Models
import Scenes
import TextUI
import Workers

/// A server that runs elsewhere, in real time, and may have been used before.
///
/// Nobody tells from outside that such a server is at rest. So each client writes a nonce into its own account data and
/// waits for it in its sync: what the server knew before has been applied by then.
@MainActor
public final class RemoteStage: Stage {
    public struct Options: Sendable {
        /// Where the folder of the run is made; nil takes the system's place for temporary files.
        public var parent: URL?
        public var keepsFiles = false
        /// Columns, where the script does not say.
        public var width: Int?
        public var client = ClientOptions()
        /// Whether the server may have been used before, so that channels need names of the run's own.
        public var isShared = true

        public init() {}
    }

    private let settings: SceneSettings
    private let endpoint: HomeserverEndpoint
    private let options: Options
    private let folder: TemporaryFolder
    private let environment: Environment
    private let networks: ActorNetworks
    private var names: RunNames

    public let isWords: Bool

    /// - Throws: Where no chat server answers at `address`.
    public init(
        _ settings: SceneSettings, at address: ServerAddress, options: Options = Options()
    ) async throws(StageError) {
        self.settings = settings
        self.options = options
        var environment = Environment.live()
        environment.timeZone = TimeZone(identifier: settings.zone) ?? .gmt
        self.environment = environment
        let transport = URLSessionTransport(environment: environment, allowsInsecure: options.client.allowsInsecure)
        networks = ActorNetworks(transport, environment: environment)
        endpoint = HomeserverEndpoint(address, transport: transport)
        do throws(NetworkFault) { isWords = try await endpoint.kind() == .words } catch {
            throw Self.failure(error, address.url)
        }
        names = RunNames(
            suffix: environment.identifiers.next(length: RunNames.suffixLength),
            identities: isWords ? .emailAddresses : .userNames, isShared: options.isShared)
        folder = try TemporaryFolder(in: options.parent)
    }

    private static func failure(_ fault: NetworkFault, _ url: URL) -> StageError {
        let address = url.absoluteString
        return switch fault {
        case .noChatServer(let what): StageError(.unreachable, "\(Sanitiser.line(what).text).")
        case .untrusted(let cause):
            StageError(
                .unreachable, "The server at \(address) could not prove who it is (\(Sanitiser.line(cause).text)).")
        case .serverFault(let status):
            StageError(.unreachable, "\(address) answers, but has a fault (status \(status)).")
        default: StageError(.unreachable, "Nobody answers at \(address). Is the server running?")
        }
    }

    public var hasClock: Bool { false }

    public var outstanding: [String] { environment.activity.outstanding }

    public func application(
        for actor: String, trace: @escaping TraceRecorder
    ) async throws(StageError) -> any ScriptApplication {
        var clientOptions = options.client
        clientOptions.general = names.generalChannel
        let client = ClientAssembly.make(
            endpoint: endpoint, home: folder.folder("home-\(actor)"), environment: environment,
            transport: networks.transport(of: actor), options: clientOptions)
        networks.connect(client, of: actor)
        return TextApplication(
            users: client.users, chat: client.chat, environment: environment,
            width: settings.width ?? options.width ?? 80, trace: Trace(recording: trace))
    }

    public func begin(_ work: @escaping @MainActor @Sendable () async -> Void) {
        environment.activity.run("command", work)
    }

    public func apply(_ step: NetworkStep) async { await networks.apply(step) }

    public func answer(to request: MatrixRequest, of actor: String) async -> Result<MatrixAnswer, StageError> {
        await networks.answer(to: request, of: actor)
    }

    /// The runner plays no such step here.
    public func apply(_ step: ServerStep) async throws(StageError) {
        throw StageError(.usage, "Faults of the server need one in this process.")
    }

    public func settle() async {
        await SettlingRounds(
            idle: { await self.environment.activity.idle() }, requestCount: { self.networks.requestCount },
            catchUp: { await self.networks.catchUp() }
        ).play()
    }

    /// The runner plays no step here that needs a clock.
    public func advance(
        by duration: Duration, settle: () async throws(StepFailure) -> Void
    ) async throws(StepFailure) { try await settle() }

    public func adapted(_ command: Command, of actor: String) -> Command { names.adapted(command) }

    public func shown(_ line: String) -> String { names.shown(line) }

    public func shown(_ facts: ScreenFacts) -> ScreenFacts { names.shown(facts) }

    public func close() async -> [String] {
        guard options.keepsFiles else {
            folder.remove()
            return []
        }
        return ["kept: \(folder.url.path)"]
    }
}
