import Foundation
import Models
import Testing

@testable import Server

/// Finding the server, logging in and out, devices.
@Suite struct SessionRoutesIntegrationTests {
    @Test("versions tell that this is a Words server, without a token")
    func versions() async throws {
        try await TestServer.run { server in
            let answer = try await server.client.send("GET", "/_matrix/client/versions")

            #expect(answer.status == 200)
            #expect(answer.json["unstable_features"]?["org.words.api"] == true)
            #expect(answer.json["versions"]?.array?.contains("v1.1") == true)
        }
    }

    @Test("the well-known document names the server as the client has called it")
    func wellKnown() async throws {
        try await TestServer.run { server in
            let answer = try await server.client.send("GET", "/.well-known/matrix/client")

            #expect(answer.json["m.homeserver"]?["base_url"]?.string == server.url.absoluteString)
        }
    }

    @Test("capabilities want a token")
    func capabilities() async throws {
        try await TestServer.run { server in
            let token = try await server.matrixRegister("ann").json["access_token"]?.string

            let with = try await server.client.send("GET", "\(TestServer.matrix)/capabilities", token: token)
            let without = try await server.client.send("GET", "\(TestServer.matrix)/capabilities")

            #expect(with.json["capabilities"]?["m.change_password"]?["enabled"] == true)
            #expect(without.status == 401)
            #expect(without.json["errcode"] == "M_MISSING_TOKEN")
        }
    }

    @Test("one logs in by local part, whole id or the old user field, under r0 and v3")
    func login() async throws {
        try await TestServer.run { server in
            _ = try await server.matrixRegister("ann")

            for user in ["ann", "@ann:localhost", "ANN"] {
                let answer = try await server.matrixLogin(user)
                #expect(answer.status == 200)
                #expect(answer.json["user_id"] == "@ann:localhost")
                #expect(answer.json["refresh_token"] == nil)
                #expect(answer.json["expires_in_ms"] == nil)
            }
            let old = try await server.client.send(
                "POST", "/_matrix/client/r0/login",
                ["type": "m.login.password", "user": "ann", "password": "longer-pw", "device_id": .null])
            #expect(old.status == 200)
            expect(try await server.whoAmI(old.json["access_token"]?.string).status, 200)
            let flows = try await server.client.send("GET", "/_matrix/client/r0/login")
            #expect(flows.json == ["flows": [["type": "m.login.password"]]])
        }
    }

    @Test("a token in the query is as good as one in the header")
    func queryToken() async throws {
        try await TestServer.run { server in
            let token = try await server.matrixRegister("ann").json["access_token"]?.string ?? ""

            let answer = try await server.client.send(
                "GET", "\(TestServer.matrix)/account/whoami?access_token=\(token)")

            #expect(answer.json["user_id"] == "@ann:localhost")
            #expect(answer.json["is_guest"] == false)
        }
    }

    @Test("a wrong password and an unknown user get the same answer")
    func wrongLogin() async throws {
        try await TestServer.run { server in
            _ = try await server.matrixRegister("ann")

            let wrong = try await server.matrixLogin("ann", password: "nonsense")
            let unknown = try await server.matrixLogin("nobody")
            let elsewhere = try await server.matrixLogin("@ann:elsewhere.example")

            #expect(wrong.status == 403)
            #expect(wrong.json["errcode"] == "M_FORBIDDEN")
            #expect(unknown.body == wrong.body)
            #expect(elsewhere.body == wrong.body)
        }
    }

    @Test("too many wrong passwords are answered as Matrix does")
    func limited() async throws {
        try await TestServer.run {
            $0.rateLimits.loginPerAccount = Rate(burst: 1, interval: .seconds(7))
        } _: {
            server in
            _ = try await server.matrixLogin("ann")

            let answer = try await server.matrixLogin("ann")

            #expect(answer.status == 429)
            #expect(answer.json["errcode"] == "M_LIMIT_EXCEEDED")
            #expect(answer.json["retry_after_ms"] == 7_000)
            #expect(answer["Retry-After"] == "7")
        }
    }

