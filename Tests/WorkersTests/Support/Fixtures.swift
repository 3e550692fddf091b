import Foundation
import Models
import Testing

@testable import Workers

let start = Timestamp(milliseconds: 1_767_603_600_000)

let alice = UserID("@alice:words.test")
let bob = UserID("@bob:words.test")
let lobby = RoomID("!lobby:words.test")

func decoded<Value: Decodable>(_ json: String, as type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(type, from: Data(json.utf8))
}

func decoded(_ json: String) throws -> MatrixShapes.Sync {
    try #require(MatrixShapes.Sync(Data(json.utf8)))
}

func decoded<Value: JSONReadable>(_ json: String, as type: Value.Type = Value.self) throws -> Value {
    try #require(Body.decode(type, from: Data(json.utf8)))
}

func session(access: String = "access-0", expiresIn: Duration = .seconds(3_600)) -> Session {
    Session(
        user: User(id: 1, name: "Alice", email: "alice@words.test", chatID: alice),
        userToken: UserToken(
            accessToken: Secret(access), refreshToken: Secret("refresh-0"), expiresAt: start + expiresIn),
        chatToken: ChatToken(
            accessToken: Secret("chat-of-\(access)"), userID: alice, expiresAt: start + expiresIn))
}

/// A folder that is removed with its owner.
final class TemporaryFolder: Sendable {
    let url: URL

    init() {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("words-\(UUID().uuidString)")
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}

let stubEndpoint = FixedEndpoint(
    URL(string: "http://127.0.0.1:1") ?? URL(fileURLWithPath: "/"))

func words(_ transport: any Transport, _ clock: VirtualClock, secret: Secret? = nil) -> WordsAPI {
    WordsAPI(
        connection: ServerConnection(endpoint: stubEndpoint, transport: transport), clock: clock, clientID: 2,
        clientSecret: secret)
}

/// One event as JSON.
func event(
    _ id: String, _ body: String, from sender: UserID = bob, transaction: String? = nil, time: Int = 1,
    type: String = "m.room.message"
) -> String {
    let unsigned = transaction.map { #","unsigned":{"transaction_id":"\#($0)"}"# } ?? ""
    return """
        {"event_id":"\(id)","type":"\(type)","sender":"\(sender)","origin_server_ts":\(time),\
        "content":{"msgtype":"m.text","body":"\(body)"}\(unsigned)}
        """
}

func member(_ id: String, _ person: UserID, _ membership: String, name: String? = nil, before: String? = nil) -> String
{
    let display = name.map { #","displayname":"\#($0)""# } ?? ""
    let unsigned = before.map { #","unsigned":{"prev_content":{"membership":"\#($0)"}}"# } ?? ""
    return """
        {"event_id":"\(id)","type":"m.room.member","state_key":"\(person)","sender":"\(person)",\
        "origin_server_ts":1,"content":{"membership":"\(membership)"\(display)}\(unsigned)}
        """
}

/// A batch with one joined room.
func batch(
    _ next: String, room: RoomID = lobby, timeline: [String] = [], limited: Bool = false, previous: String? = nil,
    state: [String] = [], ephemeral: [String] = [], more: String = "", top: String = ""
) -> String {
    let previous = previous.map { #","prev_batch":"\#($0)""# } ?? ""
    return """
        {"next_batch":"\(next)","rooms":{"join":{"\(room)":{"timeline":{"events":[\(timeline.joined(separator: ","))],\
        "limited":\(limited)\(previous)},"state":{"events":[\(state.joined(separator: ","))]},\
        "ephemeral":{"events":[\(ephemeral.joined(separator: ","))]}\(more)}}}\(top)}
        """
}
