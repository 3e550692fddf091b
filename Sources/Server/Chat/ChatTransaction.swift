import CSodium
import Models
import SQLite

/// What may be done to the chat within one transaction: all of it holds, or none.
///
/// The parts of the domain extend it, each in its own file. It does not outlive the body that it is given to.
final class ChatTransaction {
    /// Content is told to be too large past this many bytes; the whole event may have 65,536.
    static let eventLimit = 65_536

    let connection: SQLiteConnection
    let serverName: String
    let now: Timestamp
    let identifiers: any IdentifierSource
    private let powerCache: PowerCache
    private(set) var news = News()

    init(connection: SQLiteConnection, serverName: String, environment: Environment, powerCache: PowerCache) {
        self.connection = connection
        self.serverName = serverName
        self.powerCache = powerCache
        now = environment.clock.now
        identifiers = environment.identifiers
    }

    /// The next place in the stream.
    func nextPosition() throws -> Int64 {
        let position = try connection.first("UPDATE stream SET position = position + 1 RETURNING position") {
            $0.integer(0)
        }
        guard let position else { throw DatabaseError.corrupt("the stream has no position") }
        news.position = position
        return position
    }

    func noteReceipt(in room: RoomID, at position: Int64) { news.receipts[room] = position }
    func noteAccountData(of user: UserID, at position: Int64) { news.accountData[user] = position }
    func noteRenamed(_ user: UserID) { news.renamed.insert(user) }
    func noteChangedEvents() { news.changesEvents = true }
    func noteStanding(_ room: RoomID, _ user: UserID, _ record: MembershipRecord) {
        news.standings.append(News.Standing(room: room, user: user, record: record))
    }

    /// An event that is to be stored.
    struct Draft {
        var type: String
        var stateKey: String?
        var content: RawObject
        var redacts: EventID?
        var transaction: ClientTransaction?
    }

