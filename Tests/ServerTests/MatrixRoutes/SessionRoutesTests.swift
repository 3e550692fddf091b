import Foundation
import Models
import Testing

@testable import Server

/// The session part of the Matrix API.
@Suite struct SessionRoutesTests {
    private static let client = "/_matrix/client/v3"

    private func register(
        _ name: String, _ server: TestServer, more: [String: JSONValue] = [:]
    ) async throws -> Answer {
        let body: [String: JSONValue] = [
            "username": .string(name), "password": "longer-pw", "auth": ["type": "m.login.dummy"],
        ]
        return try await server.client.send(
            "POST", "\(Self.client)/register", .object(body.merging(more) { $1 }))
    }

    private func login(
        _ user: String, _ server: TestServer, password: String = "longer-pw", more: [String: JSONValue] = [:]
    ) async throws -> Answer {
        let body: [String: JSONValue] = [
            "type": "m.login.password", "identifier": ["type": "m.id.user", "user": .string(user)],
            "password": .string(password),
        ]
        return try await server.client.send("POST", "\(Self.client)/login", .object(body.merging(more) { $1 }))
    }

    private func whoAmI(_ token: String?, _ server: TestServer) async throws -> Answer {
        try await server.client.send("GET", "\(Self.client)/account/whoami", token: token)
    }

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
            let token = try await register("ann", server).json["access_token"]?.string

            let with = try await server.client.send("GET", "\(Self.client)/capabilities", token: token)
            let without = try await server.client.send("GET", "\(Self.client)/capabilities")

