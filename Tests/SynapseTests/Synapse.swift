import Foundation
import Models
import Testing
import Workers

/// The homeservers that `with-synapse.sh` has started. Without it there are none, and what needs them is skipped.
enum Synapse {
    /// With rate limits lifted.
    static let url = variable("URL").flatMap(URL.init(string:))
    /// As it comes.
    static let limitedURL = variable("LIMITED_URL").flatMap(URL.init(string:))
    static let tlsURL = variable("TLS_URL").flatMap(URL.init(string:))
    /// With the account `host` of `large-account.py`.
    static let largeURL = variable("LARGE_URL").flatMap(URL.init(string:))
    /// Each for one who is to have a server that nobody else uses.
    static let freshURLs = (variable("FRESH_URLS") ?? "").split(separator: " ").compactMap { URL(string: String($0)) }
    static let authority = variable("AUTHORITY")
    static let database = variable("DATABASE")
    static let version = variable("VERSION") ?? "Synapse"

    static var isThere: Bool { url != nil }

    private static func variable(_ name: String) -> String? {
        ProcessInfo.processInfo.environment["WORDS_SYNAPSE_\(name)"]
    }

    static func address(_ url: URL? = url) throws -> ServerAddress {
        try ServerAddress(try #require(url).absoluteString)
    }
}

/// A folder that is removed with its owner.
final class TemporaryFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("words-synapse-\(UUID().uuidString)")

    deinit { try? FileManager.default.removeItem(at: url) }
}

/// One person with an app, in real time.
struct Person: Sendable {
    let client: Client
    let environment: Models.Environment
    let folder: TemporaryFolder
    let name: String
    /// Another for each run.
    let userName: String
    let password = Secret("secret-of-this-person")

    var users: any UsersWorkerLogic { client.users }
    var chat: any ChatWorkerLogic { client.chat }
    var id: UserID { get async throws { try #require(await client.person()).chatID } }

    static func make(
        _ name: String, at url: URL? = Synapse.url, in folder: TemporaryFolder = TemporaryFolder(),
        userName: String? = nil, options: ClientOptions = ClientOptions()
    ) throws -> Person {
        let environment = Models.Environment.live()
        let transport = URLSessionTransport(environment: environment)
        let client = ClientAssembly.make(
            endpoint: HomeserverEndpoint(try Synapse.address(url), transport: transport),
            home: folder.url.appendingPathComponent("home"), environment: environment, transport: transport,
            options: options)
        return Person(
            client: client, environment: environment, folder: folder, name: name,
            userName: userName ?? "\(name.lowercased())-\(environment.identifiers.next(length: 6))")
    }

    /// Signed up and connected.
    static func newcomer(
        _ name: String, at url: URL? = Synapse.url, userName: String? = nil, options: ClientOptions = ClientOptions()
    ) async throws -> Person {
        let person = try make(name, at: url, userName: userName, options: options)
        let session = try await person.users.signup(name: name, email: person.userName, password: person.password)
        await person.chat.connect(session)
        return person
    }

    /// The same person's app, started once more on the same files.
    func again() throws -> Person { try Person.make(name, in: folder, userName: userName) }

    func login() async throws -> Session { try await users.login(identity: userName, password: password) }

    func settle() async {
        for _ in 0..<3 {
            await environment.activity.idle()
            _ = await client.fence()
        }
        await environment.activity.idle()
    }

    var state: ChatState { get async throws { try #require(await chat.currentState()) } }

    func room(_ id: RoomID) async throws -> RoomState { try #require(try await state.rooms[id]) }

    func bodies(_ room: RoomID) async throws -> [String] {
        try await self.room(room).timeline.items.map { item in
            switch item.content {
            case .message(let message): message.body.unsanitised
            case .gap: "gap"
            default: "?"
            }
        }
    }
}

/// Requests beside the app's own, as another client of the same person makes them.
struct OtherClient: Sendable {
    let base: URL
    let token: Secret

    /// Logs in as `person`, on a device of its own.
    init(of person: Person, at url: URL? = Synapse.url) async throws {
        let stranger = OtherClient(base: try #require(url), token: Secret(""))
        let answer = try await stranger.call(
            "POST", "login",
            [
                "type": "m.login.password", "password": .string(person.password.reveal()),
                "identifier": ["type": "m.id.user", "user": .string(person.userName)],
            ])
        self = OtherClient(base: stranger.base, token: Secret(try #require(answer["access_token"]?.string)))
    }

    private init(base: URL, token: Secret) {
        self.base = base
        self.token = token
    }

    /// Any 2xx, as JSON. `path` is encoded already.
    @discardableResult
    func call(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> JSONValue {
        let transport = URLSessionTransport(environment: .live())
        var headers = [(name: "Content-Type", value: "application/json")]
        if !token.isEmpty { headers.append(("Authorization", "Bearer \(token.reveal())")) }
        let answer = try await transport.perform(
            TransportRequest(
                operation: .state, method: method, url: try #require(URL(string: "\(base)/_matrix/client/v3/\(path)")),
                headers: headers, body: body?.serialized(), deadline: .seconds(60)))
        let text = String(decoding: answer.body.prefix(200), as: UTF8.self)
        try #require((200..<300).contains(answer.status), "\(method) \(path): \(answer.status) \(text)")
        return try JSONValue(parsing: answer.body)
    }
}
