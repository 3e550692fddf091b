import Foundation
import Models
import Scenes
import Server
import Testing
import Workers

/// What URLSession on Linux does to requests that are given up decides much of the transport's design; this is where it
/// shows whether that design holds.
@Suite("Requests abandoned by leaving a scene", .timeLimit(.minutes(10)))
struct AbandonedRequestsSoakTests {
    /// What may be resident at the end and was not after warming up.
    private static let growthLimit = 10 * 1_024 * 1_024

    @Test("half of all requests are abandoned: all end, none crashes, and memory does not grow")
    @MainActor
    func abandoned() async throws {
        let total = 20_000
        let house = try await SoakHouse()
        let session = try await house.signUp()
        try await house.openScenes(total / 10, session)
        let before = try Self.residentBytes()

        try await house.openScenes(total, session)

        let growth = try Self.residentBytes() - before
        #expect(house.transport.count >= total)
        #expect(growth <= Self.growthLimit, "\(growth / 1_024) KiB more are resident after \(total) requests")
        await house.close()
    }

    private static func residentBytes() throws -> Int {
        let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}

/// A server and one person, all in this process.
@MainActor
private final class SoakHouse {
    let transport: CountingTransport
    private let environment: Environment
    private let folder: URL
    private let server: EmbeddedServer
    private let client: Client

    init() async throws {
        environment = .virtual(clock: VirtualClock(now: Timestamp(milliseconds: 1_767_603_600_000)))
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("words-soak-\(UUID().uuidString)")
        var configuration = ServerConfiguration(
            dataDirectory: folder.appendingPathComponent("server"), passwordCost: .low)
        configuration.pollHold = .seconds(86_400)
        server = try EmbeddedServer(configuration: configuration, environment: environment)
        let url = try await server.start()
        transport = CountingTransport(URLSessionTransport(environment: environment))
        client = ClientAssembly.make(
            endpoint: FixedEndpoint(url), home: folder.appendingPathComponent("home"), environment: environment,
            transport: transport, options: ClientOptions(polls: .counted, pollHold: .seconds(86_400)))
    }

    func signUp() async throws -> Session {
        let session = try await client.users.signup(
            name: "Ann", email: "ann@words.test", password: Secret("secret-one"))
        await client.chat.connect(session)
        return session
    }

    /// Opens the contacts `count` times, eight scenes at once, and leaves every other one while it still asks.
    func openScenes(_ count: Int, _ session: Session) async throws {
        for round in 0..<(count / 8) {
            var openings: [Task<Void, Never>] = []
            var scenes: [ListContactsInteractor] = []
            for _ in 0..<8 {
                let scene = ListContactsInteractor(
                    presenter: ListContactsPresenter(environment: environment, trace: Trace()), users: client.users,
                    chat: client.chat, environment: environment)
                scene.session = session
                scenes.append(scene)
                openings.append(Task { await scene.start(request: ListContacts.Start.Request()) })
            }
            for _ in 0..<(round % 60) { await Task.yield() }
            for index in stride(from: 0, to: 8, by: 2) {
                scenes[index].leave()
                openings[index].cancel()
            }
            for opening in openings { await opening.value }
            scenes.forEach { $0.leave() }
        }
        await environment.activity.idle()
    }

    func close() async {
        await client.chat.disconnect()
        await server.stop()
        try? FileManager.default.removeItem(at: folder)
    }
}

private final class CountingTransport: Transport {
    private let inner: any Transport
    private let requests = Locked(0)

    init(_ inner: any Transport) { self.inner = inner }

    var count: Int { requests.withLock { $0 } }

    func perform(_ request: TransportRequest) async throws(NetworkFault) -> TransportResponse {
        requests.withLock { $0 += 1 }
        return try await inner.perform(request)
    }
}
