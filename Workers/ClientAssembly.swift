import Foundation
import Models

/// Puts one person's client together.
public struct ClientAssembly {
    /// `home` holds the session file and the stores, and need not exist. Without a `transport` it makes one of its own; whoever makes
    /// several clients shares one between them.
    public static func make(
        endpoint: any ServerEndpoint, home: URL, environment: Environment, transport: (any Transport)? = nil,
        options: ClientOptions = ClientOptions()
    ) -> Client {
        let connection = ServerConnection(
            endpoint: endpoint,
            transport: transport
                ?? URLSessionTransport(environment: environment, allowsInsecure: options.allowsInsecure))
        let server = ServerIdentity(endpoint: endpoint.identity)
        let turn = Turn()
        let running = Locked(RunningChat())
        let store = DiscoveredUsers(
            endpoint: endpoint, server: server,
            words: WordsAPI(
                connection: connection, clock: environment.clock, clientID: options.clientID,
                clientSecret: options.clientSecret),
            matrix: MatrixUsers(connection: connection, clock: environment.clock, turn: turn) {
                await running.withLock({ $0.worker })?.currentState()
            })
        let authenticator = Authenticator(
            store: store, sessions: SessionStore(home: home, clock: environment.clock), server: server,
            clock: environment.clock)
        let stores = FileClientStores(home: home, server: server, clock: environment.clock)
        let facts = ServerFacts(turn: turn) { server.kind }
        let service = { @Sendable (person: UserID) in
            MatrixChatService(connection: connection, tokens: authenticator, clock: environment.clock, ownID: person)
        }
        let chat = ChatWorker(environment: environment, options: options, facts: facts, stores: stores) { session in
            service(session.user.chatID)
        }
        running.withLock { $0.worker = chat }
        return Client(
            users: UsersWorker(
                store: store, authenticator: authenticator, environment: environment, stores: stores), chat: chat,
            networkReturned: { await chat.networkReturned() }, fence: { await chat.fence() },
            person: { await authenticator.session?.user },
            request: { request async throws(ChatServiceError) in
                guard let person = await authenticator.session?.user else { throw .sessionEnded }
                return try await service(person.chatID).answer(to: request)
            })
    }
}

/// The chat, for accounts to ask; it holds the accounts, so they do not hold it.
private struct RunningChat {
    weak var worker: ChatWorker?
}
