import Foundation
import Models

/// The embedded server: the Words API and a subset of the Matrix API over one database.
///
/// `init` takes the data folder, `start` listens, `stop` gives everything back; each once.
public final class EmbeddedServer: Sendable {
    private enum State: Sendable {
        case fresh
        case serving(HTTPServer)
        case stopped
    }

    public let configuration: ServerConfiguration
    /// The name in all ids of this server.
    public let serverName: String
    let accounts: Accounts
    let database: Database
    let chat: Chat
    private let environment: Environment
    private let folder: DataFolder
    private let housekeeper: Housekeeper
    private let ownerKey = Sodium.randomToken()
    private let state = Locked(State.fresh)

    /// Takes the folder's lock and opens the database. Throws where somebody else serves these data, or where they cannot
    /// be used.
    public init(configuration: ServerConfiguration, environment: Environment) throws(ServerError) {
        self.configuration = configuration
        self.environment = environment
        folder = try DataFolder.lock(configuration.dataDirectory)
        let (database, serverName, chat) = try Self.open(configuration, folder, environment)
        (self.database, self.serverName, self.chat) = (database, serverName, chat)
        accounts = Accounts(
            database: database, serverName: serverName, environment: environment,
            passwordCost: configuration.passwordCost, limits: configuration.rateLimits,
            lifetimes: configuration.tokenLifetimes, sessionEnded: { chat.dropSession(of: $0, device: $1) })
        housekeeper = Housekeeper(accounts: accounts, chat: chat, environment: environment)
    }

    /// Listens and serves. Returns the base URL, without a slash at its end, once clients can connect.
    public func start() async throws(ServerError) -> URL {
        let server = try HTTPServer(host: configuration.host, port: configuration.port)
        let isFresh = state.withLock { state in
            guard case .fresh = state else { return false }
            state = .serving(server)
            return true
        }
        guard isFresh else { throw .stopped }
        do { try await housekeeper.begin() } catch {
            throw .database(path: database.path, reason: "\(error)")
        }
        try await server.start(
            gate: gate, handler: KeptHandler(handler: router, housekeeper: housekeeper),
            activity: environment.activity)
        let url = try Self.url(host: configuration.host, port: server.port)
        try folder.publish(DataFolder.Endpoint(url: url, process: getpid(), ownerKey: ownerKey))
        return url
    }

    /// Answers parked polls, finishes what is in flight, closes the database and gives the folder back.
    public func stop() async {
        let before = state.withLock { state in
            defer { state = .stopped }
            return state
        }
        switch before {
        case .stopped: return
        case .fresh: break
        case .serving(let server):
            // Nobody is to be sent to a port that is about to be anybody's.
            folder.withdraw()
            await server.stop { chat.stop() }
        }
        await database.close()
        folder.unlock()
    }

    private var gate: RequestGuard {
        let hosts =
            configuration.allowedHosts + [configuration.host, serverName]
            + [configuration.publicURL?.host].compactMap { $0 }
        return RequestGuard(
            allowedHosts: Set(hosts.map { $0.lowercased() }),
            allowedOrigins: Set(configuration.allowedOrigins), limits: configuration.limits)
    }

    var router: Router {
        var router = Router()
        let client = WordsRoutes.OAuthClient(id: configuration.clientID, secret: configuration.clientSecret)
        WordsRoutes(accounts: accounts, contacts: chat, client: client).add(to: &router)
        SessionRoutes(accounts: accounts, publicURL: configuration.publicURL).add(to: &router)
        ChatRoutes(chat: chat, authenticator: accounts.authenticator).add(to: &router)
        OwnerRoutes(accounts: accounts, key: ownerKey).add(to: &router)
        return router
    }

    private static func open(
        _ configuration: ServerConfiguration, _ folder: DataFolder, _ environment: Environment
    ) throws(ServerError) -> (Database, String, Chat) {
        if let asked = configuration.serverName, !ServerName.isValid(asked) { throw .notAServerName(asked) }
        do {
            try folder.makeDatabaseFile()
            let database = try Database(path: folder.databasePath)
            let name = try StoredServerName.settle(asked: configuration.serverName, path: folder.databasePath)
            let chat = try Chat(
                database: database, environment: environment, serverName: name, pollHold: configuration.pollHold)
            return (database, name, chat)
        } catch let error as ServerError {
            throw error
        } catch {
            throw .database(path: folder.databasePath, reason: "\(error)")
        }
    }

    private static func url(host: String, port: UInt16) throws(ServerError) -> URL {
        // Whoever listens on all addresses is called on this machine by the loopback one.
        let name = host == "0.0.0.0" || host.isEmpty ? "127.0.0.1" : host == "::" ? "::1" : host
        let text = name.contains(":") ? "http://[\(name)]:\(port)" : "http://\(name):\(port)"
        guard let url = URL(string: text) else {
            throw .cannotListen(host: host, port: port, reason: "the host cannot stand in a URL")
        }
        return url
    }
}
