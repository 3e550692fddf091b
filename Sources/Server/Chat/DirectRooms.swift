import Models
import SQLite

/// One private room for each pair of people, for ever.
extension ChatTransaction {
    /// The room of `user` and `other`, made if there is none, with `user` in it. The other is in it too from the
    /// beginning; where they have left it meanwhile they are only invited. Both people's `m.direct` name the room.
    func openDirectRoom(by user: UserID, with other: UserID) throws -> RoomID {
        guard user != other else { throw MatrixError.invalidParameter("A conversation needs two people.") }
        try requireAccount(other)
        try requireWelcome(of: user, by: other)
        let room = try directRoom(of: user, and: other) ?? makeDirectRoom(user, other)
        try enter(room, user)
        try bringIn(other, to: room, by: user)
        try noteDirect(room, of: user, with: other)
        try noteDirect(room, of: other, with: user)
        return room
    }

    /// The room of the two, whoever is still in it; nil where there never was one.
    func directRoom(of one: UserID, and other: UserID) throws -> RoomID? {
        try connection.first(
            "SELECT room_id FROM rooms WHERE first_person = ? AND second_person = ?", min(one, other).raw,
            max(one, other).raw
        ) { RoomID($0.text(0)) }
    }

    /// Throws where `room` is a room of two and the other is gone or does not want to hear from `sender`.
    func requireListener(in room: RoomID, for sender: UserID) throws {
        guard let other = try connection.otherPerson(in: room, than: sender) else { return }
        if try connection.hasBlocked(other, sender, serverName) {
            throw MatrixError.forbidden("\(try displayName(of: other)) does not take messages from you.")
        }
        switch try membership(of: other, in: room)?.membership {
        case .join, .invite: return
        case .leave, .ban, .knock, nil:
            throw MatrixError.forbidden("\(try displayName(of: other)) has left this conversation.")
        }
    }

    /// Throws where `room` is a room of two and the other has blocked `sender`: names, topics and the like are words too.
    func requireNotBlocked(in room: RoomID, _ sender: UserID) throws {
        guard try connection.isBlocked(sender, in: room, serverName) else { return }
        throw MatrixError.forbidden("You are blocked in this conversation.")
    }

    /// Throws where `room` belongs to two people and `user` is neither.
    func requirePlace(for user: UserID, in room: RoomID) throws {
        guard let pair = try connection.pair(of: room), pair.0 != user, pair.1 != user else { return }
        throw MatrixError.forbidden("A conversation of two people takes in nobody else.")
    }

    /// Throws where `room` belongs to two people: one of them alone cannot open to others what both have said.
    func requireNoPair(_ room: RoomID) throws {
        guard try connection.pair(of: room) != nil else { return }
        throw MatrixError.forbidden("A conversation of two people stays between them.")
    }

    private func makeDirectRoom(_ user: UserID, _ other: UserID) throws -> RoomID {
        var creation = RoomCreation()
        creation.preset = .trustedPrivateChat
        creation.people = (user, other)
        return try create(creation, by: user)
    }

    private func enter(_ room: RoomID, _ user: UserID) throws {
        guard try membership(of: user, in: room)?.membership != .join else { return }
        let content = try memberContent(.join, of: user, in: room)
        try appendMembership(.join, of: user, in: room, by: user, content: content)
    }

    private func bringIn(_ other: UserID, to room: RoomID, by user: UserID) throws {
        switch try membership(of: other, in: room)?.membership {
        case nil: try enter(room, other)
        case .join, .invite, .ban: return
        case .leave, .knock:
            let content = try memberContent(.invite, of: other, in: room, isDirect: true)
            try appendMembership(.invite, of: other, in: room, by: user, content: content)
        }
    }

    /// Adds the room to `user`'s map of people to rooms. Client-server API, `m.direct`.
    private func noteDirect(_ room: RoomID, of user: UserID, with other: UserID) throws {
        var map = try directMap(of: user)
        var rooms = map[other.raw]?.array ?? []
        guard !rooms.contains(.string(room.raw)) else { return }
        rooms.append(.string(room.raw))
        map[other.raw] = .array(rooms)
        try setDirectMap(map, of: user)
    }

    /// Takes the room out of `user`'s map of people to rooms.
    func removeDirect(_ room: RoomID, of user: UserID) throws {
        let old = try directMap(of: user)
        var map = old
        for (person, rooms) in old {
            let left = (rooms.array ?? []).filter { $0 != .string(room.raw) }
            map[person] = left.isEmpty ? nil : .array(left)
        }
        if map != old { try setDirectMap(map, of: user) }
    }

    private func directMap(of user: UserID) throws -> [String: JSONValue] {
        let bytes = try connection.accountData("m.direct", of: user)?.bytes
        guard let bytes, let value = try? JSONValue(parsing: .init(bytes)) else { return [:] }
        return value.object ?? [:]
    }

    private func setDirectMap(_ map: [String: JSONValue], of user: UserID) throws {
        let bytes = [UInt8](JSONValue.object(map).serialized())
        try setAccountData("m.direct", RawObject(trusted: bytes), of: user)
    }
}

extension SQLiteConnection {
    /// The two people whom `room` belongs to; nil where it is of another kind.
    func pair(of room: RoomID) throws -> (UserID, UserID)? {
        try first("SELECT first_person, second_person FROM rooms WHERE room_id = ?", room.raw) { row in
            row.optionalText(0).map { (UserID($0), UserID(row.text(1))) }
        } ?? nil
    }

    /// The other person of a room of two; nil where `room` is of another kind, or `user` not one of them.
    func otherPerson(in room: RoomID, than user: UserID) throws -> UserID? {
        guard let pair = try pair(of: room), pair.0 == user || pair.1 == user else { return nil }
        return pair.0 == user ? pair.1 : pair.0
    }

    /// Whether `room` is a room of two and the other has blocked `user`.
    func isBlocked(_ user: UserID, in room: RoomID, _ serverName: String) throws -> Bool {
        guard let other = try otherPerson(in: room, than: user) else { return false }
        return try hasBlocked(other, user, serverName)
    }
}
