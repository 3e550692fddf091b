import Foundation
import Models
import Testing

@testable import Server

@Suite struct EmbeddedServerIntegrationTests {
    private let folder = TemporaryFolder()

    private func make(_ configure: (inout ServerConfiguration) -> Void = { _ in }) throws -> EmbeddedServer {
        var configuration = ServerConfiguration(dataDirectory: folder.url, passwordCost: .low)
        configure(&configuration)
        return try EmbeddedServer(
            configuration: configuration, environment: .virtual(clock: VirtualClock(now: Timestamp(milliseconds: 0))))
    }

    @Test("a second server on the same data is refused, until the first has stopped")
    func secondServer() async throws {
        let first = try make()

        #expect(throws: ServerError.alreadyServed(folder: folder.url.path)) { try make() }
        await first.stop()
        await (try make()).stop()
    }

    @Test("the address is published while the server listens")
    func endpoint() async throws {
        let server = try make()
        #expect(DataFolder.liveEndpoint(in: folder.url) == nil)

        let url = try await server.start()

        #expect(url.absoluteString.wholeMatch(of: /http:\/\/127\.0\.0\.1:[0-9]+/) != nil)
        #expect(DataFolder.liveEndpoint(in: folder.url) == url)
        await server.stop()
        #expect(DataFolder.liveEndpoint(in: folder.url) == nil)
    }

    @Test("whatever the umask lets through, the files are their owner's alone")
    func modes() async throws {
        let server = try make()
        _ = try await server.start()

        let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        #expect(files == ["endpoint", "lock", "words.sqlite", "words.sqlite-shm", "words.sqlite-wal"])
        for file in files {
            let path = folder.url.appendingPathComponent(file).path
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(file)")
        }
        await server.stop()
    }

    @Test("what has long expired is dropped when a server starts")
    func cleaning() async throws {
        let folder = TemporaryFolder()
        let first = try await TestServer.start(in: folder) {
            $0.tokenLifetimes.refresh = .zero - Accounts.sessionMemory - .seconds(1)
        }
        _ = try await first.person("Alice")
        _ = try await first.signup("Bob")
        let login = try await first.client.send(
            "POST", "/_matrix/client/v3/register",
            ["username": "ann", "password": "longer-pw", "auth": ["type": "m.login.dummy"]])
        try await first.server.expireTokens(.user, of: "alice@words.test")
        await first.server.stop()

        let second = try await TestServer.start(in: folder) { $0.tokenLifetimes.access = .seconds(60) }

        let counts = try await second.server.database.read { connection in
            try connection.first("SELECT (SELECT count(*) FROM sessions), (SELECT count(*) FROM tokens)") {
                [$0.integer(0), $0.integer(1)]
            }
        }
        #expect(counts == [2, 2], "the access tokens of both, the younger ones")
        let who = try await second.client.send(
            "GET", "/_matrix/client/v3/account/whoami", token: login.json["access_token"]?.string)
        #expect(who.status == 200)
        await second.server.stop()
    }

    @Test("a server starts once, and stopping again does nothing")
    func once() async throws {
        let server = try make()
        _ = try await server.start()

        await #expect(throws: ServerError.stopped) { try await server.start() }
        await server.stop()
        await server.stop()
        await #expect(throws: ServerError.stopped) { try await server.start() }
    }

    @Test("a taken port is said, and leaves nothing behind")
    func takenPort() async throws {
        let other = try HTTPServer(host: "127.0.0.1", port: 0)
        let server = try make { $0.port = other.port }

        await #expect(
            throws: ServerError.cannotListen(host: "127.0.0.1", port: other.port, reason: "Address already in use")
        ) { try await server.start() }
        await server.stop()
    }

    @Test("the name is fixed when the database is made")
    func serverName() async throws {
        let first = try make { $0.serverName = "words.example" }
        #expect(first.serverName == "words.example")
        await first.stop()

        let second = try make()
        #expect(second.serverName == "words.example")
        await second.stop()
        #expect(throws: ServerError.otherServerName(stored: "words.example", asked: "other.example")) {
            try make { $0.serverName = "other.example" }
        }
        await (try make()).stop()
    }

    @Test("a name with a port is no server name", arguments: ["localhost:8000", "", "a b", "a..b", "ä.example"])
    func invalidName(name: String) {
        #expect(throws: ServerError.notAServerName(name)) { try make { $0.serverName = name } }
    }

    @Test("a newer database is refused, and the folder is free again")
    func newerDatabase() async throws {
        await (try make()).stop()
        let file = folder.url.appendingPathComponent("words.sqlite")
        var bytes = try Data(contentsOf: file)
        bytes[63] = 99
        try bytes.write(to: file)

        for _ in 0..<2 {
            #expect {
                try make()
            } throws: { error in
                guard case ServerError.database(_, let reason) = error else { return false }
                return reason.contains("version 99")
            }
        }
        #expect(try Data(contentsOf: file) == bytes)
    }

    @Test("messages of failures say what to do")
    func messages() {
        #expect(
            ServerError.alreadyServed(folder: "/data").description
                == "Another server already serves the data in /data. Stop it, or choose another folder with --data.")
    }
}
