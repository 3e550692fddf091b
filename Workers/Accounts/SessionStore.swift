import Foundation
import Models

/// The sessions of one home, in one file that only its owner may read: `session/sessions.json`, 0600 in a 0700 folder.
///
/// A session belongs to one server, one kind of server and one person; a token is never given to another server, and
/// the sessions of other servers stay. Of one that has run out the file keeps whose it was and on which device, so that
/// signing in again goes on with it. Everything that changes the file happens under a lock between processes.
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
            stored.key.isOf(endpoint, kind)
        }
        return found.map { ($0.key.kind, $0.session) }
    }

    /// Whether a session for that address has run out here, of whose owner no other has been saved since.
    func hasExpired(at endpoint: String, of kind: SessionKey.Kind?) throws(Failure) -> Bool {
        try load().expired.contains { $0.key.isOf(endpoint, kind) }
    }

    /// The device of the session, run out or not, of whoever goes by `identity`.
    func device(for identity: String, at endpoint: String, of kind: SessionKey.Kind?) throws(Failure) -> DeviceID? {
        let content = try load()
        let devices =
            content.sessions.map { (key: $0.key, user: $0.user, id: $0.user_token.deviceID) }
            + content.expired.map { (key: $0.key, user: $0.user, id: $0.device_id) }
        return devices.last { $0.key.isOf(endpoint, kind) && $0.user.goesBy(identity) }?.id
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
            content.remove(session.user.chatID, for: key)
            content.sessions.append(StoredSession(key: key, session: session))
            try store.write(content)
        }

        /// Of one that has run out, whose it was and on which device stays.
        public func remove(_ user: UserID, for key: SessionKey, isExpired: Bool = false) throws(Failure) {
            var content = try store.load()
            let removed = content.remove(user, for: key)
            if isExpired { content.expired += removed }
            try store.write(content)
        }

        public func hasExpired(_ user: UserID, for key: SessionKey) throws(Failure) -> Bool {
            try store.load().expired.contains { $0.key == key && $0.user.chat_id == user }
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

    /// A `kind` of nil is any.
    fileprivate func isOf(_ endpoint: String, _ kind: Kind?) -> Bool {
        self.endpoint == endpoint && (kind == nil || self.kind == kind)
    }
}

private struct StoredSessions: Codable {
    static let currentVersion = 1

    var version = currentVersion
    /// The one saved last comes last.
    var sessions: [StoredSession]
    /// Those that have run out, without their tokens.
    var expired: [ExpiredSession] = []

    init(sessions: [StoredSession]) { self.sessions = sessions }

    /// What an end of these leaves, where it is no end for good.
    @discardableResult
    mutating func remove(_ user: UserID, for key: SessionKey) -> [ExpiredSession] {
        let removed =
            expired.filter { $0.key == key && $0.user.chat_id == user }
            + sessions.filter { $0.key == key && $0.user.chat_id == user }.map(ExpiredSession.init)
        sessions.removeAll { $0.key == key && $0.user.chat_id == user }
        expired.removeAll { $0.key == key && $0.user.chat_id == user }
        return removed.suffix(1)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        version = try container.decode(Int.self, forKey: .version)
        guard version == Self.currentVersion else {
            throw DecodingError.dataCorruptedError(
                forKey: .version, in: container, debugDescription: "another version")
        }
        sessions = try container.decode([StoredSession].self, forKey: .sessions)
        expired = try container.decodeIfPresent([ExpiredSession].self, forKey: .expired) ?? []
    }
}

private struct StoredPerson: Codable {
    var id: Int
    var name: RemoteText
    var email: RemoteText?
    var chat_id: UserID

    /// Whether it is this person who signs in as `identity`: an address, a user name or an id.
    func goesBy(_ identity: String) -> Bool {
        let identity = identity.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
        let names = [email?.unsanitised, chat_id.raw, chat_id.localPart, "@" + chat_id.localPart]
        return names.contains { $0?.lowercased() == identity }
    }
}

private struct ExpiredSession: Codable {
    var key: SessionKey
    var user: StoredPerson
    var device_id: DeviceID?

    init(_ session: StoredSession) {
        key = session.key
        user = session.user
        device_id = session.user_token.deviceID
    }
}

private struct StoredSession: Codable {
    var key: SessionKey
    var user: StoredPerson
    var user_token: UserToken
    var chat_token: ChatToken

    init(key: SessionKey, session: Session) {
        self.key = key
        user = StoredPerson(
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
