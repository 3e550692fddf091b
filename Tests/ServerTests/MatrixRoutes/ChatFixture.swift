import Foundation
import Models
import SQLite
import Testing

@testable import Server

/// A chat on a database of its own, in virtual time, asked through its routes as clients ask.
final class ChatFixture: Sendable {
    let folder: URL
    let clock: VirtualClock
    let activity = Activity()
    let chat: Chat
    let tokens = TokenTable()
    private let router: Router

    init(
        folder: URL = FileManager.default.temporaryDirectory.appending(path: "words-\(UUID().uuidString)"),
        clock: VirtualClock = VirtualClock(now: Timestamp(milliseconds: 1_767_603_600_000)), seed: UInt64 = 1
    ) throws {
        self.folder = folder
        self.clock = clock
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let database = try Database(path: folder.appending(path: "words.db").path)
        let environment = Environment.virtual(clock: clock, seed: seed, activity: activity)
        chat = try Chat(database: database, environment: environment, serverName: "ex.org")
        var router = Router()
        ChatRoutes(chat: chat, authenticator: tokens).add(to: &router)
        self.router = router
    }

    /// Makes accounts named after their local parts.
    func addPeople(_ names: String...) async throws { try await addPeople(names) }

    func addPeople(_ names: [String]) async throws {
        try await chat.database.write { connection in
            for name in names {
                try connection.run(
                    "INSERT INTO accounts (local_part, name, created_at, updated_at) VALUES (?, ?, 0, 0)", name,
                    name.capitalized)
            }
        }
    }

    func block(_ blocked: String, by owner: String) async throws {
        try await chat.database.write { connection in
            try connection.run(
                """
                INSERT INTO blocks SELECT o.id, b.id FROM accounts o, accounts b
                WHERE o.local_part = ? AND b.local_part = ?
                """, owner, blocked)
        }
    }

    struct Answer: Sendable {
        var status: Int
        var body: JSONValue
        var bytes: Data

        var code: String? { body["errcode"]?.string }
        var error: String? { body["error"]?.string }
    }

    /// Asks as `token` (a local part, or local part and device as `ann/phone`); `path` follows `/_matrix/client/v3`.
    @discardableResult
    func ask(
        _ token: String?, _ method: String, _ path: String, _ body: String? = nil, headers: [(String, String)] = []
    ) async -> Answer {
        await ask(request(token, method, "/_matrix/client/v3" + path, body, headers: headers))
    }

    func ask(_ request: HTTPRequest) async -> Answer {
        request.cause.begin()
        defer { request.cause.end() }
        let response = await router.respond(to: request)
        let body = (try? JSONDecoder().decode(JSONValue.self, from: response.body)) ?? .null
        return Answer(status: response.status, body: body, bytes: response.body)
    }

    func request(
        _ token: String?, _ method: String, _ path: String, _ body: String? = nil, headers: [(String, String)] = []
    ) -> HTTPRequest {
        let parts = path.split(separator: "?", maxSplits: 1)
        let pairs = parts.count < 2 ? [] : parts[1].split(separator: "&")
        let query = pairs.map { pair -> (name: String, value: String) in
            let sides = pair.split(separator: "=", maxSplits: 1).map { String($0).removingPercentEncoding ?? "" }
            return (name: sides[0], value: sides.count > 1 ? sides[1] : "")
        }
        let segments = parts[0].split(separator: "/").map { String($0).removingPercentEncoding ?? String($0) }
        var fields = HTTPHeaders()
        if let token { fields.append("Authorization", "Bearer \(token)") }
        for (name, value) in headers { fields.append(name, value) }
        return HTTPRequest(
            method: method, path: String(parts[0]), segments: segments, query: query, headers: fields,
            body: Data((body ?? "").utf8), cause: RequestCause(activity: activity))
    }

