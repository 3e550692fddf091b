import Foundation
import Models
import Testing

@testable import Server

/// `POST /oauth/token` and `POST /api/chatkit/token`.
@Suite struct TokenRoutesIntegrationTests {
    private func isGood(_ token: String?, _ server: TestServer) async throws -> Bool {
        try await server.client.send("GET", "/api/user", token: token).status == 200
    }

    @Test("the right password gets a pair of tokens")
    func passwordGrant() async throws {
        try await TestServer.run { server in
            _ = try await server.signup("Alice")

            let answer = try await server.login("ALICE@words.test")

            #expect(answer.status == 200)
            #expect(answer.json["token_type"] == "Bearer")
            #expect(answer.json["expires_in"] == 3_600)
            #expect(answer["Cache-Control"] == "no-store")
            expect(try await isGood(answer.json["access_token"]?.string, server), true)
        }
    }

    @Test("the token endpoint takes forms too, with the numbers of clients as text")
    func form() async throws {
        try await TestServer.run { server in
            _ = try await server.signup("Alice", email: "a+b@words.test", password: "p&s+ w=rd")
            let form = "grant_type=password&username=a%2Bb%40words.test&password=p%26s%2B+w%3Drd&client_id=2"

            let answer = try await server.client.send(
                "POST", "/oauth/token",
                headers: [("Content-Type", "application/x-www-form-urlencoded; charset=UTF-8")], body: Data(form.utf8))

            #expect(answer.status == 200)
        }
    }

    @Test("a wrong password and an unknown address get the same answer")
    func wrongCredentials() async throws {
        try await TestServer.run { server in
            _ = try await server.signup("Alice")

            let wrong = try await server.login("alice@words.test", password: "secret-two")
            let unknown = try await server.login("nobody@words.test")

            #expect(wrong.status == 400)
            #expect(wrong.json["error"] == "invalid_grant")
            #expect(wrong.json["message"] == "The e-mail address or the password is wrong.")
            #expect(wrong.json["error_description"] == wrong.json["message"])
            #expect(unknown.status == wrong.status)
            #expect(unknown.body == wrong.body)
        }
    }

    @Test("a wrong client and another grant are refused in the words of RFC 6749")
    func otherFailures() async throws {
        try await TestServer.run { server in
            let client = try await server.client.send(
                "POST", "/oauth/token", ["grant_type": "password", "username": "a", "password": "b", "client_id": 3])
            let grant = try await server.client.send(
                "POST", "/oauth/token", ["grant_type": "client_credentials", "client_id": "2"])

            #expect(client.status == 401)
            #expect(client.json["error"] == "invalid_client")
            #expect(client["WWW-Authenticate"] == nil)
            #expect(grant.status == 400)
            #expect(grant.json["error"] == "unsupported_grant_type")
        }
    }

    @Test("where the client has a secret, it is asked for")
    func clientSecret() async throws {
        try await TestServer.run {
            $0.clientSecret = Secret("sesame")
        } _: { server in
            _ = try await server.signup("Alice")
            func login(_ secret: JSONValue) async throws -> Int {
                try await server.client.send(
                    "POST", "/oauth/token",
                    [
                        "grant_type": "password", "username": "alice@words.test", "password": "secret-one",
                        "client_id": 2, "client_secret": secret,
                    ]
                ).status
            }

            expect(try await login("sesame"), 200)
            expect(try await login("sesam"), 401)
            expect(try await login(.null), 401)
        }
    }

    @Test("an access token lives for an hour")
    func expiry() async throws {
        try await TestServer.run { server in
            let alice = try await server.person("Alice")

            _ = server.clock.fireNext(upTo: server.clock.now + .seconds(3_599))
            expect(try await isGood(alice.access, server), true)
            _ = server.clock.fireNext(upTo: server.clock.now + .seconds(1))

            expect(try await isGood(alice.access, server), false)
            expect(try await server.refresh(alice.refresh).status, 200)
        }
    }

    @Test("a refresh token lives for thirty days")
    func refreshExpiry() async throws {
        try await TestServer.run { server in
            let alice = try await server.person("Alice")

            _ = server.clock.fireNext(upTo: server.clock.now + .seconds(30 * 86_400))

            let answer = try await server.refresh(alice.refresh)
            #expect(answer.status == 400)
            #expect(answer.json["error"] == "invalid_grant")
            #expect(answer.json["soft_logout"] == true)
            let wrong = try await server.refresh("wrong")
            #expect(wrong.json["error"] == "invalid_grant")
            #expect(wrong.json["soft_logout"] == nil)
        }
    }

