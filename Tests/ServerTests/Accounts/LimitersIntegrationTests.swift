import Models
import Testing

@testable import Server

/// How often an account may ask, and be tried, whichever way somebody comes in.
@Suite struct LimitersIntegrationTests {
    private static func slow(_ configuration: inout ServerConfiguration) {
        configuration.rateLimits.requestsPerAccount = Rate(burst: 5, interval: .milliseconds(1_500))
    }

    @Test("past its requests an account is told when to ask again, in the words of each API, and others go on")
    func requests() async throws {
        try await TestServer.run(Self.slow) { server in
            let alice = try await server.person("Alice")
            let bob = try await server.person("Bob")
            let chatToken = try await server.chatToken(alice)
            for _ in 0..<3 { expect(try await server.whoAmI(chatToken).status, 200) }

            let matrix = try await server.whoAmI(chatToken)
            let words = try await server.client.send("GET", "/api/user", token: alice.access)
            let other = try await server.client.send("GET", "/api/user", token: bob.access)

            #expect(matrix.status == 429)
            #expect(matrix.json["errcode"] == "M_LIMIT_EXCEEDED")
            #expect(matrix.json["retry_after_ms"] == 1_500)
            #expect(matrix["Retry-After"] == "2")
            #expect(words.status == 429)
            #expect(words["Retry-After"] == "2")
            #expect(words.json["message"] == "Too many tries. Wait 2 seconds and try again.")
            #expect(other.status == 200)
            _ = server.clock.fireNext(upTo: server.clock.now + .milliseconds(1_500))
            expect(try await server.whoAmI(chatToken).status, 200)
            expect(try await server.whoAmI(chatToken).status, 429)
        }
    }

    private static let openRoutes = [
        "/directory/room/%23none:localhost", "/directory/list/room/!none:localhost", "/publicRooms",
        "/profile/@none:localhost",
        "/profile/@none:localhost/displayname",
    ]

    @Test(
        "what anybody may ask counts too where a token is given, and says that the limit is reached",
        arguments: openRoutes)
    func openRoute(_ path: String) async throws {
        try await TestServer.run(Self.slow) { server in
            let alice = try await server.person("Alice")
            let chatToken = try await server.chatToken(alice)
            @Sendable func ask(_ token: String?) async throws -> Answer {
                try await server.client.send("GET", "\(TestServer.matrix)\(path)", token: token)
            }
            for _ in 0..<3 { expect(try await ask(chatToken).json["errcode"] != "M_LIMIT_EXCEEDED", true) }

            let limited = try await ask(chatToken)

            #expect(limited.status == 429)
            #expect(limited.json["errcode"] == "M_LIMIT_EXCEEDED")
            for _ in 0..<9 { expect(try await ask(nil).status != 429, true, "a stranger is nobody's account") }
        }
    }

    @Test("a token that is over is told to be over where strangers may ask, too", arguments: openRoutes)
    func overAtOpenRoute(_ path: String) async throws {
        try await TestServer.run { server in
            let alice = try await server.person("Alice")
            let chatToken = try await server.chatToken(alice)
            server.pass(.seconds(3_600))

            let expired = try await server.client.send("GET", "\(TestServer.matrix)\(path)", token: chatToken)
            let unknown = try await server.client.send("GET", "\(TestServer.matrix)\(path)", token: "nonsense")

            #expect(expired.status == 401)
            #expect(expired.json["soft_logout"] == true)
            #expect(unknown.status == 401)
            #expect(unknown.json["errcode"] == "M_UNKNOWN_TOKEN")
        }
    }

    @Test("all devices of an account share its requests; logins and renewals are among them")
    func devices() async throws {
        try await TestServer.run(Self.slow) { server in
            let alice = try await server.person("Alice")
            for _ in 0..<3 { expect(try await server.login(alice.email).status, 200) }
            expect(try await server.refresh(alice.refresh).status, 200)

            let renewal = try await server.refresh(alice.refresh)
            let login = try await server.login(alice.email)

            #expect(renewal.status == 429)
            #expect(renewal["Retry-After"] == "2")
            #expect(login.status == 429)
            _ = server.clock.fireNext(upTo: server.clock.now + .milliseconds(1_500))
            expect(try await server.refresh(alice.refresh).status, 200)
        }
    }

    @Test("what bears no good token of the account does not use up its requests")
    func strangers() async throws {
        try await TestServer.run(Self.slow) { server in
            let alice = try await server.person("Alice")
            for token in ["", "nonsense", alice.refresh] {
                for _ in 0..<4 { expect(try await server.whoAmI(token).status, 401) }
            }

            for _ in 0..<4 { expect(try await server.client.send("GET", "/api/user", token: alice.access).status, 200) }
        }
    }

    @Test("the usual limit lets two minutes' worth through at once")
    func usual() {
        let rate = RateLimits().requestsPerAccount
        var limiter = RateLimiter<Int64>(rate: rate)
        let now = Timestamp(milliseconds: 0)
        var taken = 0

        while limiter.take(1, at: now) == nil { taken += 1 }

        #expect(taken == 60_000)
        #expect(limiter.take(1, at: now) == .milliseconds(2))
        #expect(Rate.perSecond(0) == .unlimited)
    }

    @Test("wrong passwords for one account are counted together, whichever way they come in")
    func waysIn() async throws {
        try await TestServer.run {
            $0.rateLimits.loginPerAccount = Rate(burst: 4, interval: .seconds(30))
        } _: { server in
            let alice = try await server.person("Alice")
            let chatToken = try await server.chatToken(alice)
            let wrong = "not-the-one"
            let ways: [@Sendable () async throws -> Int] = [
                { try await server.login(alice.email, password: wrong).status },
                { try await server.login(alice.email.uppercased(), password: wrong).status },
                { try await server.matrixLogin(alice.chatID, password: wrong).status },
                {
                    try await server.client.send(
                        "PUT", "/api/user",
                        ["password": "longer-than-six", "current_password": .string(wrong)], token: alice.access
                    ).status
                },
                {
                    try await server.client.send(
                        "POST", "\(TestServer.matrix)/account/password",
                        [
                            "new_password": "longer-than-six",
                            "auth": ["type": "m.login.password", "password": .string(wrong)],
                        ], token: chatToken
                    ).status
                },
            ]
            var statuses: [Int] = []
            for way in ways { statuses.append(try await way()) }
            #expect(statuses == [400, 400, 403, 422, 429])

            for way in ways { expect(try await way(), 429) }
            let local = String(alice.chatID.dropFirst().prefix { $0 != ":" })
            expect(
                try await server.matrixLogin(local, password: alice.password).status, 429, "the right one has to wait")
        }
    }

    @Test("wrong passwords from one address are counted together, whichever way they come in")
    func address() async throws {
        try await TestServer.run {
            $0.rateLimits.loginPerAddress = Rate(burst: 3, interval: .seconds(30))
        } _: { server in
            let alice = try await server.person("Alice")
            expect(try await server.login("nobody@words.test").status, 400)
            expect(try await server.matrixLogin("nobody").status, 403)
            let changed = try await server.client.send(
                "PUT", "/api/user", ["password": "longer-than-six", "current_password": "wrong-one"],
                token: alice.access)

            #expect(changed.status == 422)
            expect(try await server.login("another@words.test").status, 429)
            expect(try await server.matrixLogin("another").status, 429)
        }
    }
}
