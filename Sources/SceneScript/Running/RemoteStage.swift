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

        public init() {}
    }

    private let settings: SceneSettings
    private let url: URL
    private let options: Options
    private let folder: TemporaryFolder
    private let environment: Environment
    private let networks: ActorNetworks
    /// Makes the addresses of this run different from those of every other.
    private let suffix: String

    /// A request that one client's news leads to may be news for another: the second round sees that through.
    private static let rounds = 2

    /// - Throws: Where nobody answers at `url`.
    public init(_ settings: SceneSettings, at url: URL, options: Options = Options()) async throws(StageError) {
        self.settings = settings
        self.url = url
        self.options = options
        var environment = Environment.live()
        environment.timeZone = TimeZone(identifier: settings.zone) ?? .gmt
        self.environment = environment
        suffix = environment.identifiers.next(length: 8)
        let transport = URLSessionTransport(environment: environment, allowsInsecure: options.client.allowsInsecure)
        networks = ActorNetworks(transport, environment: environment)
        try await Self.ask(url, through: transport)
        folder = try TemporaryFolder(in: options.parent)
    }

    private static func ask(_ url: URL, through transport: any Transport) async throws(StageError) {
        let versions = url.appendingPathComponent("_matrix/client/versions")
        let request = TransportRequest(operation: .discovery, method: "GET", url: versions, deadline: .seconds(10))
        let answer: TransportResponse
        do throws(NetworkFault) { answer = try await transport.perform(request) } catch {
            throw StageError(.unreachable, "Nobody answers at \(url.absoluteString). Is the server running?")
        }
        guard (200..<300).contains(answer.status) else {
            throw StageError(.unreachable, "\(url.absoluteString) answers, but is no chat server.")
        }
    }

    public var hasClock: Bool { false }

    public var outstanding: [String] { environment.activity.outstanding }

    public func application(
        for actor: String, trace: @escaping TraceRecorder
    ) async throws(StageError) -> any ScriptApplication {
        let client = ClientAssembly.make(
            endpoint: FixedEndpoint(url), home: folder.folder("home-\(actor)"), environment: environment,
            transport: networks.transport(of: actor), options: options.client)
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
        for _ in 0..<Self.rounds {
            await environment.activity.idle()
            await withTaskGroup { group in
                for client in networks.all { group.addTask { await client.fence() } }
            }
        }
        await environment.activity.idle()
    }

    /// The runner plays no step here that needs a clock.
    public func advance(
        by duration: Duration, settle: () async throws(StepFailure) -> Void
    ) async throws(StepFailure) { try await settle() }

    /// `alice@words.test` becomes `alice+suffix@words.test`, so that a server that has been used will do.
    public func adapted(_ command: Command, of actor: String) -> Command {
        var command = command
        switch command.name {
        case "signup", "login": command.named["email"] = command.named["email"].map(suffixed)
        case "add": command.positional = command.positional.map(suffixed)
        default: break
        }
        return command
    }

    public func shown(_ line: String) -> String { line.replacing("+\(suffix)", with: "") }

    public func close() async -> [String] {
        guard options.keepsFiles else {
            folder.remove()
            return []
        }
        return ["kept: \(folder.url.path)"]
    }

    private func suffixed(_ address: String) -> String {
        guard !address.hasPrefix("@"), let at = address.lastIndex(of: "@"), at != address.startIndex else {
            return address
        }
        return address[..<at] + "+\(suffix)" + address[at...]
    }
}
