import Foundation
import Models
import Testing

@testable import Server

/// Making accounts through Matrix and changing passwords.
@Suite struct RegistrationRoutesIntegrationTests {
    @Test("registering asks for a dummy stage first, and only after the name has been looked at")
    func challenge() async throws {
        try await TestServer.run { server in
            let challenge = try await server.client.send(
                "POST", "\(TestServer.matrix)/register", ["username": "ann", "password": "longer-pw"])
            let done = try await server.matrixRegister(
                "ann",
                more: ["auth": ["type": "m.login.dummy", "session": challenge.json["session"] ?? .null]])
            let again = try await server.client.send("POST", "\(TestServer.matrix)/register", ["username": "ann"])

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
            let answer = try await server.matrixRegister("ann", more: ["auth": ["type": "m.login.recaptcha"]])

            #expect(answer.status == 401)
            #expect(answer.json["errcode"] == "M_UNRECOGNIZED")
            #expect(answer.json["completed"] == [])
            #expect(answer.json["flows"] == [["stages": ["m.login.dummy"]]])
        }
    }

    @Test("names and passwords that will not do are refused")
    func invalidRegistration() async throws {
        try await TestServer.run { server in
            let name = try await server.matrixRegister("an n")
            let weak = try await server.matrixRegister("ann", more: ["password": "12345"])
            let none = try await server.matrixRegister("ann", more: ["password": .null])
            let guest = try await server.client.send("POST", "\(TestServer.matrix)/register?kind=guest", [:])

            #expect(name.json["errcode"] == "M_INVALID_USERNAME")
            #expect(weak.json["errcode"] == "M_WEAK_PASSWORD")
            #expect(none.json["errcode"] == "M_MISSING_PARAM")
            #expect(guest.status == 403)
        }
    }

    @Test("names are lower case, made up where none is wished for, and without a login if so asked")
    func registration() async throws {
        try await TestServer.run { server in
            let upper = try await server.matrixRegister("Ann.B", more: ["device_id": .null])
            let madeUp = try await server.matrixRegister("x", more: ["username": .null])
            let silent = try await server.matrixRegister("bob", more: ["inhibit_login": true])

            #expect(upper.json["user_id"] == "@ann.b:localhost")
            #expect(madeUp.json["user_id"]?.string?.wholeMatch(of: /@user-[a-z0-9]{6}:localhost/) != nil)
            #expect(silent.json == ["user_id": "@bob:localhost"])
        }
    }

    @Test("whether a name is free can be asked")
    func available() async throws {
        try await TestServer.run { server in
            _ = try await server.matrixRegister("ann")
            func ask(_ query: String) async throws -> Answer {
                try await server.client.send("GET", "\(TestServer.matrix)/register/available\(query)")
            }

            expect(try await ask("?username=bob").json, ["available": true])
            expect(try await ask("?username=ann").json["errcode"], "M_USER_IN_USE")
            expect(try await ask("?username=a%20b").json["errcode"], "M_INVALID_USERNAME")
            expect(try await ask("").json["errcode"], "M_MISSING_PARAM")
        }
    }

    @Test("a new password wants the old one, and ends other devices unless told not to", arguments: [true, false])
    func changePassword(endsOthers: Bool) async throws {
        try await TestServer.run { server in
            let token = try await server.matrixRegister("ann").json["access_token"]?.string
            let other = try await server.matrixLogin("ann").json["access_token"]?.string
            func change(_ auth: JSONValue) async throws -> Answer {
                try await server.client.send(
                    "POST", "\(TestServer.matrix)/account/password",
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
            expect(try await server.whoAmI(token).status, 200)
            expect(try await server.whoAmI(other).status, endsOthers ? 401 : 200)
            expect(try await server.matrixLogin("ann", password: "newer-pw").status, 200)
        }
    }

    @Test("a weak new password is refused")
    func weakPassword() async throws {
        try await TestServer.run { server in
            let token = try await server.matrixRegister("ann").json["access_token"]?.string

            let answer = try await server.client.send(
                "POST", "\(TestServer.matrix)/account/password", ["new_password": "12345"], token: token)

            #expect(answer.json["errcode"] == "M_WEAK_PASSWORD")
        }
    }
}