            #expect(with.json["capabilities"]?["m.change_password"]?["enabled"] == true)
            #expect(without.status == 401)
            #expect(without.json["errcode"] == "M_MISSING_TOKEN")
        }
    }

    @Test("registering asks for a dummy stage first, and only after the name has been looked at")
    func challenge() async throws {
        try await TestServer.run { server in
            let challenge = try await server.client.send(
                "POST", "\(Self.client)/register", ["username": "ann", "password": "longer-pw"])
            let done = try await register(
                "ann", server,
                more: ["auth": ["type": "m.login.dummy", "session": challenge.json["session"] ?? .null]])
            let again = try await server.client.send("POST", "\(Self.client)/register", ["username": "ann"])

            #expect(challenge.status == 401)
            #expect(challenge.json["errcode"] == nil)
            #expect(challenge.json["flows"] == [["stages": ["m.login.dummy"]]])
            #expect(challenge.json["params"] == [:])
            #expect(done.status == 200)
            #expect(done.json["user_id"] == "@ann:localhost")
            #expect(again.status == 400)
            #expect(again.json["errcode"] == "M_USER_IN_USE")
        }
    }

    @Test("a stage that is not part of the way gets the challenge with an error")
    func otherStage() async throws {
        try await TestServer.run { server in
            let answer = try await register("ann", server, more: ["auth": ["type": "m.login.recaptcha"]])

            #expect(answer.status == 401)
            #expect(answer.json["errcode"] == "M_UNRECOGNIZED")
            #expect(answer.json["completed"] == [])
            #expect(answer.json["flows"] == [["stages": ["m.login.dummy"]]])
        }
    }

    @Test("names and passwords that will not do are refused")
    func invalidRegistration() async throws {
        try await TestServer.run { server in
            let name = try await register("an n", server)
            let weak = try await register("ann", server, more: ["password": "12345"])
            let none = try await register("ann", server, more: ["password": .null])
            let guest = try await server.client.send("POST", "\(Self.client)/register?kind=guest", [:])

            #expect(name.json["errcode"] == "M_INVALID_USERNAME")
            #expect(weak.json["errcode"] == "M_WEAK_PASSWORD")
            #expect(none.json["errcode"] == "M_MISSING_PARAM")
            #expect(guest.status == 403)
        }
    }

    @Test("names are lower case, made up where none is wished for, and without a login if so asked")
    func registration() async throws {
        try await TestServer.run { server in
            let upper = try await register("Ann.B", server, more: ["device_id": .null])
            let madeUp = try await register("x", server, more: ["username": .null])
            let silent = try await register("bob", server, more: ["inhibit_login": true])

            #expect(upper.json["user_id"] == "@ann.b:localhost")
            #expect(madeUp.json["user_id"]?.string?.wholeMatch(of: /@user-[a-z0-9]{6}:localhost/) != nil)
            #expect(silent.json == ["user_id": "@bob:localhost"])
        }
    }

    @Test("whether a name is free can be asked")
    func available() async throws {
        try await TestServer.run { server in
            _ = try await register("ann", server)
            func ask(_ query: String) async throws -> Answer {
                try await server.client.send("GET", "\(Self.client)/register/available\(query)")
            }

            expect(try await ask("?username=bob").json, ["available": true])
            expect(try await ask("?username=ann").json["errcode"], "M_USER_IN_USE")
            expect(try await ask("?username=a%20b").json["errcode"], "M_INVALID_USERNAME")
            expect(try await ask("").json["errcode"], "M_MISSING_PARAM")
        }
    }

    @Test("one logs in by local part, whole id or the old user field, under r0 and v3")
    func login() async throws {
        try await TestServer.run { server in
            _ = try await register("ann", server)

            for user in ["ann", "@ann:localhost", "ANN"] {
                let answer = try await login(user, server)
                #expect(answer.status == 200)
                #expect(answer.json["user_id"] == "@ann:localhost")
                #expect(answer.json["refresh_token"] == nil)
                #expect(answer.json["expires_in_ms"] == nil)
            }
            let old = try await server.client.send(
                "POST", "/_matrix/client/r0/login",
                ["type": "m.login.password", "user": "ann", "password": "longer-pw", "device_id": .null])
            #expect(old.status == 200)
            expect(try await whoAmI(old.json["access_token"]?.string, server).status, 200)
            let flows = try await server.client.send("GET", "/_matrix/client/r0/login")
            #expect(flows.json == ["flows": [["type": "m.login.password"]]])
        }
    }

    @Test("a token in the query is as good as one in the header")
    func queryToken() async throws {
        try await TestServer.run { server in
            let token = try await register("ann", server).json["access_token"]?.string ?? ""

            let answer = try await server.client.send("GET", "\(Self.client)/account/whoami?access_token=\(token)")

            #expect(answer.json["user_id"] == "@ann:localhost")
            #expect(answer.json["is_guest"] == false)
        }
    }

    @Test("a wrong password and an unknown user get the same answer")
    func wrongLogin() async throws {
        try await TestServer.run { server in
            _ = try await register("ann", server)

            let wrong = try await login("ann", server, password: "nonsense")
            let unknown = try await login("nobody", server)
            let elsewhere = try await login("@ann:elsewhere.example", server)

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
            _ = try await login("ann", server)

            let answer = try await login("ann", server)

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
                try await server.client.send("POST", "\(Self.client)/login", headers: [], body: Data(body.utf8))
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
            _ = try await register("ann", server, more: ["inhibit_login": true])
            let device: [String: JSONValue] = ["device_id": "PHONE"]
            let first = try await login(
                "ann", server, more: device.merging(["initial_device_display_name": "Phone"]) { $1 })
            let token = first.json["access_token"]?.string
            expect(try await whoAmI(token, server).status, 200)

            let second = try await login("ann", server, more: device)

            #expect(second.json["device_id"] == "PHONE")
            expect(try await whoAmI(token, server).status, 401)
            let devices = try await server.client.send(
                "GET", "\(Self.client)/devices", token: second.json["access_token"]?.string)
            #expect(devices.json["devices"]?.array?.count == 1)
            #expect(devices.json["devices"]?.array?.first?["display_name"] == "Phone")
        }
    }

    @Test("tokens that can be renewed expire and are renewed")
    func refresh() async throws {
        try await TestServer.run { server in
            _ = try await register("ann", server, more: ["inhibit_login": true])
            let login = try await login("ann", server, more: ["refresh_token": true])
            #expect(login.json["expires_in_ms"] == 3_600_000)
            _ = server.clock.fireNext(upTo: server.clock.now + .seconds(3_600))
            let expired = try await whoAmI(login.json["access_token"]?.string, server)
            let token = login.json["refresh_token"] ?? .null

            let lost = try await server.client.send("POST", "\(Self.client)/refresh", ["refresh_token": token])
            let renewed = try await server.client.send("POST", "\(Self.client)/refresh", ["refresh_token": token])

            #expect(expired.json["soft_logout"] == true)
            #expect(renewed.status == 200)
            #expect(renewed.json["expires_in_ms"] == 3_600_000)
            expect(try await whoAmI(lost.json["access_token"]?.string, server).status, 401)
            let who = try await whoAmI(renewed.json["access_token"]?.string, server)
            #expect(who.json["device_id"] == login.json["device_id"])
            let dead = try await server.client.send("POST", "\(Self.client)/refresh", ["refresh_token": token])
            #expect(dead.status == 401)
            #expect(dead.json["errcode"] == "M_UNKNOWN_TOKEN")
        }
    }

    @Test("the tokens of one API do not work for the other")
    func apart() async throws {
        try await TestServer.run { server in
            _ = try await register("ann", server, more: ["inhibit_login": true])
            let login = try await login("ann", server, more: ["refresh_token": true])

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

            let answer = try await login(alice.chatID, server, password: alice.password)

            #expect(answer.json["user_id"]?.string == alice.chatID)
        }
    }

    @Test("logging out ends one device, or all")
    func logout() async throws {
        try await TestServer.run { server in
            _ = try await register("ann", server, more: ["inhibit_login": true])
            var tokens: [String?] = []
            for _ in 0..<3 { tokens.append(try await login("ann", server).json["access_token"]?.string) }

            let one = try await server.client.send("POST", "\(Self.client)/logout", token: tokens[0])
            expect(try await whoAmI(tokens[0], server).json["errcode"], "M_UNKNOWN_TOKEN")
            expect(try await whoAmI(tokens[1], server).status, 200)
            let all = try await server.client.send("POST", "\(Self.client)/logout/all", token: tokens[1])

            #expect(one.json == [:])
            #expect(all.json == [:])
            expect(try await whoAmI(tokens[1], server).status, 401)
            expect(try await whoAmI(tokens[2], server).status, 401)
        }
    }

    @Test("devices are listed without nulls, looked at and renamed")
    func devices() async throws {
        try await TestServer.run { server in
            let account = try await register("ann", server, more: ["device_id": "A/B"])
            let token = account.json["access_token"]?.string

            let list = try await server.client.send("GET", "\(Self.client)/devices", token: token)
            let renamed = try await server.client.send(
                "PUT", "\(Self.client)/devices/A%2FB", ["display_name": "Swift"], token: token)
            let one = try await server.client.send("GET", "\(Self.client)/devices/A%2FB", token: token)
            let other = try await server.client.send(
                "PUT", "\(Self.client)/devices/OTHER", ["display_name": "Swift"], token: token)

            #expect(list.json["devices"] == [["device_id": "A/B", "last_seen_ts": 1_767_603_600_000]])
            #expect(renamed.status == 200)
            #expect(one.json["display_name"] == "Swift")
            #expect(other.json["errcode"] == "M_NOT_FOUND")
        }
    }

    @Test("a new password wants the old one, and ends other devices unless told not to", arguments: [true, false])
    func changePassword(endsOthers: Bool) async throws {
        try await TestServer.run { server in
            let token = try await register("ann", server).json["access_token"]?.string
            let other = try await login("ann", server).json["access_token"]?.string
            func change(_ auth: JSONValue) async throws -> Answer {
                try await server.client.send(
                    "POST", "\(Self.client)/account/password",
                    ["new_password": "newer-pw", "logout_devices": .bool(endsOthers), "auth": auth], token: token)
            }

            let challenge = try await change(.null)
            let wrong = try await change(["type": "m.login.password", "user": "ann", "password": "nonsense"])
            let stranger = try await change(["type": "m.login.password", "user": "bob", "password": "longer-pw"])
            let right = try await change(
                [
                    "type": "m.login.password", "identifier": ["type": "m.id.user", "user": "@ann:localhost"],
                    "password": "longer-pw",
                ])

            #expect(challenge.status == 401)
            #expect(challenge.json["flows"] == [["stages": ["m.login.password"]]])
            #expect(wrong.status == 401)
            #expect(wrong.json["errcode"] == "M_FORBIDDEN")
            #expect(stranger.status == 401)
            #expect(right.status == 200)
            expect(try await whoAmI(token, server).status, 200)
            expect(try await whoAmI(other, server).status, endsOthers ? 401 : 200)
            expect(try await login("ann", server, password: "newer-pw").status, 200)
        }
    }

    @Test("a weak new password is refused")
    func weakPassword() async throws {
        try await TestServer.run { server in
            let token = try await register("ann", server).json["access_token"]?.string

            let answer = try await server.client.send(
                "POST", "\(Self.client)/account/password", ["new_password": "12345"], token: token)

            #expect(answer.json["errcode"] == "M_WEAK_PASSWORD")
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
