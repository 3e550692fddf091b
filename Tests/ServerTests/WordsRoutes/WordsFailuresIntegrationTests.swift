import Foundation
import Models
import Testing

@testable import Server

/// The failures that all of the Words API has in common.
@Suite struct WordsFailuresIntegrationTests {
    private static let protected = [
        ("POST", "/api/chatkit/token"), ("GET", "/api/user"), ("PUT", "/api/user"), ("GET", "/api/contacts"),
        ("POST", "/api/contacts"), ("DELETE", "/api/contacts/1"), ("PUT", "/api/blocks/1"),
        ("DELETE", "/api/blocks/1"), ("POST", "/api/logout"),
    ]

    @Test("without a good bearer token there is nothing but 401")
    func unauthenticated() async throws {
        try await TestServer.run { server in
            for (method, path) in Self.protected {
                for headers in [[], [("Authorization", "Bearer nonsense")], [("Authorization", "Basic YTpi")]] {
                    let answer = try await server.client.send(method, path, headers: headers)

                    #expect(answer.status == 401, "\(method) \(path)")
                    #expect(answer.json == ["message": "Unauthenticated."])
                    #expect(answer["WWW-Authenticate"] == nil)
                }
            }
        }
    }

    @Test("a body must be JSON and say so")
    func contentType() async throws {
        try await TestServer.run { server in
            let json = Data(#"{"name":"A","email":"a@b.c","password":"secret"}"#.utf8)
            func post(_ type: String?, _ body: Data, _ path: String = "/api/users/signup") async throws -> Answer {
                try await server.client.send(
                    "POST", path, headers: type.map { [("Content-Type", $0)] } ?? [], body: body)
            }

            expect(try await post(nil, json).status, 415)
            expect(try await post("text/plain", json).status, 415)
            expect(try await post("application/x-www-form-urlencoded", Data("name=A".utf8)).status, 415)
            expect(try await post("application/json", Data("{".utf8)).status, 400)
            expect(try await post("application/json", Data("[]".utf8)).status, 400)
            expect(try await post("application/json", Data([0xFF])).status, 400)
            let deep = Data((String(repeating: "[", count: 10_000)).utf8)
            expect(try await post("application/json", deep).json["message"], "The body is not JSON.")
            expect(try await post("text/plain", json, "/oauth/token").status, 415)
            expect(try await post("application/json; charset=utf-8", json).status, 201)
        }
    }

    @Test("a body past 64 KiB is refused")
    func tooLarge() async throws {
        try await TestServer.run { server in
            let answer = try await server.client.send(
                "POST", "/api/users/signup", ["name": .string(String(repeating: "x", count: 65_536))])

            #expect(answer.status == 413)
            #expect(answer.json["message"] == "The body is larger than the 65536 bytes that are taken here.")
        }
    }

    @Test("an unknown path is 404 and a wrong method 405, both with words")
    func unknown() async throws {
        try await TestServer.run { server in
            let path = try await server.client.send("GET", "/api/nothing")
            let method = try await server.client.send("DELETE", "/api/user")

            #expect(path.status == 404)
            #expect(path.json["message"] != nil)
            #expect(method.status == 405)
            #expect(method["Allow"] == "GET, PUT")
        }
    }

    @Test("a foreign Host gets 421 and an Origin 403")
    func foreigners() async throws {
        try await TestServer.run { server in
            let host = try await server.client.send("GET", "/api/user", headers: [("Host", "evil.example")])
            let origin = try await server.client.send("GET", "/api/user", headers: [("Origin", "http://evil.example")])

            #expect(host.status == 421)
            #expect(host.json["message"] != nil)
            #expect(origin.status == 403)
            #expect(origin.json["message"] != nil)
        }
    }

    @Test("an allowed Host and Origin are let in")
    func configured() async throws {
        try await TestServer.run {
            $0.allowedHosts = ["words.example"]
            $0.allowedOrigins = ["https://app.example"]
        } _: { server in
            let answer = try await server.client.send(
                "GET", "/_matrix/client/versions",
                headers: [("Host", "words.example"), ("Origin", "https://app.example")])

            #expect(answer.status == 200)
            #expect(answer["Access-Control-Allow-Origin"] == "https://app.example")
        }
    }

    @Test("wrong passwords for one account are limited, also where there is none, and right ones do not count")
    func loginLimit() async throws {
        try await TestServer.run {
            $0.rateLimits.loginPerAccount = Rate(burst: 3, interval: .seconds(30))
        } _: {
            server in
            _ = try await server.signup("Alice")
            for email in ["alice@words.test", "nobody@words.test"] {
                for _ in 0..<3 {
                    expect(try await server.login(email, password: "nonsense").status, 400)
                }

                let limited = try await server.login(email)

                #expect(limited.status == 429)
                #expect(limited["Retry-After"] == "30")
                #expect(limited.json["message"] == "Too many tries. Wait 30 seconds and try again.")
            }
            _ = server.clock.fireNext(upTo: server.clock.now + .seconds(30))
            for _ in 0..<5 { expect(try await server.login("alice@words.test").status, 200) }
        }
    }

    @Test("wrong passwords from one address are limited, whatever the account")
    func addressLimit() async throws {
        try await TestServer.run {
            $0.rateLimits.loginPerAddress = Rate(burst: 2, interval: .seconds(5))
        } _: {
            server in
            for email in ["a@words.test", "b@words.test"] {
                expect(try await server.login(email).status, 400)
            }

            expect(try await server.login("c@words.test").status, 429)
        }
    }

    @Test("accounts made from one address are limited")
    func signupLimit() async throws {
        try await TestServer.run {
            $0.rateLimits.signupPerAddress = Rate(burst: 1, interval: .seconds(60))
        } _: {
            server in
            expect(try await server.signup("Alice").status, 201)
            let second = try await server.signup("Bob")

            #expect(second.status == 429)
            #expect(second["Retry-After"] == "60")
        }
    }
}
