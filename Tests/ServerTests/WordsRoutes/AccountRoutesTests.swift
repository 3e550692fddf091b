import Foundation
import Models
import Testing

@testable import Server

@Suite struct AccountRoutesTests {
    @Test("signing up answers with the account as it is stored")
    func signup() async throws {
        try await TestServer.run { server in
            let answer = try await server.signup("Alice", email: "Alice@Words.test")

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

    @Test("a token opens the chat of the same person")
    func chatToken() async throws {
        try await TestServer.run { server in
            let alice = try await server.person("Alice")

            let answer = try await server.client.send("POST", "/api/chatkit/token", token: alice.access)

            #expect(answer.status == 200)
            #expect(answer.json["token_type"] == "Bearer")
            #expect(answer.json["expires_in"] == 3_600)
            #expect(answer.json["user_id"]?.string == alice.chatID)
            let who = try await server.client.send(
                "GET", "/_matrix/client/v3/account/whoami", token: answer.json["access_token"]?.string)
            #expect(who.status == 200)
            #expect(who.json["user_id"]?.string == alice.chatID)
        }
    }
}
