import Models
import Workers

/// The network of each actor, which scripts give faults to. It outlives the actor's app.
@MainActor
final class ActorNetworks {
    private let inner: any Transport
    private let environment: Environment
    private var transports: [String: FaultyTransport] = [:]
    private var clients: [String: Client] = [:]

    /// - Parameter inner: Reaches the server.
    init(_ inner: any Transport, environment: Environment) {
        self.inner = inner
        self.environment = environment
    }

    /// The client that `actor` uses now.
    func client(of actor: String) -> Client? { clients[actor] }

    func transport(of actor: String) -> FaultyTransport {
        let transport = transports[actor] ?? FaultyTransport(inner, environment: environment)
        transports[actor] = transport
        return transport
    }

    /// `actor` uses `client` from now on, over the transport of that name.
    func connect(_ client: Client, of actor: String) { clients[actor] = client }

    /// The requests so far of all actors, but for those for news.
    var requestCount: Int { transports.values.reduce(0) { $0 + $1.requestCount } }

    /// Has each client apply what the server knows now; those of one person in turn.
    ///
    /// - Returns: How many requests that took.
    func catchUp() async -> Int {
        var people: [UserID?: [Client]] = [:]
        for client in clients.values { people[await client.person()?.chatID, default: []].append(client) }
        return await withTaskGroup(of: Int.self) { group in
            for clients in people.values {
                group.addTask {
                    var count = 0
                    for client in clients where await client.fence() { count += 1 }
                    return count
                }
            }
            var count = 0
            for await part in group { count += part }
            return count
        }
    }

    func answer(to request: MatrixRequest, of actor: String) async -> Result<MatrixAnswer, StageError> {
        guard let client = clients[actor] else { return .failure(.nobody(actor)) }
        do { return .success(try await client.request(request)) } catch {
            if error == .sessionEnded { return .failure(.nobody(actor)) }
            return .failure(StageError(.unreachable, "The request of \(actor) was not answered: \(error)."))
        }
    }

    func apply(_ step: NetworkStep) async {
        switch step {
        case .offline(let actor): transport(of: actor).goOffline()
        case .online(let actor):
            transport(of: actor).goOnline()
            await clients[actor]?.networkReturned()
        case .fail(let actor, let operation, let count): transport(of: actor).add(.fail, to: operation, count: count)
        case .delay(let actor, let operation, let delay): transport(of: actor).add(.delay(delay), to: operation)
        case .dropResponse(let actor, let operation): transport(of: actor).add(.dropResponse, to: operation)
        case .limit(let actor, let operation, let status, let after):
            transport(of: actor).add(.answer(status: status, retryAfter: after), to: operation)
        }
    }

    /// Takes the network from everyone while `body` replaces what is at its other end. It comes back to whom it was taken
    /// from, in the order of their names.
    func interrupted<Failure: Error>(by body: () async throws(Failure) -> Void) async throws(Failure) {
        let cut = transports.filter { $0.value.isOnline }.keys.sorted()
        for actor in cut { transports[actor]?.goOffline() }
        await environment.activity.idle()
        try await body()
        for actor in cut {
            transports[actor]?.goOnline()
            await clients[actor]?.networkReturned()
        }
    }
}