    @Test("a password goes on with the device that it names, whose older tokens are over; without one it is another")
    func device() async throws {
        try await TestServer.run { server in
            let alice = try await server.person("Alice")
            let first = try await server.login(alice.email)
            func grant(_ device: JSONValue) async throws -> Answer {
                try await server.client.send(
                    "POST", "/oauth/token",
                    [
                        "grant_type": "password", "username": .string(alice.email),
                        "password": .string(alice.password), "client_id": 2, "device_id": device,
                    ])
            }

            let second = try await grant(first.json["device_id"] ?? .null)
            let others = [try await grant(""), try await grant(.null)]

            #expect(first.json["device_id"]?.string?.isEmpty == false)
            #expect(second.json["device_id"] == first.json["device_id"])
            expect(try await isGood(first.json["access_token"]?.string ?? "", server), false)
            expect(try await isGood(second.json["access_token"]?.string ?? "", server), true)
            expect(try await isGood(alice.access, server), true)
            for other in others { #expect(other.json["device_id"] != first.json["device_id"]) }
            let renewed = try await server.refresh(second.json["refresh_token"]?.string ?? "")
            #expect(renewed.json["device_id"] == first.json["device_id"])
        }
    }

    @Test("the old refresh token is good until the new access token is used")
    func renewal() async throws {
        try await TestServer.run { server in
            let alice = try await server.person("Alice")

            let first = try await server.refresh(alice.refresh).json
            let second = try await server.refresh(alice.refresh).json

            #expect(first["access_token"] != second["access_token"])
            expect(try await isGood(first["access_token"]?.string, server), false, "a repeat voids the unused pair")
            expect(try await server.refresh(first["refresh_token"]?.string ?? "").status, 400)
            expect(try await isGood(alice.access, server), true, "the old pair lives until the new one is used")
            expect(try await isGood(second["access_token"]?.string, server), true)
            expect(try await server.refresh(alice.refresh).status, 400)
            expect(try await isGood(alice.access, server), false)
            expect(try await isGood(second["access_token"]?.string, server), true)
        }
    }

    @Test("the new refresh token, used first, ends the old pair as well")
    func renewalByRefreshToken() async throws {
        try await TestServer.run { server in
            let alice = try await server.person("Alice")
            let first = try await server.refresh(alice.refresh).json

            let second = try await server.refresh(first["refresh_token"]?.string ?? "").json

            expect(try await server.refresh(alice.refresh).status, 400)
            expect(try await isGood(second["access_token"]?.string, server), true)
        }
    }

    @Test("renewals at once leave one pair that holds")
    func concurrentRenewal() async throws {
        try await TestServer.run { server in
            let alice = try await server.person("Alice")

            let tokens = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<6 {
                    group.addTask { try await server.refresh(alice.refresh).json["access_token"]?.string ?? "" }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }

            var good = 0
            for token in tokens where try await isGood(token, server) { good += 1 }
            #expect(good == 1)
        }
    }

    @Test("an access token cannot renew, and a refresh token cannot act")
    func kinds() async throws {
        try await TestServer.run { server in
            let alice = try await server.person("Alice")
            let chat = try await server.chatToken(alice)

            expect(try await server.refresh(alice.access).status, 400)
            expect(try await server.refresh(chat).status, 400)
            expect(try await isGood(alice.refresh, server), false)
            expect(try await isGood(chat, server), false)
            for token in [alice.access, alice.refresh] {
                let who = try await server.client.send("GET", "/_matrix/client/v3/account/whoami", token: token)
                #expect(who.status == 401)
            }
        }
    }

    @Test("a chat token opens the chat of the same person, on the device of the session")
    func chatToken() async throws {
        try await TestServer.run { server in
            let alice = try await server.person("Alice")

            let answer = try await server.client.send("POST", "/api/chatkit/token", token: alice.access)
            let renewed = try await server.refresh(alice.refresh).json["access_token"]?.string ?? ""
            let later = try await server.client.send("POST", "/api/chatkit/token", token: renewed)

            #expect(answer.status == 200)
            #expect(answer.json["token_type"] == "Bearer")
            #expect(answer.json["expires_in"] == 3_600)
            #expect(answer.json["user_id"]?.string == alice.chatID)
            var devices: Set<String?> = []
            for token in [answer, later].map({ $0.json["access_token"]?.string }) {
                let who = try await server.client.send("GET", "/_matrix/client/v3/account/whoami", token: token)
                #expect(who.json["user_id"]?.string == alice.chatID)
                devices.insert(who.json["device_id"]?.string)
            }
            #expect(devices.count == 1)
        }
    }

    @Test("an expired chat token says that the session lives on")
    func expiredChatToken() async throws {
        try await TestServer.run { server in
            let alice = try await server.person("Alice")
            let chat = try await server.chatToken(alice)

            _ = server.clock.fireNext(upTo: server.clock.now + .seconds(3_600))

            let who = try await server.client.send("GET", "/_matrix/client/v3/account/whoami", token: chat)
            #expect(who.status == 401)
            #expect(who.json["errcode"] == "M_UNKNOWN_TOKEN")
            #expect(who.json["soft_logout"] == true)
        }
    }

    @Test("tokens can be made to expire", arguments: EmbeddedServer.TokenKind.allCases)
    func expireTokens(kind: EmbeddedServer.TokenKind) async throws {
        try await TestServer.run { server in
            let alice = try await server.person("Alice")
            let chat = try await server.chatToken(alice)
            expect(try await isGood(alice.access, server), true)

            try await server.server.expireTokens(kind, of: alice.email)

            let who = try await server.client.send("GET", "/_matrix/client/v3/account/whoami", token: chat)
            expect(try await isGood(alice.access, server), kind != .user)
            #expect((who.status == 200) == (kind != .chat))
            expect(try await server.refresh(alice.refresh).status, kind == .refresh ? 400 : 200)
        }
    }

    @Test("sessions outlive a restart, and the database holds no token as it is")
    func restart() async throws {
        let folder = TemporaryFolder()
        let first = try await TestServer.start(in: folder)
        let alice = try await first.person("Alice")
        let chat = try await first.chatToken(alice)
        await first.server.stop()

        let second = try await TestServer.start(in: folder)

        expect(try await isGood(alice.access, second), true)
        await second.server.stop()
        let files = try FileManager.default.contentsOfDirectory(at: folder.url, includingPropertiesForKeys: nil)
        for file in files {
            let data = try Data(contentsOf: file)
            for secret in [alice.access, alice.refresh, chat, alice.password] {
                #expect(data.range(of: Data(secret.utf8)) == nil, "\(file.lastPathComponent)")
            }
        }
    }
}
