import Models
import SQLite

/// Names of rooms, and the rooms that are listed for everybody. Client-server API, "Room aliases", "Listing rooms".
extension ChatTransaction {
    /// Gives a new room its first alias; returns it.
    func makeAlias(_ localPart: String, of room: RoomID, by creator: UserID) throws -> String {
        let alias = "#\(localPart):\(serverName)"
        guard !localPart.isEmpty, !localPart.contains(":"), !localPart.contains(where: \.isWhitespace),
            alias.utf8.count <= 255
        else { throw MatrixError.invalidParameter("\(localPart) cannot be the name of a room.") }
        guard try connection.room(for: alias) == nil else {
            throw MatrixError(400, "M_ROOM_IN_USE", "The name \(alias) belongs to another room.")
        }
        try connection.run("INSERT INTO aliases VALUES (?, ?, ?)", alias, room.raw, creator.raw)
        return alias
    }

    func setAlias(_ alias: String, to room: RoomID, by user: UserID) throws {
        try checkAlias(alias)
        guard try membership(of: user, in: room)?.membership == .join else { throw MatrixError.notInRoom }
        guard try connection.room(for: alias) == nil else {
            throw MatrixError(409, "M_UNKNOWN", "The name \(alias) belongs to a room already.")
        }
        try connection.run("INSERT INTO aliases VALUES (?, ?, ?)", alias, room.raw, user.raw)
    }

    /// Takes an alias away: whoever made it may, and who may name the room.
    func removeAlias(_ alias: String, by user: UserID) throws {
        try checkAlias(alias)
        let found = try connection.first("SELECT room_id, creator FROM aliases WHERE alias = ?", alias) {
            (RoomID($0.text(0)), UserID($0.text(1)))
        }
        guard let (room, creator) = found else { throw MatrixError.noRoom(alias) }
        if creator != user {
            guard try connection.isSeen(room, by: user) else { throw MatrixError.noRoom(alias) }
            try requirePower(for: "m.room.canonical_alias", isState: true, of: user, in: room)
        }
        try connection.run("DELETE FROM aliases WHERE alias = ?", alias)
    }

    /// Puts the room into the public list, or takes it out.
    func list(_ room: RoomID, _ isListed: Bool, by user: UserID) throws {
        try requirePower(for: "m.room.canonical_alias", isState: true, of: user, in: room)
        if isListed { try requireNoPair(room) }
        try connection.run("UPDATE rooms SET is_listed = ? WHERE room_id = ?", isListed, room.raw)
    }

    private func checkAlias(_ alias: String) throws {
        guard Alias.isWellFormed(alias) else { throw MatrixError.invalidParameter("\(alias) is no room alias.") }
        guard alias.hasSuffix(":\(serverName)") else {
            throw MatrixError.invalidParameter("\(alias) belongs to another server.")
        }
    }
}

enum Alias {
    /// Whether it has the form `#local:server` and at most 255 bytes.
    static func isWellFormed(_ alias: String) -> Bool {
        guard alias.hasPrefix("#"), alias.utf8.count <= 255, let colon = alias.firstIndex(of: ":") else {
            return false
        }
        return alias.index(after: alias.startIndex) < colon && alias.index(after: colon) < alias.endIndex
    }
}

/// A room as the public list shows it.
struct ListedRoom: Sendable {
    var id: RoomID
    var joinedCount: Int
    var name: String?
    var topic: String?
    var alias: String?
    var joinRule: String?
    var isWorldReadable: Bool
    var guestsCanJoin: Bool
    var creator: UserID
    var creatorName: String?

    func write(to buffer: inout JSONBuffer) {
        buffer.object { buffer in
            if let alias { buffer.member("canonical_alias", alias) }
            buffer.member("guest_can_join", guestsCanJoin)
            if let joinRule { buffer.member("join_rule", joinRule) }
            if let name { buffer.member("name", name) }
            buffer.member("num_joined_members", joinedCount)
            buffer.member(MatrixShapes.PublicRoomEntry.creatorKey, creator.raw)
            if let creatorName { buffer.member(MatrixShapes.PublicRoomEntry.creatorNameKey, creatorName) }
            buffer.member("room_id", id.raw)
            if let topic { buffer.member("topic", topic) }
            buffer.member("world_readable", isWorldReadable)
        }
    }

    /// Whether `term`, in lower case, occurs in name, topic or alias.
    func matches(_ term: String) -> Bool {
        term.isEmpty || [name, topic, alias].contains { $0?.lowercased().contains(term) ?? false }
    }
}

extension MatrixError {
    /// The same whether the alias leads nowhere or to a room that the asker is not to know of.
    static func noRoom(_ alias: String) -> MatrixError { .notFound("There is no room \(alias).") }
}

extension SQLiteConnection {
    func room(for alias: String) throws -> RoomID? {
        try first("SELECT room_id FROM aliases WHERE alias = ?", alias) { RoomID($0.text(0)) }
    }

    /// The room that `alias` leads to, where `user` may know of it; nil is anybody, signed in or not.
    func room(for alias: String, seenBy user: UserID?) throws -> RoomID? {
        try room(for: alias).flatMap { try isSeen($0, by: user) ? $0 : nil }
    }

    /// Whether `user` may know that there is such a room: they are in it or invited, or anybody may join it, find it in
    /// the public list, or read it.
    func isSeen(_ room: RoomID, by user: UserID?) throws -> Bool {
        switch try user.flatMap({ try membership(of: $0, in: room)?.membership }) {
        case .join, .invite: return true
        case .leave, .ban, .knock, nil: break
        }
        if try isListed(room) == true { return true }
        return try stateContent(room, "m.room.join_rules")?["join_rule"] == "public"
            || stateContent(room, "m.room.history_visibility")?["history_visibility"] == "world_readable"
    }

    func aliases(of room: RoomID) throws -> [String] {
        try rows("SELECT alias FROM aliases WHERE room_id = ? ORDER BY alias", room.raw) { $0.text(0) }
    }

    /// Whether the room is in the public list; nil where there is no such room.
    func isListed(_ room: RoomID) throws -> Bool? {
        try first("SELECT is_listed FROM rooms WHERE room_id = ?", room.raw) { $0.bool(0) }
    }

    /// The rooms of the public list, largest first, then by id.
    func listedRooms(of serverName: String) throws -> [ListedRoom] {
        let rooms = try rows(
            """
            SELECT r.room_id, r.creator,
                (SELECT name FROM accounts WHERE local_part = substr(r.creator, 2, length(r.creator) - length(?) - 2)),
                (SELECT COUNT(*) FROM memberships m WHERE m.room_id = r.room_id AND m.membership = 'join') AS joined
            FROM rooms r WHERE r.is_listed ORDER BY joined DESC, r.room_id
            """, serverName
        ) { (RoomID($0.text(0)), UserID($0.text(1)), $0.optionalText(2), Int($0.integer(3))) }
        return try rooms.map { room, creator, creatorName, count in
            ListedRoom(
                id: room, joinedCount: count, name: try stateContent(room, "m.room.name")?["name"],
                topic: try stateContent(room, "m.room.topic")?["topic"],
                alias: try stateContent(room, "m.room.canonical_alias")?["alias"],
                joinRule: try stateContent(room, "m.room.join_rules")?["join_rule"],
                isWorldReadable: try stateContent(room, "m.room.history_visibility")?["history_visibility"]
                    == "world_readable",
                guestsCanJoin: try stateContent(room, "m.room.guest_access")?["guest_access"] == "can_join",
                creator: creator, creatorName: creatorName)
        }
    }
}
