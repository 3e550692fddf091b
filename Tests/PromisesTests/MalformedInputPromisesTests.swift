import Foundation
import JSONMutations
import Models
import Testing

@testable import Workers

/// Promise 14: what is malformed is read or refused, on both sides, and nothing falls.
@Suite("Malformed input PromisesTests")
struct MalformedInputPromisesTests {
    /// Answers everything with one body.
    private struct Canned: Transport {
        let body: Data
        func perform(_ request: TransportRequest) async throws(NetworkFault) -> TransportResponse {
            TransportResponse(status: 200, body: body)
        }
    }

    private struct Tokens: ChatTokenSource {
        func chatToken() async throws(UsersError) -> Secret { Secret("t") }
        func chatToken(insteadOf refused: Secret) async throws(UsersError) -> Secret { Secret("t") }
        func chatToken(afterEndOf refused: Secret) async throws(UsersError) -> Secret { throw .unauthenticated }
    }

    /// One answer of each kind, as a server gave them to two people who talked.
    private func recorded() async throws -> [Workers.Operation: JSONValue] {
        let answers = Locked<[Workers.Operation: JSONValue]>([:])
        try await VirtualHouse.open { house in
            let (alice, bob, room) = try await house.pair()
            try await alice.chat.send("hello", to: room)
            await bob.chat.typed(in: room)
            await bob.chat.markRead(room)
            await house.activity.idle()
            await bob.chat.disconnect()
            await house.activity.idle()
            house.tap { request, response in
                guard let value = try? JSONValue(parsing: response.body) else { return }
                answers.withLock { answers in
                    let known = answers[request.operation]?.serialized().count ?? -1
                    if response.body.count > known { answers[request.operation] = value }
                }
            }
            let again = house.client("bob", seed: 3)
            guard case .valid(let session) = await again.users.resume() else { return }
            _ = try await again.users.login(identity: "bob@words.test", password: Secret("secret-bob"))
            _ = try await again.users.contacts()
            await again.chat.connect(session)
            await again.chat.markRead(room)
            try await again.chat.send("hello too", to: room)
            _ = try? await again.chat.loadOlder(in: room)
            await house.activity.idle()
        }
        return answers.withLock { $0 }
    }

