import Foundation
import Models
import Testing

@testable import Server

/// `words passwd`.
@Suite struct OwnerToolsIntegrationTests {
    @Test("a forgotten password is set while the server runs, and ends its sessions at once")
    func whileServing() async throws {
        try await TestServer.run { server in
            let alice = try await server.person("Alice")
            let before = try await server.client.send("GET", "/api/user", token: alice.access).status

            try await EmbeddedServer.setPassword(
                email: "ALICE@words.test", password: Secret("secret-two"), configuration: server.server.configuration)

            #expect(before == 200)
            expect(try await server.client.send("GET", "/api/user", token: alice.access).status, 401)
            expect(try await server.login(alice.email).status, 400)
            expect(try await server.login(alice.email, password: "secret-two").status, 200)
        }
    }

    @Test("a forgotten password is set while nobody serves")
    func whileStopped() async throws {
        let folder = TemporaryFolder()
        let first = try await TestServer.start(in: folder)
        let alice = try await first.person("Alice")
        await first.server.stop()

        try await EmbeddedServer.setPassword(
            email: alice.email, password: Secret("secret-two"), configuration: first.server.configuration)

        let second = try await TestServer.start(in: folder)
        expect(try await second.client.send("GET", "/api/user", token: alice.access).status, 401)
        expect(try await second.login(alice.email, password: "secret-two").status, 200)
        await second.server.stop()
    }

    @Test("an unknown address and a password of the wrong length are refused")
    func refused() async throws {
        try await TestServer.run { server in
            let configuration = server.server.configuration

            await #expect(throws: ServerError.noSuchAccount) {
                try await EmbeddedServer.setPassword(
                    email: "nobody@words.test", password: Secret("secret-two"), configuration: configuration)
            }
            await #expect(throws: ServerError.password("A password needs at least 6 bytes.")) {
                try await EmbeddedServer.setPassword(
                    email: "nobody@words.test", password: Secret("12345"), configuration: configuration)
            }
        }
    }

    @Test("where there are no data there is no account, and none are made")
    func noData() async throws {
        let folder = TemporaryFolder()

        await #expect(throws: ServerError.noSuchAccount) {
            try await EmbeddedServer.setPassword(
                email: "a@words.test", password: Secret("secret-two"),
                configuration: ServerConfiguration(dataDirectory: folder.url))
        }
        #expect(!FileManager.default.fileExists(atPath: folder.url.path))
    }

    @Test("without the owner's key the address does not exist")
    func key() async throws {
        try await TestServer.run { server in
            let alice = try await server.person("Alice")

            for token in [nil, "nonsense", alice.access] {
                let answer = try await server.client.send(
                    "PUT", OwnerRoutes.passwordPath, ["email": "alice@words.test", "password": "secret-two"],
                    token: token)

                #expect(answer.status == 404)
            }
            expect(try await server.login(alice.email).status, 200)
        }
    }
}
