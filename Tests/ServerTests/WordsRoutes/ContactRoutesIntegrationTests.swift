import Foundation
import Models
import Testing

@testable import Server

/// `/api/contacts` and `/api/blocks`.
@Suite struct ContactRoutesIntegrationTests {
    private func add(_ who: TestPerson, _ identity: String, _ server: TestServer) async throws -> Answer {
        try await server.client.send(
            "POST", "/api/contacts", ["user_id": .string(identity)], token: who.access)
    }

    private func remove(_ who: TestPerson, _ id: String, _ server: TestServer) async throws -> Int {
        try await server.client.send("DELETE", "/api/contacts/\(id)", token: who.access).status
    }

    private func contacts(_ who: TestPerson, _ server: TestServer) async throws -> [JSONValue] {
        try await server.client.send("GET", "/api/contacts", token: who.access).json.array ?? []
    }

    private func names(_ who: TestPerson, _ server: TestServer) async throws -> [String] {
        try await contacts(who, server).compactMap { $0["name"]?.string }
    }

    private func say(_ text: String, _ who: TestPerson, _ room: String, _ server: TestServer) async throws -> Answer {
        let token = try await server.chatToken(who)
        return try await server.client.send(
            "PUT", "/_matrix/client/v3/rooms/\(room)/send/m.room.message/\(text)",
            ["msgtype": "m.text", "body": .string(text)], token: token)
    }

    @Test("adding answers with the contact, and both people now have it and share one private room")
    func add() async throws {
        try await TestServer.run { server in
            let (alice, bob) = (try await server.person("Alice"), try await server.person("Bob"))

            let answer = try await add(alice, " BOB@words.test ", server)

            #expect(answer.status == 201)
            #expect(answer.json["id"]?.integer == bob.id)
            #expect(answer.json["name"] == "Bob")
            #expect(answer.json["email"]?.string == bob.email)
            #expect(answer.json["chatkit_id"]?.string == bob.chatID)
            let room = answer.json["room"]
            #expect(room?["private"] == true)
            #expect(room?["created_by_id"]?.string == alice.chatID)
            #expect(room?["created_at"] == "2026-01-05T09:00:00.000Z")
            #expect(room?["updated_at"] == "2026-01-05T09:00:00.000Z")
            let (of, others) = (try await contacts(alice, server), try await contacts(bob, server))
            #expect(of == [answer.json])
            #expect(others.count == 1)
            #expect(others.first?["chatkit_id"]?.string == alice.chatID)
            #expect(others.first?["room"]?["id"] == room?["id"])
            let id = room?["id"]?.string ?? ""
            expect(try await say("hello", alice, id, server).status, 200)
            expect(try await say("hi", bob, id, server).status, 200)
        }
    }

    @Test("one may be added by Matrix id, and whoever has been added has no need to add")
    func byMatrixID() async throws {
        try await TestServer.run { server in
            let (alice, bob) = (try await server.person("Alice"), try await server.person("Bob"))

            let first = try await add(alice, bob.chatID, server)
            let back = try await add(bob, alice.chatID, server)
            let again = try await add(alice, bob.email, server)

            #expect(first.status == 201)
            for answer in [back, again] {
                #expect(answer.status == 422)
                #expect(answer.json["errors"] == ["user_id": ["This person is among your contacts already."]])
            }
        }
    }

    @Test("oneself, strangers and nothing cannot be added")
    func refused() async throws {
        try await TestServer.run { server in
            let alice = try await server.person("Alice")
            func reason(_ identity: String) async throws -> JSONValue? {
                let answer = try await add(alice, identity, server)
                return answer.status == 422 ? answer.json["errors"]?["user_id"] : nil
            }

            expect(try await reason(alice.email), ["This is yourself."])
            expect(try await reason(alice.chatID), ["This is yourself."])
            for stranger in ["nobody@words.test", "@nobody:localhost", "@alice:elsewhere.example"] {
                expect(try await reason(stranger), ["Nobody here has this address or id."])
            }
            expect(try await reason(" "), ["An e-mail address or a user id is required."])
            expect(try await contacts(alice, server), [])
        }
    }