    @Test("each place of each answer deleted, nulled, mistyped, made huge, nested deep: the client reads or refuses it")
    func answers() async throws {
        let recorded = try await recorded()
        #expect(Set(recorded.keys).isSuperset(of: [.sync, .send, .login, .user, .contacts, .chatToken]))
        var count = 0
        for (operation, answer) in recorded.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            for body in Mutations.all(of: answer) {
                await read(body, of: operation)
                count += 1
            }
        }
        #expect(count > 1_000)
    }

    private func read(_ body: Data, of operation: Workers.Operation) async {
        let connection = ServerConnection(
            endpoint: FixedEndpoint(URL(filePath: "/")), transport: Canned(body: body))
        let clock = VirtualClock(now: Timestamp(milliseconds: 0))
        let chat = MatrixChatService(
            connection: connection, tokens: Tokens(), clock: clock, ownID: UserID("@bob:words.test"))
        let words = WordsAPI(connection: connection, clock: clock, clientID: 2, clientSecret: nil)
        let token = UserToken(
            accessToken: Secret("a"), refreshToken: Secret("r"), expiresAt: Timestamp(milliseconds: 1))
        switch operation {
        case .sync:
            let request = SyncRequest(since: nil, hold: .zero, deadline: .seconds(1))
            guard let batch = try? await chat.sync(request) else { return }
            var ledger = ChatLedger(ownID: UserID("@bob:words.test"))
            for _ in 0..<2 { _ = ledger.apply(batch, filled: [:], now: Timestamp(milliseconds: 0)) }
        case .messages:
            _ = try? await chat.messages(in: RoomID("!r:x"), from: "p", to: nil, limit: 10)
        case .members: _ = try? await chat.joinedMembers(of: RoomID("!r:x"))
        case .profile: _ = try? await chat.displayName(of: UserID("@a:x"))
        case .accountData: _ = try? await chat.accountData("m.direct")
        case .login, .refresh: _ = try? await words.refresh(token)
        case .chatToken: _ = try? await words.chatToken(token)
        case .contacts: _ = try? await words.contacts(token)
        case .user: _ = try? await words.currentUser(token)
        default: _ = try? await chat.send(Data("{}".utf8), to: RoomID("!r:x"), transaction: TransactionID("t"))
        }
    }

    @Test("an answer nested deeper than 64 is refused before it is decoded, whatever is in it")
    func depth() {
        func nested(_ depth: Int) -> Data {
            Data((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }

        #expect(Body.decode([Unread].self, from: nested(64)) != nil)
        #expect(Body.decode([Unread].self, from: nested(65)) == nil)
    }

    /// Takes whatever stands in its place.
    private struct Unread: Decodable {
        init(from decoder: any Decoder) throws {}
    }

    /// What every route takes, with a body that it would accept.
    private static let routes: [(method: String, path: String, body: String)] = [
        ("POST", "/api/users/signup", #"{"name":"Eve","email":"eve@words.test","password":"secret-eve"}"#),
        (
            "POST", "/oauth/token",
            #"{"grant_type":"password","username":"alice@words.test","password":"wrong-one","client_id":2}"#
        ),
        ("POST", "/oauth/token", #"{"grant_type":"refresh_token","refresh_token":"x","client_id":2}"#),
        ("PUT", "/api/user", #"{"name":"Alice","current_password":"wrong","password":"secret-new"}"#),
        ("POST", "/api/contacts", #"{"email":"nobody@words.test"}"#),
        (
            "POST", "/_matrix/client/v3/login",
            #"{"type":"m.login.password","identifier":{"type":"m.id.user","user":"a"},"password":"b"}"#
        ),
        ("POST", "/_matrix/client/v3/refresh", #"{"refresh_token":"x"}"#),
        (
            "POST", "/_matrix/client/v3/register",
            #"{"username":"zoe","password":"secret-zoe","auth":{"type":"m.login.dummy"}}"#
        ),
        (
            "POST", "/_matrix/client/v3/account/password",
            #"{"new_password":"secret-new","auth":{"type":"m.login.password"}}"#
        ),
        (
            "POST", "/_matrix/client/v3/createRoom",
            #"{"name":"n","topic":"t","preset":"private_chat","invite":["@a:x"],"creation_content":{"a":1},"initial_state":[{"type":"t","state_key":"","content":{}}],"power_level_content_override":{"users":{"@a:x":1}}}"#
        ),
        (
            "PUT", "/_matrix/client/v3/rooms/ROOM/send/m.room.message/TXN",
            #"{"msgtype":"m.text","body":"b","m.relates_to":{"rel_type":"m.replace","event_id":"$x"},"m.new_content":{"body":"c"}}"#
        ),
        ("PUT", "/_matrix/client/v3/rooms/ROOM/state/m.room.topic/", #"{"topic":"t"}"#),
        (
            "PUT", "/_matrix/client/v3/rooms/ROOM/state/m.room.power_levels/",
            #"{"users":{"@a:x":100},"events":{"m":1},"ban":50}"#
        ),
        ("PUT", "/_matrix/client/v3/rooms/ROOM/redact/$x/TXN", #"{"reason":"r"}"#),
        ("PUT", "/_matrix/client/v3/rooms/ROOM/typing/USER", #"{"typing":true,"timeout":1000}"#),
        ("POST", "/_matrix/client/v3/rooms/ROOM/read_markers", #"{"m.fully_read":"$x","m.read":"$x"}"#),
        ("POST", "/_matrix/client/v3/rooms/ROOM/receipt/m.read/$x", #"{"thread_id":"main"}"#),
        ("POST", "/_matrix/client/v3/rooms/ROOM/invite", #"{"user_id":"@nobody:localhost","reason":"r"}"#),
        ("POST", "/_matrix/client/v3/rooms/ROOM/kick", #"{"user_id":"@nobody:localhost","reason":"r"}"#),
        ("POST", "/_matrix/client/v3/join/ROOM", #"{"reason":"r"}"#),
        ("PUT", "/_matrix/client/v3/profile/USER/displayname", #"{"displayname":"d"}"#),
        ("PUT", "/_matrix/client/v3/profile/USER/avatar_url", #"{"avatar_url":"mxc://x/y"}"#),
        ("PUT", "/_matrix/client/v3/presence/USER/status", #"{"presence":"online","status_msg":"s"}"#),
        (
            "POST", "/_matrix/client/v3/user/USER/filter",
            #"{"room":{"timeline":{"limit":5},"rooms":["!a:b"]},"presence":{"types":["x"]}}"#
        ),
        ("PUT", "/_matrix/client/v3/user/USER/account_data/m.direct", #"{"@a:x":["!r:x"]}"#),
        ("POST", "/_matrix/client/v3/user_directory/search", #"{"search_term":"a","limit":3}"#),
        ("POST", "/_matrix/client/v3/publicRooms", #"{"limit":3,"filter":{"generic_search_term":"x"}}"#),
        ("PUT", "/_matrix/client/v3/directory/room/%23a:localhost", #"{"room_id":"!r:x"}"#),
        ("POST", "/_matrix/client/v3/keys/upload", #"{"device_keys":{},"one_time_keys":{"a":1}}"#),
        ("POST", "/_matrix/client/v3/keys/query", #"{"device_keys":{"@a:x":[]}}"#),
        ("PUT", "/_matrix/client/v3/sendToDevice/m.x/TXN", #"{"messages":{"@a:x":{"*":{}}}}"#),
    ]

    @Test("each place of each request likewise: the server answers, never with a fault of its own, and lives on")
    func requests() async throws {
        try await VirtualHouse.open { house in
            let (alice, bob, room) = try await house.pair()
            var headers: [Bool: String] = [:]
            for request in house.takeRequests() {
                guard let value = request.header("Authorization") else { continue }
                headers[request.url.path.hasPrefix("/_matrix")] = value
            }
            let me = try #require(await bob.person()?.chatID)
            for (index, route) in Self.routes.enumerated() {
                let path = route.path.replacing("ROOM", with: RequestAddress.encoded(room.raw))
                    .replacing("USER", with: RequestAddress.encoded(me.raw))
                for (number, body) in Mutations.all(of: try JSONValue(parsing: Data(route.body.utf8))).enumerated() {
                    let status = try await house.status(
                        route.method, path.replacing("TXN", with: "t\(index)-\(number)"), body,
                        authorization: headers[route.path.hasPrefix("/_matrix")])
                    #expect(
                        (200..<500).contains(status),
                        "\(status) \(route.path) \(String(decoding: body.prefix(200), as: UTF8.self))")
                }
            }

            try await alice.chat.send("still there", to: room)
            await house.activity.idle()
            let items = await bob.chat.currentState()?.rooms[room]?.timeline.items
            #expect(items?.isEmpty == false)
        }
    }
}
