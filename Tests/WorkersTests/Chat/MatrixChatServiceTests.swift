import Foundation
import Models
import Testing

@testable import Workers

@Suite("MatrixChatService")
struct MatrixChatServiceTests {
    /// Gives `t1`, then `t2` where `t1` is refused.
    private final class Tokens: ChatTokenSource {
        private let refused = Locked<[Secret]>([])
        var asked: [Secret] { refused.withLock { $0 } }

        func chatToken() async throws(UsersError) -> Secret { Secret("t1") }

        func chatToken(insteadOf old: Secret) async throws(UsersError) -> Secret {
            refused.withLock { $0.append(old) }
            return Secret("t2")
        }

        private let ended = Locked<[Secret]>([])
        var askedAfterTheEnd: [Secret] { ended.withLock { $0 } }

        func chatToken(afterEndOf old: Secret) async throws(UsersError) -> Secret {
            ended.withLock { $0.append(old) }
            throw .unauthenticated
        }
    }

    private let tokens = Tokens()

    private func service(
        base: String = "http://127.0.0.1:1", _ answer: @escaping StubTransport.Answer
    ) throws -> (MatrixChatService, StubTransport) {
        let transport = StubTransport(answer)
        let url = try #require(URL(string: base))
        let service = MatrixChatService(
            connection: ServerConnection(endpoint: FixedEndpoint(url), transport: transport), tokens: tokens,
            clock: VirtualClock(now: start), ownID: alice)
        return (service, transport)
    }

    private let room = RoomID("!a/b+c%:words.test")

