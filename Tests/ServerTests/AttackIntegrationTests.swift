import Foundation
import Models
import Testing

@testable import Server

/// Tries to get in, route by route: as a stranger with a script, as a page in a browser, and as somebody with an account
/// who should not see a room. Another user of the machine finds closed files (`EmbeddedServerIntegrationTests`,
/// `DataFolderTests`, the promise of secrets) and the same server as a stranger.
@Suite("Attacks, route by route")
struct AttackIntegrationTests {
    /// What anybody may ask without a token, by the standards: finding the server, signing up and in, what is public.
    private static let open: Set<String> = [
        "GET /.well-known/matrix/client", "GET /_matrix/client/versions", "GET /login", "POST /login",
        "POST /refresh", "POST /register", "GET /register/available", "GET /publicRooms", "GET /directory/room/{alias}",
        "GET /directory/list/room/{roomId}", "GET /profile/{userId}", "GET /profile/{userId}/{keyName}",
        "POST /api/users/signup",
        "POST /oauth/token",
    ]

    private struct Route {
        var method: String
        var pattern: String

        /// The pattern without the prefix of the Matrix API.
        var name: String {
            let short = ["/_matrix/client/v3", "/_matrix/client/r0"].reduce(pattern) { $0.replacing($1, with: "") }
            return "\(method) \(short)"
        }

        func path(_ values: [String: String]) -> String {
            pattern.split(separator: "/").map { part in
                guard part.hasPrefix("{") else { return String(part) }
                let value = values[String(part.dropFirst().dropLast())] ?? "x"
                return value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "x"
            }.reduce("") { "\($0)/\($1)" }
        }
    }

    private func routes(_ server: TestServer) -> [Route] {
        server.server.router.table.map { Route(method: $0.method, pattern: $0.pattern) }
    }

    /// Asks the router itself: what stands before it has its own tests, and there are many routes.
    private func ask(
        _ server: TestServer, _ method: String, _ target: String, _ body: JSONValue?, token: String?
    ) async throws -> HTTPResponse {
        let target = try #require(RequestTarget(target))
        var headers: HTTPHeaders = ["Content-Type": "application/json"]
        if let token { headers.append("Authorization", "Bearer \(token)") }
        return await server.server.router.respond(
            to: HTTPRequest(
                method: method, path: target.path, segments: target.segments, query: target.query, headers: headers,
                body: body?.serialized() ?? Data()))
    }

    @Test("without a good token of the right API every route but the open ones answers 401, and nothing else")
    func strangers() async throws {
        try await TestServer.run { server in
            let alice = try await server.person("Alice")
            let chatToken = try await server.chatToken(alice)
            #expect(Self.open.subtracting(routes(server).map(\.name)) == [], "open, and no routes")
            let routes = routes(server).filter { !Self.open.contains($0.name) }
            #expect(routes.count > 100)
            for route in routes {
                let isOwners = route.pattern == OwnerRoutes.passwordPath
                let isMatrix = route.pattern.hasPrefix("/_matrix")
                for token in [nil, "nonsense", alice.refresh, isMatrix ? alice.access : chatToken] {
                    let answer = try await self.ask(
                        server, route.method, route.path([:]),
                        ["email": "alice@words.test", "password": "taken-over"], token: token)

                    #expect(answer.status == (isOwners ? 404 : 401), "\(route.name)")
                    let code = (try? JSONValue(parsing: answer.body))?["errcode"]?.string
                    #expect(!isMatrix || code == "M_MISSING_TOKEN" || code == "M_UNKNOWN_TOKEN", "\(route.name)")
                }
            }
            expect(try await server.login(alice.email).status, 200, "the password is what it was")
        }
    }

    @Test("a page in a browser gets through no route, by a foreign origin, a null one, or a name that leads here")
    func pages() async throws {
        try await TestServer.run { server in
            let alice = try await server.person("Alice")
            let chatToken = try await server.chatToken(alice)
            // The guard stands before all routes: some of each API will do.
            for (index, route) in routes(server).enumerated() where index % 8 == 0 {
                let token = route.pattern.hasPrefix("/_matrix") ? chatToken : alice.access
                for (header, status) in [
                    (("Origin", "https://evil.test"), 403), (("Origin", "null"), 403), (("Host", "evil.test"), 421),
                    (("Host", "127.0.0.1.evil.test"), 421),
                ] {
                    let answer = try await server.client.send(
                        route.method, route.path([:]), [:], token: token, headers: [header])

                    #expect(answer.status == status, "\(route.name) \(header)")
                    #expect(answer["Access-Control-Allow-Origin"] == nil)
                }
            }
            let preflight = try await server.client.send(
                "OPTIONS", "/api/user", headers: [("Origin", "https://evil.test")])
            #expect(preflight.status == 403)
            #expect(preflight["Access-Control-Allow-Methods"] == nil)
        }
    }