    /// Makes a room with the given members, who join it; returns its id.
    func room(
        _ creator: String, _ others: [String] = [], _ body: String = #"{"preset":"public_chat"}"#
    ) async throws -> String {
        let id = try #require(await ask(creator, "POST", "/createRoom", body).body["room_id"]?.string)
        for other in others { #expect(await ask(other, "POST", "/join/\(id)").status == 200) }
        return id
    }

    /// Sends a message; returns its event id.
    @discardableResult
    func say(_ token: String, _ room: String, _ text: String, transaction: String? = nil) async throws -> String {
        let id = transaction ?? "t\(tokens.next())"
        let answer = await ask(
            token, "PUT", "/rooms/\(room)/send/m.room.message/\(id)", #"{"msgtype":"m.text","body":"\#(text)"}"#)
        return try #require(answer.body["event_id"]?.string, "\(answer)")
    }

    /// Syncs; `query` follows the question mark.
    func sync(_ token: String, _ query: String = "", headers: [(String, String)] = []) async -> Synced {
        Synced(await ask(token, "GET", "/sync?\(query)", headers: headers))
    }

    /// Starts a sync that the server may hold. It counts from here on, so that the clock does not go on before it is parked.
    func poll(_ token: String, _ query: String) -> Task<Synced, Never> {
        let request = request(token, "GET", "/_matrix/client/v3/sync?\(query)")
        request.cause.begin()
        return Task { Synced(await ask(request)) }
    }

    /// Advances the clock, with all that is due done before it goes on.
    func advance(by duration: Duration) async {
        await clock.advance(by: duration) { [activity] in await activity.idle() }
    }

    func close() async {
        chat.stop()
        await chat.database.close()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}

/// The answer of a sync, looked into.
struct Synced: Sendable {
    let answer: ChatFixture.Answer

    init(_ answer: ChatFixture.Answer) { self.answer = answer }

    var next: String { answer.body["next_batch"]?.string ?? "" }
    var isEmpty: Bool { answer.body.object?.keys.sorted() == ["next_batch"] }

    func joined(_ room: String) -> JSONValue? { answer.body["rooms"]?["join"]?[room] }
    func invited(_ room: String) -> JSONValue? { answer.body["rooms"]?["invite"]?[room] }
    func left(_ room: String) -> JSONValue? { answer.body["rooms"]?["leave"]?[room] }

    /// The bodies of the messages in the timeline.
    func texts(_ room: String) -> [String] { (joined(room)?["timeline"]?["events"]).bodies }
    /// The types of the events in the timeline.
    func types(_ room: String) -> [String] { (joined(room)?["timeline"]?["events"]).types }
    /// The types of the events in the state.
    func state(_ room: String) -> [String] { (joined(room)?["state"]?["events"]).types }
    func typing(_ room: String) -> [String]? {
        joined(room)?["ephemeral"]?["events"]?.array?.first { $0["type"]?.string == "m.typing" }?["content"]?[
            "user_ids"]?
            .array?.compactMap(\.string)
    }
    func receipts(_ room: String) -> JSONValue? {
        joined(room)?["ephemeral"]?["events"]?.array?.first { $0["type"]?.string == "m.receipt" }?["content"]
    }
    func unread(_ room: String) -> Int64? {
        joined(room)?["unread_notifications"]?["notification_count"]?.integer
    }
    func presence(_ user: String) -> JSONValue? {
        answer.body["presence"]?["events"]?.array?.last { $0["sender"]?.string == user }?["content"]
    }
}

extension JSONValue? {
    var types: [String] { self?.array?.compactMap { $0["type"]?.string } ?? [] }
    /// The state keys of the membership events.
    var members: [String] {
        self?.array?.filter { $0["type"]?.string == "m.room.member" }.compactMap { $0["state_key"]?.string } ?? []
    }
    var bodies: [String] { self?.array?.compactMap { $0["content"]?["body"]?.string } ?? [] }
}

/// Tokens that say whose they are, until they are taken back.
final class TokenTable: Authenticating {
    private let state = Locked((dead: Set<String>(), count: 0))

    func next() -> Int {
        state.withLock { state in
            state.count += 1
            return state.count
        }
    }

    func revoke(_ token: String) { state.withLock { _ = $0.dead.insert(token) } }

    func matrixUser(_ request: HTTPRequest) async throws -> Authenticated {
        guard let token = request.bearerToken else { throw MatrixError.missingToken }
        guard !state.withLock({ $0.dead.contains(token) }) else { throw MatrixError.unknownToken }
        let parts = token.split(separator: "/")
        return Authenticated(
            accountID: 1, userID: UserID("@\(parts[0]):ex.org"), deviceID: DeviceID(String(parts.last ?? "")),
            sessionID: 1, sessionKind: .matrix, tokenKind: .access)
    }

    func wordsUser(_ request: HTTPRequest) async throws -> Authenticated { try await matrixUser(request) }
}
