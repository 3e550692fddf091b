import Foundation
import Models
import Server

@testable import Workers

/// An embedded server and its people, all in this process and in one virtual time.
final class House: Sendable {
    let clock = VirtualClock(now: start)
    let activity = Activity()
    let folder = TemporaryFolder()
    let endpoint = MovingEndpoint()
    let transport: URLSessionTransport
    private let server = Locked<EmbeddedServer?>(nil)
    private let configure: @Sendable (inout ServerConfiguration) -> Void

    private init(_ configure: @escaping @Sendable (inout ServerConfiguration) -> Void) {
        self.configure = configure
        transport = URLSessionTransport(environment: .virtual(clock: clock, activity: activity))
    }

    /// Starts a server, lets `body` use it, and stops it.
    static func open(
        _ configure: @escaping @Sendable (inout ServerConfiguration) -> Void = { _ in },
        _ body: (House) async throws -> Void
    ) async throws {
        let house = House(configure)
        try await house.startServer()
        do { try await body(house) } catch {
            await house.stopServer()
            throw error
        }
        await house.stopServer()
    }

    func startServer() async throws {
        var configuration = ServerConfiguration(
            dataDirectory: folder.url.appendingPathComponent("server"), passwordCost: .low)
        configuration.pollHold = .seconds(3_600 * 24)
        configure(&configuration)
        let fresh = try EmbeddedServer(
            configuration: configuration, environment: .virtual(clock: clock, seed: 99, activity: activity))
        let url = try await fresh.start()
        server.withLock { $0 = fresh }
        endpoint.move(to: url)
    }

    func stopServer() async {
        let stopping = server.withLock { server in
            defer { server = nil }
            return server
        }
        await stopping?.stop()
    }

    /// Makes the tokens of a person expire, so that nothing can be renewed.
    func expireTokens(of person: Person) async throws {
        guard let server = server.withLock({ $0 }), let user = await person.client.person() else { return }
        for kind in EmbeddedServer.TokenKind.allCases { try await server.expireTokens(kind, of: user.chatID.raw) }
    }

    /// `seed` tells people apart; the same home is the same person's. By which API accounts are kept, `kind` says.
    func client(
        _ name: String, seed: UInt64, transport: (any Transport)? = nil, kind: SessionKey.Kind = .words
    ) async -> Person {
        let client = ClientAssembly.make(
            endpoint: KindOfEndpoint(endpoint, kind), home: folder.url.appendingPathComponent(name),
            environment: .virtual(clock: clock, seed: seed, activity: activity),
            transport: transport ?? self.transport,
            options: ClientOptions(polls: .counted, pollHold: .seconds(3_600 * 24)))
        return await Person(client, name)
    }

    /// Signed up and connected.
    func newcomer(
        _ name: String, seed: UInt64, transport: (any Transport)? = nil, kind: SessionKey.Kind = .words
    ) async throws -> Person {
        let person = await client(name, seed: seed, transport: transport, kind: kind)
        let session = try await person.users.signup(
            name: name, email: Self.identity(name, kind), password: Secret("secret-\(name)"))
        await person.chat.connect(session)
        await settle()
        return person
    }

    static func identity(_ name: String, _ kind: SessionKey.Kind) -> String {
        kind == .words ? "\(name)@words.test" : name
    }

    func settle() async { await activity.idle() }

    func advance(_ duration: Duration) async { await clock.advance(by: duration) { await activity.idle() } }
}

/// The server's address changes with each start.
final class MovingEndpoint: ServerEndpoint {
    private let url = Locked<URL?>(nil)

    let identity = "house"

    func move(to next: URL) { url.withLock { $0 = next } }

    func baseURL() async throws(NetworkFault) -> URL {
        guard let url = url.withLock({ $0 }) else { throw .unreachable }
        return url
    }

    func lost(_ url: URL) async {}
}

/// The same server, taken for one that keeps accounts in that way.
private struct KindOfEndpoint: ServerEndpoint {
    let inner: any ServerEndpoint
    let fixedKind: SessionKey.Kind

    init(_ inner: any ServerEndpoint, _ kind: SessionKey.Kind) {
        self.inner = inner
        fixedKind = kind
    }

    var identity: String { inner.identity }
    func kind() async throws(NetworkFault) -> SessionKey.Kind { fixedKind }
    func baseURL() async throws(NetworkFault) -> URL { try await inner.baseURL() }
    func lost(_ url: URL) async { await inner.lost(url) }
}

struct Person: Sendable {
    let client: Client
    let name: String
    let heard: Heard
    private let subscription: any ChatSubscription

    @MainActor
    final class Heard {
        var changes: [ChatUpdate.Change: Int] = [:]

        nonisolated init() {}
    }

    init(_ client: Client, _ name: String) async {
        self.client = client
        self.name = name
        let heard = Heard()
        self.heard = heard
        subscription = await client.chat.subscribe { update in
            for change in update.changes { heard.changes[change, default: 0] += 1 }
        }
    }

    var users: any UsersWorkerLogic { client.users }
    var chat: any ChatWorkerLogic { client.chat }

    var state: ChatState? {
        get async { await chat.currentState() }
    }

    func bodies(_ room: RoomID) async -> [String] {
        (await state?.rooms[room]?.timeline.items ?? []).compactMap { item in
            switch item.content {
            case .message(let message): message.body.unsanitised
            case .gap: "gap"
            case .joined, .left: nil
            }
        }
    }

    func outgoing(_ room: RoomID) async -> [OutgoingMessage.State] {
        (await state?.rooms[room]?.timeline.outgoing ?? []).map(\.state)
    }
}