    @Test("what cannot be understood is said as Matrix does")
    func malformed() async throws {
        try await TestServer.run { server in
            func post(_ body: String) async throws -> Answer {
                try await server.client.send("POST", "\(TestServer.matrix)/login", headers: [], body: Data(body.utf8))
            }

            expect(try await post("{").json["errcode"], "M_NOT_JSON")
            expect(try await post("[]").json["errcode"], "M_BAD_JSON")
            expect(try await post("{}").json["errcode"], "M_MISSING_PARAM")
            expect(try await post(#"{"type":"m.login.token"}"#).json["errcode"], "M_UNKNOWN")
            expect(try await post(#"{"type":5}"#).json["errcode"], "M_BAD_JSON")
            expect(try await post(#"{"type":"m.login.password","user":"a"}"#).status, 400)
        }
    }

    @Test("a device that logs in again keeps its name and loses its older tokens")
    func sameDevice() async throws {
        try await TestServer.run { server in
            _ = try await server.matrixRegister("ann", more: ["inhibit_login": true])
            let device: [String: JSONValue] = ["device_id": "PHONE"]
            let first = try await server.matrixLogin(
                "ann", more: device.merging(["initial_device_display_name": "Phone"]) { $1 })
            let token = first.json["access_token"]?.string
            expect(try await server.whoAmI(token).status, 200)

            let second = try await server.matrixLogin("ann", more: device)

            #expect(second.json["device_id"] == "PHONE")
            expect(try await server.whoAmI(token).status, 401)
            let devices = try await server.client.send(
                "GET", "\(TestServer.matrix)/devices", token: second.json["access_token"]?.string)
            #expect(devices.json["devices"]?.array?.count == 1)
            #expect(devices.json["devices"]?.array?.first?["display_name"] == "Phone")
        }
    }

    @Test("tokens that can be renewed expire and are renewed")
    func refresh() async throws {
        try await TestServer.run { server in
            _ = try await server.matrixRegister("ann", more: ["inhibit_login": true])
            let login = try await server.matrixLogin("ann", more: ["refresh_token": true])
            #expect(login.json["expires_in_ms"] == 3_600_000)
            _ = server.clock.fireNext(upTo: server.clock.now + .seconds(3_600))
            let expired = try await server.whoAmI(login.json["access_token"]?.string)
            let token = login.json["refresh_token"] ?? .null

            let lost = try await server.client.send("POST", "\(TestServer.matrix)/refresh", ["refresh_token": token])
            let renewed = try await server.client.send("POST", "\(TestServer.matrix)/refresh", ["refresh_token": token])

            #expect(expired.json["soft_logout"] == true)
            #expect(renewed.status == 200)
            #expect(renewed.json["expires_in_ms"] == 3_600_000)
            expect(try await server.whoAmI(lost.json["access_token"]?.string).status, 401)
            let who = try await server.whoAmI(renewed.json["access_token"]?.string)
            #expect(who.json["device_id"] == login.json["device_id"])
            let dead = try await server.client.send("POST", "\(TestServer.matrix)/refresh", ["refresh_token": token])
            #expect(dead.status == 401)
            #expect(dead.json["errcode"] == "M_UNKNOWN_TOKEN")
            #expect(dead.json["soft_logout"] == nil)
        }
    }

    @Test("a refresh token that has expired leaves the session to whoever logs in on its device")
    func softLogout() async throws {
        try await TestServer.run { server in
            _ = try await server.matrixRegister("ann", more: ["inhibit_login": true])
            let login = try await server.matrixLogin("ann", more: ["refresh_token": true])
            _ = server.clock.fireNext(upTo: server.clock.now + .seconds(31 * 86_400))

            let refused = try await server.client.send(
                "POST", "\(TestServer.matrix)/refresh", ["refresh_token": login.json["refresh_token"] ?? .null])
            let again = try await server.matrixLogin("ann", more: ["device_id": login.json["device_id"] ?? .null])

            #expect(refused.status == 401)
            #expect(refused.json["errcode"] == "M_UNKNOWN_TOKEN")
            #expect(refused.json["soft_logout"] == true)
            #expect(again.json["device_id"] == login.json["device_id"])
        }
    }

    @Test("the tokens of one API do not work for the other")
    func apart() async throws {
        try await TestServer.run { server in
            _ = try await server.matrixRegister("ann", more: ["inhibit_login": true])
            let login = try await server.matrixLogin("ann", more: ["refresh_token": true])

            let words = try await server.client.send(
                "GET", "/api/user", token: login.json["access_token"]?.string)
            let refresh = try await server.refresh(login.json["refresh_token"]?.string ?? "")

            #expect(words.status == 401)
            #expect(refresh.status == 400)
        }
    }

    @Test("an account made for the Words API logs in through Matrix as well")
    func wordsAccount() async throws {
        try await TestServer.run { server in
            let alice = try await server.person("Alice")

            let answer = try await server.matrixLogin(alice.chatID, password: alice.password)

            #expect(answer.json["user_id"]?.string == alice.chatID)
        }
    }

    @Test("logging out ends one device, or all")
    func logout() async throws {
        try await TestServer.run { server in
            _ = try await server.matrixRegister("ann", more: ["inhibit_login": true])
            var tokens: [String?] = []
            for _ in 0..<3 { tokens.append(try await server.matrixLogin("ann").json["access_token"]?.string) }

            let one = try await server.client.send("POST", "\(TestServer.matrix)/logout", token: tokens[0])
            expect(try await server.whoAmI(tokens[0]).json["errcode"], "M_UNKNOWN_TOKEN")
            expect(try await server.whoAmI(tokens[1]).status, 200)
            let all = try await server.client.send("POST", "\(TestServer.matrix)/logout/all", token: tokens[1])

            #expect(one.json == [:])
            #expect(all.json == [:])
            expect(try await server.whoAmI(tokens[1]).status, 401)
            expect(try await server.whoAmI(tokens[2]).status, 401)
        }
    }

    @Test("two tokens that differ are no token")
    func contradictingTokens() async throws {
        try await TestServer.run { server in
            let token = try await server.matrixRegister("ann").json["access_token"]?.string ?? ""
            func ask(_ query: String) async throws -> Answer {
                try await server.client.send("GET", "\(TestServer.matrix)/account/whoami?\(query)", token: token)
            }

            expect(try await ask("access_token=\(token)").status, 200)
            expect(try await ask("access_token=other").json["errcode"], "M_MISSING_TOKEN")
            expect(try await ask("access_token=\(token)&access_token=other").status, 401)
        }
    }

    @Test("behind a proxy the well-known document names the public URL, and its host may be called by")
    func publicURL() async throws {
        try await TestServer.run({ $0.publicURL = URL(string: "https://chat.words.test") }) { server in
            let answer = try await server.client.send(
                "GET", "/.well-known/matrix/client", headers: [("Host", "chat.words.test")])

            #expect(answer.json["m.homeserver"] == ["base_url": "https://chat.words.test"])
        }
    }

    @Test("unknown addresses and wrong methods are M_UNRECOGNIZED")
    func unrecognized() async throws {
        try await TestServer.run { server in
            let path = try await server.client.send("GET", "/_matrix/client/v3/nothing")
            let method = try await server.client.send("DELETE", "/_matrix/client/v3/login")

            #expect(path.status == 404)
            #expect(path.json["errcode"] == "M_UNRECOGNIZED")
            #expect(method.status == 405)
            #expect(method.json["errcode"] == "M_UNRECOGNIZED")
        }
    }
}