    @Test("both adding each other at once end up with one room")
    func race() async throws {
        try await TestServer.run { server in
            let (alice, bob) = (try await server.person("Alice"), try await server.person("Bob"))

            async let one = add(alice, bob.email, server)
            async let other = add(bob, alice.email, server)
            _ = try await (one, other)

            let (of, others) = (try await contacts(alice, server), try await contacts(bob, server))
            #expect(of.count == 1)
            #expect(others.count == 1)
            #expect(of.first?["room"]?["id"] == others.first?["room"]?["id"])
        }
    }

    @Test("contacts are listed in the order of their making")
    func order() async throws {
        try await TestServer.run { server in
            let alice = try await server.person("Alice")
            for name in ["Zoe", "Bob", "Mia"] {
                let person = try await server.person(name)
                _ = try await add(alice, person.email, server)
            }

            expect(try await names(alice, server), ["Zoe", "Bob", "Mia"])
        }
    }

    @Test("removing takes the caller out; the other keeps the contact, and can send no more", arguments: [true, false])
    func remove(byNumber: Bool) async throws {
        try await TestServer.run { server in
            let (alice, bob) = (try await server.person("Alice"), try await server.person("Bob"))
            let room = try await add(alice, bob.email, server).json["room"]?["id"]?.string ?? ""

            let status = try await remove(alice, byNumber ? String(bob.id) : bob.chatID, server)

            #expect(status == 204)
            expect(try await names(alice, server), [])
            expect(try await names(bob, server), ["Alice"])
            let sent = try await say("there?", bob, room, server)
            #expect(sent.status == 403)
            #expect(sent.json["error"] == "Alice has left this conversation.")
            expect(try await remove(alice, String(bob.id), server), 404)
            expect(try await remove(alice, "nonsense", server), 404)
        }
    }

    @Test("adding again takes the same room, and sending works again")
    func addAgain() async throws {
        try await TestServer.run { server in
            let (alice, bob) = (try await server.person("Alice"), try await server.person("Bob"))
            let room = try await add(alice, bob.email, server).json["room"]?["id"]
            _ = try await remove(alice, bob.chatID, server)

            let again = try await add(alice, bob.email, server)

            #expect(again.status == 201)
            #expect(again.json["room"]?["id"] == room)
            expect(try await names(bob, server), ["Alice"])
            expect(try await say("back", bob, room?.string ?? "", server).status, 200)
        }
    }