    @Test("a form of a page, in all that a form can send, makes no account and no token")
    func forms() async throws {
        try await TestServer.run { server in
            _ = try await server.signup("Alice")
            let json = #"{"name":"Eve","email":"eve@words.test","password":"secret-one"}"#
            for type in ["text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"] {
                let answer = try await server.client.send(
                    "POST", "/api/users/signup", headers: [("Content-Type", type)], body: Data(json.utf8))
                #expect(answer.status == 415, "\(type)")
            }

            expect(try await server.login("eve@words.test").status, 400)
        }
    }

    private static let secrets = ["canary-body", "canary-name", "canary-topic", "canary-state"]

    @Test("somebody who is not in a private room gets nothing of it and does nothing in it, through any route")
    func outsiders() async throws {
        try await TestServer.run { server in
            let alice = try await server.chatToken(try await server.person("Alice"))
            let eve = try await server.person("Eve")
            let eveToken = try await server.chatToken(eve)
            func ask(_ method: String, _ path: String, _ body: JSONValue?) async throws -> Answer {
                try await server.client.send(method, "\(TestServer.matrix)\(path)", body, token: alice)
            }
            let made = try await ask("POST", "/createRoom", ["name": "canary-name", "topic": "canary-topic"])
            let room = made.json["room_id"]?.string ?? ""
            let said = try await ask("PUT", "/rooms/\(room)/send/m.room.message/t1", ["body": "canary-body"])
            let event = said.json["event_id"]?.string ?? ""
            _ = try await ask("PUT", "/rooms/\(room)/state/org.words.test/x", ["body": "canary-state"])
            _ = try await ask("PUT", "/directory/room/%23hidden:localhost", ["room_id": .string(room)])
            let before = try await contents(of: server)

            let values = [
                "roomId": room, "eventId": event, "userId": eve.chatID, "type": "m.room.message", "txnId": "t1",
                "kind": "m.read", "stateKey": "", "eventType": "m.room.name",
            ]
            let inRooms = routes(server).filter { $0.pattern.contains("{roomId") }
            #expect(inRooms.count > 50)
            for route in inRooms {
                let body: JSONValue? =
                    route.method == "GET"
                    ? nil
                    : [
                        "user_id": .string(eve.chatID), "body": "x", "name": "x", "typing": true, "timeout": 1_000,
                        "m.fully_read": .string(event), "visibility": "public",
                    ]
                let answer = try await self.ask(
                    server, route.method, route.path(values) + (route.method == "GET" ? "?dir=b" : ""), body,
                    token: eveToken)

                let text = String(decoding: answer.body, as: UTF8.self)
                #expect([400, 403, 404].contains(answer.status), "\(answer.status) \(route.name) \(text)")
                for secret in Self.secrets { #expect(!text.contains(secret), "\(route.name)") }
            }
            for path in ["/sync?full_state=true", "/publicRooms", "/joined_rooms"] {
                let answer = try await server.client.send("GET", "\(TestServer.matrix)\(path)", token: eveToken)
                let text = String(decoding: answer.body, as: UTF8.self)
                for secret in Self.secrets + [room, "hidden"] { #expect(!text.contains(secret), "\(path)") }
            }
            expect(try await contents(of: server), before, "nothing was done in it")
        }
    }

    @Test("nobody reads or changes what is another person's own, through any route that names people")
    func others() async throws {
        try await TestServer.run { server in
            let alice = try await server.person("Alice")
            let eveToken = try await server.chatToken(try await server.person("Eve"))
            let aliceToken = try await server.chatToken(alice)
            let made = try await server.client.send(
                "POST", "\(TestServer.matrix)/createRoom", ["name": "hers"], token: aliceToken)
            let room = made.json["room_id"]?.string ?? ""
            let isOwn: (Route) -> Bool = { route in
                route.pattern.contains("{userId}") && (route.method != "GET" || route.pattern.contains("/user/"))
            }
            let routes = routes(server).filter(isOwn)
            #expect(routes.count > 10)
            for route in routes {
                let values = ["userId": alice.chatID, "roomId": room, "type": "m.x", "filterId": "1"]
                let answer = try await self.ask(
                    server, route.method, route.path(values),
                    route.method == "GET" ? nil : ["displayname": "Mallory", "presence": "offline", "typing": true],
                    token: eveToken)

                #expect([400, 403, 404].contains(answer.status), "\(answer.status) \(route.name)")
            }
        }
    }

    @Test("the event of one room is not to be had through another, nor another's transaction through one's own")
    func crossed() async throws {
        try await TestServer.run { server in
            let alice = try await server.chatToken(try await server.person("Alice"))
            let eve = try await server.chatToken(try await server.person("Eve"))
            func room(_ token: String) async throws -> String {
                try await server.client.send("POST", "\(TestServer.matrix)/createRoom", [:], token: token)
                    .json["room_id"]?.string ?? ""
            }
            func say(_ room: String, _ token: String) async throws -> String {
                try await server.client.send(
                    "PUT", "\(TestServer.matrix)/rooms/\(room)/send/m.room.message/same", ["body": "canary-body"],
                    token: token
                ).json["event_id"]?.string ?? ""
            }
            let (hers, own) = (try await room(alice), try await room(eve))
            let event = try await say(hers, alice)
            let other = try await say(own, eve)

            for path in ["/rooms/\(own)/event/\(event)", "/rooms/\(own)/context/\(event)"] {
                let answer = try await server.client.send("GET", "\(TestServer.matrix)\(path)", token: eve)
                #expect(answer.status == 404)
            }
            let taken = try await server.client.send(
                "PUT", "\(TestServer.matrix)/rooms/\(own)/redact/\(event)/r1", [:], token: eve)

            #expect(taken.status == 404)
            #expect(!event.isEmpty && !other.isEmpty && event != other)
        }
    }

    @Test("bytes that are no request are refused or hung up on, and the next request is answered")
    func noise() async throws {
        try await TestServer.run { server in
            let port = server.client.port
            let noise: [[UInt8]] = [
                [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC, 0x03, 0x03] + Array(repeating: 7, count: 500),
                Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8), Array("GET\r\n\r\n".utf8), Array("\r\n\r\n\r\n".utf8),
                Array(repeating: 0, count: 9_000), Array(repeating: 0xFF, count: 9_000),
                Array("GET / HTTP/9.9\r\nHost: localhost\r\n\r\n".utf8),
                Array("GET http://evil.test/ HTTP/1.1\r\nHost: evil.test\r\n\r\n".utf8),
                Array("GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8),
                Array("GET /%2e%2e/%2e%2e/etc/passwd%00 HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8),
                Array("GET / HTTP/1.1\r\nHost: localhost\r\nX: \u{0}\r\n\r\n".utf8),
                Array("POST /api/users/signup HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n".utf8),
                Array("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc".utf8),
                Array(
                    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                        .utf8),
            ]
            for bytes in noise {
                let answer = await onOwnThread { () -> Data in
                    guard let connection = WireConnection(port: port) else { return Data() }
                    connection.write(Data(bytes))
                    connection.finishWriting()
                    return connection.readToEnd()
                }

                let status = Answer(answer)?.status ?? 400
                #expect((400..<500).contains(status) || status == 505, "\(status) for \(bytes.prefix(40))")
                expect(try await server.client.send("GET", "/_matrix/client/versions").status, 200)
            }
        }
    }

    private func contents(of server: TestServer) async throws -> [Int64] {
        try await server.server.database.read { connection in
            try connection.first(
                """
                SELECT (SELECT count(*) FROM events), (SELECT count(*) FROM memberships),
                    (SELECT count(*) FROM transactions), (SELECT count(*) FROM receipts),
                    (SELECT count(*) FROM aliases), (SELECT sum(is_listed) FROM rooms)
                """
            ) { row in (0..<6).map { row.integer(Int32($0)) } } ?? []
        }
    }
}