    /// Stores an event at the end of `room`, whoever may do so. The caller has asked whether it is allowed.
    @discardableResult
    func append(_ draft: Draft, to room: RoomID, by sender: UserID) throws -> EventID {
        try Self.checkSize(draft, room, sender)
        let replaces = try draft.stateKey.flatMap { try connection.statePosition(room, draft.type, $0) }
        let position = try nextPosition()
        let id = Self.eventID(position, room, sender, now, draft)
        try connection.run(
            """
            INSERT INTO events (position, event_id, room_id, type, state_key, sender, sent_at, content, notifies,
                replaces, redacts, device_id, transaction_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, position, id.raw, room.raw, draft.type, draft.stateKey, sender.raw, now.milliseconds,
            draft.content.bytes, Unread.notifies(draft), replaces, draft.redacts?.raw,
            draft.transaction?.device.raw, draft.transaction?.id.raw)
        news.events[room] = position
        return id
    }

    /// Stores a membership event and what follows from it.
    @discardableResult
    func appendMembership(
        _ membership: Membership, of user: UserID, in room: RoomID, by sender: UserID, content: RawObject
    ) throws -> EventID {
        let old = try self.membership(of: user, in: room)
        let draft = Draft(type: "m.room.member", stateKey: user.raw, content: content)
        let id = try append(draft, to: room, by: sender)
        let record = MembershipRecord.after(old, membership, at: news.position)
        try connection.run(
            """
            INSERT INTO memberships
                (room_id, user_id, membership, position, invited_at, joined_at, left_at, is_forgotten)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET membership = excluded.membership, position = excluded.position,
                invited_at = excluded.invited_at, joined_at = excluded.joined_at, left_at = excluded.left_at,
                is_forgotten = excluded.is_forgotten
            """, room.raw, user.raw, record.membership.rawValue, record.position, record.invitedAt,
            record.joinedAt, record.leftAt, record.isForgotten)
        noteStanding(room, user, record)
        return id
    }

    func membership(of user: UserID, in room: RoomID) throws -> MembershipRecord? {
        try connection.membership(of: user, in: room)
    }

    /// Who may do what in `room` now.
    func power(in room: RoomID) throws -> PowerLevels { try powerCache.levels(in: room, connection) }

    /// The event that set levels has lost some of its content.
    func forgetPower(setBy event: EventID) { powerCache.forget(event) }

    private static func checkSize(_ draft: Draft, _ room: RoomID, _ sender: UserID) throws {
        guard draft.type.utf8.count <= 255, (draft.stateKey?.utf8.count ?? 0) <= 255 else {
            throw MatrixError.tooLarge("The type and the state key of an event may each have 255 bytes.")
        }
        let around = draft.type.utf8.count + (draft.stateKey?.utf8.count ?? 0) + room.raw.utf8.count
        guard draft.content.bytes.count + around + sender.raw.utf8.count + 256 <= eventLimit else {
            throw MatrixError.tooLarge("The message is too large: an event may have \(eventLimit) bytes.")
        }
    }

    /// `$` and the SHA-256 of the event, in url-safe base64; unique, since no two events share a position.
    private static func eventID(
        _ position: Int64, _ room: RoomID, _ sender: UserID, _ now: Timestamp, _ draft: Draft
    ) -> EventID {
        var text = Array(
            "\(position) \(now.milliseconds) \(room) \(sender) \(draft.type) \(draft.stateKey ?? "") ".utf8)
        text += draft.content.bytes
        var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        crypto_hash_sha256(&hash, text, UInt64(text.count))
        return EventID("$" + Base64.urlSafe(hash))
    }
}

/// The scope and the name of a client's request that must not take effect twice.
struct ClientTransaction: Sendable {
    var device: DeviceID
    var id: TransactionID
}

/// Base64 with the alphabet of RFC 4648, section 5, without padding.
enum Base64 {
    static func urlSafe(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var result: [UInt8] = []
        var buffer = 0
        var bits = 0
        for byte in bytes {
            buffer = (buffer << 8 | Int(byte)) & 0xFFFF
            bits += 8
            while bits >= 6 {
                bits -= 6
                result.append(alphabet[buffer >> bits & 63])
            }
        }
        if bits > 0 { result.append(alphabet[buffer << (6 - bits) & 63]) }
        return String(decoding: result, as: UTF8.self)
    }
}

/// Keeps the levels of rooms read. They are found by the event that set them, so they cannot be out of date, unless that
/// event is redacted.
final class PowerCache: Sendable {
    private let levels = Locked<[EventID: PowerLevels]>([:])

    func levels(in room: RoomID, _ connection: SQLiteConnection) throws -> PowerLevels {
        let found = try connection.first(
            """
            SELECT event_id FROM events WHERE room_id = ? AND type = 'm.room.power_levels' AND state_key = ''
            ORDER BY position DESC LIMIT 1
            """, room.raw
        ) { EventID($0.text(0)) }
        guard let found else { return PowerLevels(content: nil, creator: try creator(of: room, connection)) }
        if let kept = levels.withLock({ $0[found] }) { return kept }
        let content = try connection.stateContent(room, "m.room.power_levels")
        let read = PowerLevels(content: content, creator: try creator(of: room, connection))
        levels.withLock { levels in
            if levels.count > 4_096 { levels.removeAll() }
            levels[found] = read
        }
        return read
    }

    func forget(_ event: EventID) { levels.withLock { $0[event] = nil } }

    private func creator(of room: RoomID, _ connection: SQLiteConnection) throws -> UserID {
        try connection.first("SELECT creator FROM rooms WHERE room_id = ?", room.raw) { UserID($0.text(0)) }
            ?? UserID("")
    }
}

extension SQLiteConnection {
    func membership(of user: UserID, in room: RoomID) throws -> MembershipRecord? {
        try first(
            """
            SELECT membership, position, invited_at, joined_at, left_at, is_forgotten FROM memberships
            WHERE room_id = ? AND user_id = ?
            """, room.raw, user.raw
        ) { MembershipRecord($0) }
    }
}

extension MembershipRecord {
    /// Reads membership, position, invited_at, joined_at, left_at and is_forgotten, from the column `first` on.
    init(_ row: borrowing SQLiteRow, from first: Int32 = 0) {
        membership = Membership(rawValue: row.text(first)) ?? .leave
        position = row.integer(first + 1)
        invitedAt = row.integer(first + 2)
        joinedAt = row.integer(first + 3)
        leftAt = row.integer(first + 4)
        isForgotten = row.bool(first + 5)
    }
}

extension MatrixError {
    static func tooLarge(_ message: String) -> MatrixError { MatrixError(413, "M_TOO_LARGE", message) }
}
