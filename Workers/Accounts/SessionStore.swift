import Foundation
import Models

/// The sessions of one home, in one file that only its owner may read: `session/sessions.json`, 0600 in a 0700 folder.
///
/// A session belongs to one server, one kind of server and one person; a token is never given to another server, and
/// the sessions of other servers stay. Everything that changes the file happens under a lock between processes.
public struct SessionStore: Sendable {
    private let file: PrivateFile
    private let lock: PrivateFile
    private let clock: any WallClock

    /// `home` need not exist.
    public init(home: URL, clock: any WallClock) {
        let folder = home.appendingPathComponent("session", isDirectory: true)
        file = PrivateFile(path: folder.appendingPathComponent("sessions.json").path)
        lock = PrivateFile(path: folder.appendingPathComponent("sessions.lock").path)
        self.clock = clock
    }

    /// What happened and to which file.
    public struct Failure: Error, Equatable, Sendable {
        public var message: String
    }

    /// The session last saved for that server; nil where there is none.
    public func session(of key: SessionKey) throws(Failure) -> Session? {
        try load().sessions.last { $0.key == key }?.session
    }

    /// The session last saved for that address, and the kind of server that gave it: `kind`, or any where that is nil.
    func session(at endpoint: String, of kind: SessionKey.Kind?) throws(Failure) -> (SessionKey.Kind, Session)? {
        let found = try load().sessions.last { stored in
            stored.key.endpoint == endpoint && (kind == nil || stored.key.kind == kind)
        }
        return found.map { ($0.key.kind, $0.session) }
    }

    /// Does `body` while no other process, and no one else in this one, may change the file.
    public func locked<Result, Thrown: Error>(
        isolation: isolated (any Actor)? = #isolation,
        failure: (Failure) -> Thrown, _ body: (Held) async throws(Thrown) -> Result
    ) async throws(Thrown) -> Result {
        let held: FileLock
        do { held = try await FileLock.acquire(lock, clock: clock, limit: .seconds(90)) } catch {
            throw failure(Failure(message: error.message))
        }
        let result = try await body(Held(store: self))
        withExtendedLifetime(held) {}
        return result
    }

    /// The right to change the file; only good inside `locked`.
    public struct Held: Sendable {
        fileprivate let store: SessionStore

        public func session(of key: SessionKey, user: UserID) throws(Failure) -> Session? {
            try store.load().sessions.last { $0.key == key && $0.user.chat_id == user }?.session
        }

        /// Adds the session or takes the place of the same person's older one, and makes it the one to be resumed.
        public func save(_ session: Session, for key: SessionKey) throws(Failure) {
            var content = try store.load()
            content.sessions.removeAll { $0.key == key && $0.user.chat_id == session.user.chatID }
            content.sessions.append(StoredSession(key: key, session: session))
            try store.write(content)
        }

        public func remove(_ user: UserID, for key: SessionKey) throws(Failure) {
            var content = try store.load()
            content.sessions.removeAll { $0.key == key && $0.user.chat_id == user }
            try store.write(content)
        }
    }

    private func load() throws(Failure) -> StoredSessions {
        let data: Data?
        do { data = try file.read() } catch { throw Failure(message: error.message) }
        guard let data, !data.isEmpty else { return StoredSessions(sessions: []) }
        guard let stored = Body.decode(StoredSessions.self, from: data) else {
            throw Failure(message: "\(file.path) is not a session file of this version of Words; move it away")
        }
        return stored
    }

    private func write(_ content: StoredSessions) throws(Failure) {
        do { try file.replace(with: Body.encode(content)) } catch { throw Failure(message: error.message) }
    }
}

/// Which server a session is for.
public struct SessionKey: Hashable, Sendable, Codable {
    public enum Kind: String, Sendable, Codable { case words, matrix }

    public var endpoint: String
    public var kind: Kind

    public init(endpoint: String, kind: Kind) {
        self.endpoint = endpoint
        self.kind = kind
    }
}

private struct StoredSessions: Codable {
    static let currentVersion = 1

    var version = currentVersion
    /// The one saved last comes last.
    var sessions: [StoredSession]

    init(sessions: [StoredSession]) { self.sessions = sessions }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        version = try container.decode(Int.self, forKey: .version)
        guard version == Self.currentVersion else {
            throw DecodingError.dataCorruptedError(
                forKey: .version, in: container, debugDescription: "another version")
        }
        sessions = try container.decode([StoredSession].self, forKey: .sessions)
    }
}

private struct StoredSession: Codable {
    struct Person: Codable {
        var id: Int
        var name: RemoteText
        var email: RemoteText?
        var chat_id: UserID
    }

    var key: SessionKey
    var user: Person
    var user_token: UserToken
    var chat_token: ChatToken

    init(key: SessionKey, session: Session) {
        self.key = key
        user = Person(
            id: session.user.id, name: session.user.name, email: session.user.email, chat_id: session.user.chatID)
        user_token = session.userToken
        chat_token = session.chatToken
    }

    var session: Session {
        Session(
            user: User(id: user.id, name: user.name, email: user.email, chatID: user.chat_id),
            userToken: user_token, chatToken: chat_token)
    }
}