    @Test("who has removed one is only invited, and once")
    func invited() async throws {
        try await TestServer.run { server in
            let (alice, bob) = (try await server.person("Alice"), try await server.person("Bob"))
            let room = try await add(alice, bob.email, server).json["room"]?["id"]?.string ?? ""
            _ = try await remove(alice, bob.chatID, server)

            let invitation = try await add(bob, alice.email, server)
            let again = try await add(bob, alice.email, server)

            #expect(invitation.status == 201)
            expect(try await names(alice, server), [])
            #expect(again.status == 422)
            #expect(
                again.json["errors"] == [
                    "user_id": ["This person is among your contacts already, and has been invited."]
                ])
            let joined = try await server.client.send(
                "POST", "/_matrix/client/v3/rooms/\(room)/join", [:], token: try await server.chatToken(alice))
            #expect(joined.status == 200)
            expect(try await names(alice, server), ["Bob"])
        }
    }

    @Test("a blocked person can neither add nor write, until unblocked")
    func block() async throws {
        try await TestServer.run { server in
            let (alice, bob) = (try await server.person("Alice"), try await server.person("Bob"))
            let mallory = try await server.person("Mallory")
            let room = try await add(bob, alice.email, server).json["room"]?["id"]?.string ?? ""
            func block(_ method: String, _ id: String) async throws -> Int {
                try await server.client.send(method, "/api/blocks/\(id)", token: alice.access).status
            }

            expect(try await block("PUT", bob.chatID), 204)
            expect(try await block("PUT", String(mallory.id)), 204)
            expect(try await block("PUT", String(mallory.id)), 204)

            expect(try await say("psst", bob, room, server).status, 403)
            let added = try await add(mallory, alice.email, server)
            #expect(added.status == 422)
            #expect(added.json["errors"] == ["user_id": ["This person does not want to be added."]])
            let adding = try await add(alice, mallory.email, server)
            #expect(adding.json["errors"] == ["user_id": ["You have blocked this person. Unblock them first."]])
            expect(try await block("DELETE", String(mallory.id)), 204)
            expect(try await block("DELETE", bob.chatID), 204)
            expect(try await block("DELETE", bob.chatID), 204)
            expect(try await say("hi", bob, room, server).status, 200)
            expect(try await add(mallory, alice.email, server).status, 201)
        }
    }

    @Test("nobody blocks themselves or nobody")
    func blockNobody() async throws {
        try await TestServer.run { server in
            let alice = try await server.person("Alice")
            func block(_ id: String) async throws -> Int {
                try await server.client.send("PUT", "/api/blocks/\(id)", token: alice.access).status
            }

            expect(try await block(alice.chatID), 422)
            expect(try await block("99"), 404)
            expect(try await block("@nobody:localhost"), 404)
        }
    }

    @Test("adding is limited for each account, found or not")
    func limited() async throws {
        try await TestServer.run {
            $0.rateLimits.contactsPerAccount = Rate(burst: 2, interval: .seconds(10))
        } _: {
            server in
            let (alice, bob) = (try await server.person("Alice"), try await server.person("Bob"))
            expect(try await add(alice, "nobody@words.test", server).status, 422)
            expect(try await add(alice, "no-one@words.test", server).status, 422)

            let answer = try await add(alice, bob.email, server)

            #expect(answer.status == 429)
            #expect(answer["Retry-After"] == "10")
            expect(try await add(bob, "nobody@words.test", server).status, 422)
        }
    }

    @Test("a person without an address is a contact without one")
    func withoutEmail() async throws {
        try await TestServer.run { server in
            let alice = try await server.person("Alice")
            _ = try await server.client.send(
                "POST", "/_matrix/client/v3/register",
                ["username": "ann", "password": "longer-pw", "auth": ["type": "m.login.dummy"]])

            let answer = try await add(alice, "@ann:localhost", server)

            #expect(answer.status == 201)
            #expect(answer.json["chatkit_id"] == "@ann:localhost")
            #expect(answer.json["email"] == nil)
        }
    }

    @Test("a new name is everybody's at once, and a refused password leaves the old one")
    func rename() async throws {
        try await TestServer.run { server in
            let (alice, bob) = (try await server.person("Alice"), try await server.person("Bob"))
            _ = try await add(alice, bob.email, server)

            let refused = try await server.client.send(
                "PUT", "/api/user", ["name": "Robert", "password": "secret-two", "current_password": "nonsense"],
                token: bob.access)
            let before = try await names(alice, server)
            let answer = try await server.client.send("PUT", "/api/user", ["name": " Robert "], token: bob.access)

            #expect(refused.status == 422)
            #expect(before == ["Bob"])
            #expect(answer.status == 200)
            #expect(answer.json["name"] == "Robert")
            expect(try await names(alice, server), ["Robert"])
            let profile = try await server.client.send(
                "GET", "/_matrix/client/v3/profile/\(bob.chatID)/displayname", token: nil)
            #expect(profile.json["displayname"] == "Robert")
        }
    }

    @Test("a session that ends takes its parked poll along, and news wake it")
    func polls() async throws {
        try await TestServer.run { server in
            let (alice, bob) = (try await server.person("Alice"), try await server.person("Bob"))
            let token = try await server.chatToken(alice)
            let sync = "/_matrix/client/v3/sync"
            let since = try await server.client.send("GET", sync, token: token).json["next_batch"]?.string ?? ""
            func poll(_ id: String) async throws -> Answer {
                server.activity.beginPoll(id)
                defer { server.activity.endPoll(id) }
                return try await server.client.send(
                    "GET", "\(sync)?since=\(since)&timeout=30000", token: token, headers: [("X-Words-Poll", id)])
            }
            async let news = poll("one")
            await server.activity.idle()
            _ = try await add(bob, alice.email, server)
            let woken = try await news
            #expect(woken.json["rooms"]?["join"]?.object?.count == 1)
            let types = woken.json["account_data"]?["events"]?.array?.compactMap { $0["type"]?.string }
            #expect(types?.contains("m.direct") == true)
            let next = woken.json["next_batch"]?.string ?? ""

            async let last = server.client.send(
                "GET", "\(sync)?since=\(next)&timeout=30000", token: token, headers: [])
            _ = try await server.client.send("POST", "/api/logout", token: alice.access)

            let answer = try await last
            #expect(answer.status == 401)
            #expect(answer.json["errcode"] == "M_UNKNOWN_TOKEN")
        }
    }
}
