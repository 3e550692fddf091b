import Foundation
import Models
import Testing

@testable import Server

/// `POST /api/users/signup`, `GET` and `PUT /api/user`, `POST /api/logout`.
@Suite struct AccountRoutesIntegrationTests {
    @Test("signing up answers with the account as it is stored")
    func signup() async throws {
        try await TestServer.run { server in
            let answer = try await server.signup(" Alice ", email: " Alice@Words.test")

            #expect(answer.status == 201)
            #expect(answer["Content-Type"] == "application/json")
            #expect(answer.json["id"] == 1)
            #expect(answer.json["name"] == "Alice")
            #expect(answer.json["email"] == "alice@words.test")
            #expect(answer.json["created_at"] == "2026-01-05T09:00:00.000Z")
            #expect(answer.json["updated_at"] == "2026-01-05T09:00:00.000Z")
            let chatID = answer.json["chatkit_id"]?.string ?? ""
            #expect(chatID.wholeMatch(of: /@alice-[a-z0-9]{6}:localhost/) != nil)
        }
    }

    @Test("two people of one name get two ids, and neither tells the address")
    func sameName() async throws {
        try await TestServer.run { server in
            let first = try await server.signup("Alice", email: "one@words.test").json["chatkit_id"]?.string
            let second = try await server.signup("Alice", email: "two@words.test").json["chatkit_id"]?.string

            #expect(first != second)
            #expect(first?.contains("one") == false)
        }
    }

    @Test("an address can sign up once, however it is written")
    func takenEmail() async throws {
        try await TestServer.run { server in
            _ = try await server.signup("Alice", email: "alice@words.test")

            let answer = try await server.signup("Mallory", email: "ALICE@words.test")

            #expect(answer.status == 422)
            #expect(answer.json["errors"]?["email"] == ["There is an account with this e-mail address already."])
        }
    }

    @Test("two who sign up with one address at once get one account")
    func race() async throws {
        try await TestServer.run { server in
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 { group.addTask { try await server.signup("Alice").status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }

            #expect(statuses.sorted() == [201] + Array(repeating: 422, count: 7))
        }
    }

    @Test("what is wrong is said field by field")
    func invalid() async throws {
        try await TestServer.run { server in
            let empty = try await server.client.send("POST", "/api/users/signup", [:])
            let short = try await server.signup("A", email: "nonsense", password: "12345")
            let mistyped = try await server.client.send(
                "POST", "/api/users/signup", ["name": 5, "email": "a@b.c", "password": "secret"])

            #expect(empty.status == 422)
            #expect(empty.json["message"] == "The given data was invalid.")
            #expect(empty.json["errors"]?.object?.keys.sorted() == ["email", "name", "password"])
            #expect(
                short.json["errors"] == [
                    "email": ["This is not an e-mail address."],
                    "password": ["A password needs at least 6 bytes."],
                ])
            #expect(mistyped.status == 422)
            #expect(mistyped.json["errors"] == ["name": ["The field name must be text."]])
        }
    }

    @Test("GET /api/user answers with the signed-in person")
    func currentUser() async throws {
        try await TestServer.run { server in
            let alice = try await server.person("Alice")

            let answer = try await server.client.send("GET", "/api/user", token: alice.access)

            #expect(answer.status == 200)
            #expect(answer.json["email"]?.string == alice.email)
            #expect(answer.json["chatkit_id"]?.string == alice.chatID)
        }
    }

    @Test("a new password needs the current one, and ends all other sessions")
    func changePassword() async throws {
        try await TestServer.run { server in
            let alice = try await server.person("Alice")
            let other = try await server.login(alice.email).json["access_token"]?.string

            let wrong = try await server.client.send(
                "PUT", "/api/user", ["password": "secret-two", "current_password": "nonsense"], token: alice.access)
            let missing = try await server.client.send(
                "PUT", "/api/user", ["password": "secret-two"], token: alice.access)
            let right = try await server.client.send(
                "PUT", "/api/user", ["password": "secret-two", "current_password": .string(alice.password)],
                token: alice.access)

            #expect(wrong.status == 422)
            #expect(wrong.json["errors"] == ["current_password": ["This is not the current password."]])
            #expect(missing.status == 422)
            #expect(right.status == 200)
            expect(try await server.client.send("GET", "/api/user", token: alice.access).status, 200)
            expect(try await server.client.send("GET", "/api/user", token: other).status, 401)
            expect(try await server.login(alice.email).status, 400)
            expect(try await server.login(alice.email, password: "secret-two").status, 200)
        }
    }

    @Test("a new password of the wrong length is refused and changes nothing")
    func invalidPassword() async throws {
        try await TestServer.run { server in
            let alice = try await server.person("Alice")

            let answer = try await server.client.send(
                "PUT", "/api/user",
                [
                    "password": .string(String(repeating: "x", count: 1_025)),
                    "current_password": .string(alice.password),
                ],
                token: alice.access)

            #expect(answer.status == 422)
            #expect(answer.json["errors"] == ["password": ["A password may have at most 1024 bytes."]])
            expect(try await server.login(alice.email).status, 200)
        }
    }

    @Test("after logging out the access, refresh and chat tokens of the session are dead, and those of others live")
    func logout() async throws {
        try await TestServer.run { server in
            let alice = try await server.person("Alice")
            let chat = try await server.chatToken(alice)
            let other = try await server.login(alice.email).json["access_token"]?.string

            let answer = try await server.client.send("POST", "/api/logout", token: alice.access)

            #expect(answer.status == 204)
            #expect(answer.body.isEmpty)
            expect(try await server.client.send("GET", "/api/user", token: alice.access).status, 401)
            expect(try await server.refresh(alice.refresh).status, 400)
            let who = try await server.client.send("GET", "/_matrix/client/v3/account/whoami", token: chat)
            #expect(who.status == 401)
            #expect(who.json["soft_logout"] == nil)
            expect(try await server.client.send("GET", "/api/user", token: other).status, 200)
        }
    }
}