    @Test("ids with slash, plus, percent and colon reach the right place, also behind a base with a path")
    func places() async throws {
        let (service, transport) = try service(base: "http://127.0.0.1:1/chat/") { _, _ in
            .success(.json(200, #"{"event_id":"$e","chunk":[],"next_batch":"s"}"#))
        }

        _ = try await service.send(Data("{}".utf8), to: room, transaction: TransactionID("t/1"))
        try await service.join(room)
        try await service.leave(room)
        try await service.setTyping(true, in: room, timeout: .seconds(30))
        try await service.markRead(EventID("$e/1"), in: room)
        try await service.setPresence(.offline)
        _ = try await service.messages(in: room, from: "p&1", to: "p+2", limit: 50)

        let encoded = "%21a%2Fb%2Bc%25%3Awords.test"
        let root = "/chat/_matrix/client/v3"
        #expect(
            transport.lines == [
                "PUT \(root)/rooms/\(encoded)/send/m.room.message/t%2F1",
                "POST \(root)/join/\(encoded)",
                "POST \(root)/rooms/\(encoded)/leave",
                "PUT \(root)/rooms/\(encoded)/typing/%40alice%3Awords.test",
                "POST \(root)/rooms/\(encoded)/read_markers",
                "PUT \(root)/presence/%40alice%3Awords.test/status",
                "GET \(root)/rooms/\(encoded)/messages?dir=b&from=p%261&limit=50"
                    + "&filter=%7B%22lazy_load_members%22%3Atrue%7D&to=p%2B2",
            ])
        #expect(transport.calls[3].body == #"{"timeout":30000,"typing":true}"#)
        #expect(transport.calls[4].body == #"{"m.fully_read":"$e/1","m.read":"$e/1"}"#)
        #expect(transport.calls.allSatisfy { $0.authorization == "Bearer t1" })
    }

    @Test("servers that may know a room are named to one's own, itself and what is too many left out")
    func via() async throws {
        let (service, transport) = try service { _, _ in .success(.json(200, "{}")) }

        try await service.join(RoomID("!a"), via: ["words.test", "far.test"])
        try await service.join(RoomID("!a"), via: (1...9).map { "s\($0)" })

        let root = "POST /_matrix/client/v3/join/%21a"
        let many = ["via", "server_name"].flatMap { name in (1...5).map { "\(name)=s\($0)" } }.joined(separator: "&")
        #expect(transport.lines == ["\(root)?via=far.test&server_name=far.test", "\(root)?\(many)"])
    }

    @Test("what is read privately moves no marker that others see")
    func markReadPrivately() async throws {
        let (service, transport) = try service { _, _ in .success(.json(200, "{}")) }

        try await service.markReadPrivately(EventID("$e"), in: RoomID("!a"))

        #expect(transport.lines == ["POST /_matrix/client/v3/rooms/%21a/read_markers"])
        #expect(transport.calls[0].body == #"{"m.read.private":"$e"}"#)
    }

    @Test("a poll carries position, hold, filter, its own deadline, and the id that a server here parks it by")
    func sync() async throws {
        let seen = Locked<TransportRequest?>(nil)
        let (service, _) = try service { request, _ in
            seen.withLock { $0 = request }
            return .success(.json(200, #"{"next_batch":"s2"}"#))
        }

        let batch = try await service.sync(
            SyncRequest(since: "s 1", hold: .seconds(30), deadline: .seconds(45), pollID: "p-7"))

        let request = try #require(seen.withLock { $0 })
        #expect(batch.next_batch == "s2")
        #expect(request.url.absoluteString.contains("timeout=30000&filter=%7B"))
        #expect(request.url.absoluteString.hasSuffix("&since=s%201"))
        #expect(request.deadline == .seconds(45))
        #expect(request.header("x-words-poll") == "p-7")
        let filter = try #require(URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems?[1].value)
        #expect(throws: Never.self) { try JSONValue(parsing: Data(filter.utf8)) }
    }

    @Test("a request of no scene's goes where it says, and its answer is told whatever it is")
    func request() async throws {
        let (service, transport) = try service { request, _ in
            request.method == "GET"
                ? .success(.json(404, #"{"errcode":"M_NOT_FOUND","error":"There is none."}"#))
                : .success(.json(200, "{}"))
        }

        let refused = try await service.answer(
            to: MatrixRequest(
                method: "GET", segments: ["rooms", "!a/b", "messages"], query: ["to": "1", "dir": "b c"]))
        let done = try await service.answer(to: MatrixRequest(method: "PUT", segments: ["x"], body: "{}"))

        #expect(refused == MatrixAnswer(status: 404, code: "M_NOT_FOUND", words: "There is none."))
        #expect(done == MatrixAnswer(status: 200))
        #expect(
            transport.lines == [
                "GET /_matrix/client/v3/rooms/%21a%2Fb/messages?dir=b%20c&to=1", "PUT /_matrix/client/v3/x",
            ])
        #expect(transport.calls[1].body == "{}")
        #expect(transport.calls.allSatisfy { $0.authorization == "Bearer t1" })
    }

    @Test("an unknown token is replaced and the request repeated once")
    func renewal() async throws {
        let (service, transport) = try service { request, _ in
            request.header("Authorization") == "Bearer t2"
                ? .success(.json(200, #"{"event_id":"$e"}"#))
                : .success(.json(401, #"{"errcode":"M_UNKNOWN_TOKEN","error":"Unknown token.","soft_logout":true}"#))
        }

        let event = try await service.send(Data("{}".utf8), to: room, transaction: TransactionID("t"))

        #expect(event == EventID("$e"))
        #expect(tokens.asked == [Secret("t1")])
        #expect(transport.lines[0] == transport.lines[1])
        #expect(transport.calls.count == 2)
    }

    @Test(
        "where the other token is not taken either, the session is over, for good or not as the server says",
        arguments: [(#","soft_logout":true"#, ChatServiceError.sessionExpired), ("", .sessionEnded)])
    func ended(flag: String, expected: ChatServiceError) async throws {
        let (service, transport) = try service { _, number in
            let flag = number == 1 ? #","soft_logout":true"# : flag
            return .success(.json(401, #"{"errcode":"M_UNKNOWN_TOKEN","error":"Unknown token."\#(flag)}"#))
        }

        await #expect(throws: expected) { try await service.join(room) }
        #expect(transport.calls.count == 2)
    }

    @Test("where there is no other token, the session is over as whoever has the tokens says")
    func noOtherToken() async throws {
        let transport = StubTransport { _, _ in
            .success(.json(401, #"{"errcode":"M_UNKNOWN_TOKEN","error":"Unknown token.","soft_logout":true}"#))
        }
        let service = MatrixChatService(
            connection: ServerConnection(endpoint: stubEndpoint, transport: transport), tokens: ExpiredTokens(),
            clock: VirtualClock(now: start), ownID: alice)

        await #expect(throws: ChatServiceError.sessionExpired) { try await service.join(room) }
        #expect(transport.calls.count == 1)
    }

    private struct ExpiredTokens: ChatTokenSource {
        func chatToken() async throws(UsersError) -> Secret { Secret("t1") }
        func chatToken(insteadOf old: Secret) async throws(UsersError) -> Secret { throw .expired }
        func chatToken(afterEndOf old: Secret) async throws(UsersError) -> Secret { throw .unauthenticated }
    }

    @Test(
        "where the server ends the session and not only the token, no other token is asked for",
        arguments: ["", #","soft_logout":false"#])
    func hardLogout(flag: String) async throws {
        let (service, transport) = try service { _, _ in
            .success(.json(401, #"{"errcode":"M_UNKNOWN_TOKEN","error":"Unknown token."\#(flag)}"#))
        }

        await #expect(throws: ChatServiceError.sessionEnded) { try await service.join(room) }

        #expect(transport.calls.count == 1)
        #expect(tokens.asked.isEmpty)
        #expect(tokens.askedAfterTheEnd == [Secret("t1")])
    }

    @Test(
        "failures become what they mean",
        arguments: [
            (403, #"{"errcode":"M_FORBIDDEN","error":"No."}"#, ChatServiceError.forbidden("No.")),
            (404, #"{"errcode":"M_NOT_FOUND","error":"None."}"#, .notFound("None.")),
            (404, #"{"errcode":"M_UNRECOGNIZED"}"#, .refused("M_UNRECOGNIZED")),
            (413, #"{"errcode":"M_TOO_LARGE","error":"Big."}"#, .tooLarge),
            (400, #"{"errcode":"M_BAD_JSON","error":"Bad."}"#, .refused("Bad.")),
            (
                429, #"{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":1500}"#,
                .network(.limited(retryAfter: .milliseconds(1_500)))
            ),
            (429, "<html>", .network(.limited(retryAfter: nil))),
            (401, "<html>", .network(.serverFault(status: 401))),
            (404, "<html>", .network(.serverFault(status: 404))),
            (500, #"{"errcode":"M_UNKNOWN","error":"Oops."}"#, .network(.serverFault(status: 500))),
            (502, "", .network(.serverFault(status: 502))),
            (301, "", .network(.serverFault(status: 301))),
        ] as [(Int, String, ChatServiceError)])
    func failures(status: Int, body: String, expected: ChatServiceError) async throws {
        let (service, _) = try service { _, _ in .success(.json(status, body)) }

        await #expect(throws: expected) { try await service.join(room) }
    }

    @Test("account data that is not set is nil, not a failure")
    func accountData() async throws {
        let (service, _) = try service { _, _ in .success(.json(404, #"{"errcode":"M_NOT_FOUND"}"#)) }

        #expect(try await service.accountData("m.direct") == nil)
    }

    @Test("an endpoint that has moved is followed once, for a request that reached nobody")
    func moved() async throws {
        let endpoint = MovingOnceEndpoint()
        let transport = StubTransport { request, _ in
            request.url.port == 1 ? .failure(.unreachable) : .success(.json(200, "{}"))
        }
        let service = MatrixChatService(
            connection: ServerConnection(endpoint: endpoint, transport: transport), tokens: tokens,
            clock: VirtualClock(now: start), ownID: alice)

        try await service.join(room)

        #expect(transport.calls.count == 2)
    }

    @Test("a request that may have arrived is not repeated elsewhere")
    func notRepeated() async throws {
        let endpoint = MovingOnceEndpoint()
        let transport = StubTransport { _, _ in .failure(.interrupted) }
        let service = MatrixChatService(
            connection: ServerConnection(endpoint: endpoint, transport: transport), tokens: tokens,
            clock: VirtualClock(now: start), ownID: alice)

        await #expect(throws: ChatServiceError.network(.interrupted)) { try await service.join(room) }
        #expect(transport.calls.count == 1)
    }

    private final class MovingOnceEndpoint: ServerEndpoint {
        private let port = Locked(1)
        let identity = "moving"

        func baseURL() async throws(NetworkFault) -> URL {
            guard let url = URL(string: "http://127.0.0.1:\(port.withLock { $0 })") else { throw .unreachable }
            return url
        }

        func lost(_ url: URL) async { port.withLock { $0 = 2 } }
    }
}
