import Foundation
import Models
import Server

@testable import Workers

/// A server and the clients of people in this process, in virtual time; every request can be seen, and answered otherwise.
final class VirtualHouse: Sendable {
    typealias Answer = @Sendable (TransportRequest) -> Result<TransportResponse, NetworkFault>?

    let clock = VirtualClock(now: Timestamp(milliseconds: 1_767_603_600_000))
    let activity = Activity()
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("words-\(UUID().uuidString)")
    let server: EmbeddedServer
    private let url: URL
    private let transport: URLSessionTransport
    private let requests = Locked<[TransportRequest]>([])
    private let answer = Locked<Answer?>(nil)
    private let listener = Locked<(@Sendable (TransportRequest, TransportResponse) -> Void)?>(nil)

    private init() async throws {
        var configuration = ServerConfiguration(
            dataDirectory: folder.appendingPathComponent("server"), passwordCost: .low)
        configuration.pollHold = .seconds(86_400)
        server = try EmbeddedServer(
            configuration: configuration, environment: .virtual(clock: clock, seed: 99, activity: activity))
        url = try await server.start()
        transport = URLSessionTransport(environment: .virtual(clock: clock, activity: activity))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    static func open(_ body: (VirtualHouse) async throws -> Void) async throws {
        let house = try await VirtualHouse()
        do { try await body(house) } catch {
            await house.server.stop()
            throw error
        }
        await house.server.stop()
    }

    /// The requests since the last call.
    func takeRequests() -> [TransportRequest] {
        requests.withLock { requests in
            defer { requests = [] }
            return requests
        }
    }

    /// From now on, what `answer` gives comes in place of the server's answer.
    func answer(_ answer: Answer?) { self.answer.withLock { $0 = answer } }

    /// Told every answer of the server from now on.
    func tap(_ listener: @escaping @Sendable (TransportRequest, TransportResponse) -> Void) {
        self.listener.withLock { $0 = listener }
    }

    /// The status that the server answers a request of JSON with.
    func status(_ method: String, _ path: String, _ body: Data, authorization: String?) async throws -> Int {
        guard let url = URL(string: url.absoluteString + path) else { return 0 }
        let headers = [("Content-Type", "application/json"), ("Authorization", authorization ?? "")]
        let request = TransportRequest(
            operation: .send, method: method, url: url, headers: headers, body: body, deadline: .seconds(30))
        return try await transport.perform(request).status
    }

    func client(_ name: String, seed: UInt64) -> Client {
        ClientAssembly.make(
            endpoint: FixedEndpoint(url), home: folder.appendingPathComponent(name),
            environment: .virtual(clock: clock, seed: seed, activity: activity), transport: Recorder(house: self),
            options: ClientOptions(polls: .counted, pollHold: .seconds(86_400)))
    }

    /// Two people in one room.
    func pair() async throws -> (alice: Client, bob: Client, room: RoomID) {
        let (alice, bob) = (client("alice", seed: 1), client("bob", seed: 2))
        for (client, name) in [(alice, "alice"), (bob, "bob")] {
            let session = try await client.users.signup(
                name: name, email: "\(name)@words.test", password: Secret("secret-\(name)"))
            await client.chat.connect(session)
        }
        let contact = try await alice.users.addContact("bob@words.test")
        await activity.idle()
        return (alice, bob, contact.room.id)
    }

    func advance(_ duration: Duration) async { await clock.advance(by: duration) { await activity.idle() } }

    private struct Recorder: Transport {
        let house: VirtualHouse

        func perform(_ request: TransportRequest) async throws(NetworkFault) -> TransportResponse {
            house.requests.withLock { $0.append(request) }
            guard let result = house.answer.withLock({ $0 })?(request) else {
                let response = try await house.transport.perform(request)
                house.listener.withLock { $0 }?(request, response)
                return response
            }
            return try result.get()
        }
    }
}
