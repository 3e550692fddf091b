import Foundation
import Models
import Testing

@testable import Server

/// Looking at one's devices, naming and ending them.
@Suite struct DeviceRoutesIntegrationTests {
    @Test("devices are listed, looked at and renamed; one without a name has its id for one")
    func devices() async throws {
        try await TestServer.run { server in
            let account = try await server.matrixRegister("ann", more: ["device_id": "A/B"])
            let token = account.json["access_token"]?.string

            let list = try await server.client.send("GET", "\(TestServer.matrix)/devices", token: token)
            let renamed = try await server.client.send(
                "PUT", "\(TestServer.matrix)/devices/A%2FB", ["display_name": "Swift"], token: token)
            let one = try await server.client.send("GET", "\(TestServer.matrix)/devices/A%2FB", token: token)
            let other = try await server.client.send(
                "PUT", "\(TestServer.matrix)/devices/OTHER", ["display_name": "Swift"], token: token)
            let unchanged = try await server.client.send(
                "PUT", "\(TestServer.matrix)/devices/A%2FB", [:], token: token)
            let still = try await server.client.send("GET", "\(TestServer.matrix)/devices/A%2FB", token: token)

            #expect(
                list.json["devices"] == [
                    [
                        "device_id": "A/B", "display_name": "A/B", "last_seen_ip": "127.0.0.1",
                        "last_seen_ts": 1_767_603_600_000,
                    ]
                ])
            #expect(renamed.status == 200)
            #expect(one.json["display_name"] == "Swift")
            #expect(unchanged.status == 200)
            #expect(still.json["display_name"] == "Swift")
            #expect(other.json["errcode"] == "M_NOT_FOUND")
        }
    }

    @Test("a device is ended for who gives the password once more", arguments: [true, false])
    func endDevice(one: Bool) async throws {
        try await TestServer.run { server in
            let token = try await server.matrixRegister("ann").json["access_token"]?.string
            let lost = try await server.matrixLogin("ann", more: ["device_id": "LOST"]).json["access_token"]?.string
            func end(_ auth: JSONValue) async throws -> Answer {
                one
                    ? try await server.client.send(
                        "DELETE", "\(TestServer.matrix)/devices/LOST", ["auth": auth], token: token)
                    : try await server.client.send(
                        "POST", "\(TestServer.matrix)/delete_devices", ["devices": ["LOST", "NONE"], "auth": auth],
                        token: token)
            }
            func password(_ text: String) -> JSONValue { ["type": "m.login.password", "password": .string(text)] }

            let challenge = try await end(.null)
            let wrong = try await end(password("nonsense"))
            expect(try await server.whoAmI(lost).status, 200)
            let right = try await end(password("longer-pw"))

            #expect(challenge.status == 401)
            #expect(challenge.json["flows"] == [["stages": ["m.login.password"]]])
            #expect(wrong.json["errcode"] == "M_FORBIDDEN")
            #expect(right.status == 200)
            expect(try await server.whoAmI(lost).json["errcode"], "M_UNKNOWN_TOKEN")
            expect(try await server.whoAmI(token).status, 200)
        }
    }

    @Test("nobody ends the device of somebody else")
    func otherPeople() async throws {
        try await TestServer.run { server in
            let ann = try await server.matrixRegister("ann", more: ["device_id": "A"]).json["access_token"]?.string
            let bob = try await server.matrixRegister("bob").json["access_token"]?.string

            let answer = try await server.client.send(
                "POST", "\(TestServer.matrix)/delete_devices",
                ["devices": ["A"], "auth": ["type": "m.login.password", "password": "longer-pw"]], token: bob)

            #expect(answer.status == 200)
            expect(try await server.whoAmI(ann).status, 200)
        }
    }

    @Test(
        "what is to be ended has to be a list of ids",
        arguments: [([:], "M_MISSING_PARAM"), (["devices": "A"], "M_BAD_JSON"), (["devices": [1]], "M_BAD_JSON")]
            as [(JSONValue, String)])
    func malformed(body: JSONValue, code: String) async throws {
        try await TestServer.run { server in
            let token = try await server.matrixRegister("ann").json["access_token"]?.string

            let answer = try await server.client.send(
                "POST", "\(TestServer.matrix)/delete_devices", body, token: token)

            #expect(answer.status == 400)
            #expect(answer.json["errcode"]?.string == code)
        }
    }
}
