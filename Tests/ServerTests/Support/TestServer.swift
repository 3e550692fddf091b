import Foundation
import Models

@testable import Server

/// A running server with a folder, a clock and a port of its own.
final class TestServer: Sendable {
    let server: EmbeddedServer
    let client: WireClient
    let clock: VirtualClock
    let activity: Activity
    let folder: TemporaryFolder
    let url: URL

    static let beginning = Timestamp(milliseconds: 1_767_603_600_000)

    private init(
        _ server: EmbeddedServer, _ url: URL, _ clock: VirtualClock, _ activity: Activity, _ folder: TemporaryFolder
    ) {
        self.server = server
        self.url = url
        self.clock = clock
        self.activity = activity
        self.folder = folder
        client = WireClient(port: UInt16(url.port ?? 0))
    }

    /// Starts a server, lets `body` use it, and stops it.
    static func run(
        _ configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: (TestServer) async throws -> Void
    ) async throws {
        let server = try await start(configure)
        do { try await body(server) } catch {
            await server.server.stop()
            throw error
        }
        await server.server.stop()
    }

    static func start(
        in folder: TemporaryFolder = TemporaryFolder(), at now: Timestamp = beginning,
        _ configure: (inout ServerConfiguration) -> Void = { _ in }
    ) async throws -> TestServer {
        let clock = VirtualClock(now: now)
        var configuration = ServerConfiguration(dataDirectory: folder.url, passwordCost: .low)
        configure(&configuration)
        let activity = Activity()
        let server = try EmbeddedServer(
            configuration: configuration, environment: .virtual(clock: clock, activity: activity))
        let url = try await server.start()
        return TestServer(server, url, clock, activity, folder)
    }
}

/// A folder that is removed with its owner.
final class TemporaryFolder: Sendable {
    let url: URL

    init() {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("words-\(UUID().uuidString)")
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}

/// A person with an account and a session.
struct TestPerson: Sendable {
    var id: Int64
    var chatID: String
    var email: String
    var password: String
    var access: String
    var refresh: String

    static let password = "secret-one"
}

extension TestServer {
    func signup(
        _ name: String, email: String? = nil, password: String = TestPerson.password
    ) async throws -> Answer {
        try await client.send(
            "POST", "/api/users/signup",
            [
                "name": .string(name), "email": .string(email ?? "\(name.lowercased())@words.test"),
                "password": .string(password),
            ])
    }

    func login(_ email: String, password: String = TestPerson.password) async throws -> Answer {
        try await client.send(
            "POST", "/oauth/token",
            [
                "grant_type": "password", "username": .string(email), "password": .string(password),
                "client_id": 2,
            ])
    }

    func refresh(_ token: String) async throws -> Answer {
        try await client.send(
            "POST", "/oauth/token",
            ["grant_type": "refresh_token", "refresh_token": .string(token), "client_id": 2])
    }

    /// Signs somebody up and logs them in.
    func person(_ name: String) async throws -> TestPerson {
        let account = try await signup(name).json
        let email = "\(name.lowercased())@words.test"
        let tokens = try await login(email).json
        return TestPerson(
            id: account["id"]?.integer ?? 0, chatID: account["chatkit_id"]?.string ?? "", email: email,
            password: TestPerson.password, access: tokens["access_token"]?.string ?? "",
            refresh: tokens["refresh_token"]?.string ?? "")
    }

    func chatToken(_ person: TestPerson) async throws -> String {
        try await client.send("POST", "/api/chatkit/token", token: person.access).json["access_token"]?.string ?? ""
    }
}
