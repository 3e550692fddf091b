import Models
import SQLite

/// Coming, going, and being made to. Client-server API, "Room membership".
extension ChatTransaction {
    /// Whether anybody may join the room.
    private func isPublic(_ room: RoomID) throws -> Bool {
        try connection.stateContent(room, "m.room.join_rules")?["join_rule"] == "public"
    }

    private func facts(_ sender: UserID, _ target: UserID, _ room: RoomID) throws -> MembershipRules.Facts {
        MembershipRules.Facts(
            sender: sender, senderMembership: try membership(of: sender, in: room)?.membership, target: target,
            targetMembership: try membership(of: target, in: room)?.membership, isPublic: try isPublic(room),
            power: try power(in: room))
    }

    /// Changes the standing of `target`, if the rules let `sender` do so; `extra` are further members of the content.
    func change(
        _ target: UserID, to membership: Membership, in room: RoomID, by sender: UserID, reason: String? = nil,
        isDirect: Bool = false
    ) throws {
        switch MembershipRules.verdict(membership, try facts(sender, target, room)) {
        case .refused(let error): throw error
        case .unchanged: return
        case .allowed: break
        }
        try check(target, membership, in: room, by: sender)
        // Somebody blocked may go, but without a last word.
        let isBlocked = try connection.isBlocked(sender, in: room, serverName)
        let content = try memberContent(
            membership, of: target, in: room, reason: isBlocked ? nil : reason, isDirect: isDirect)
        try appendMembership(membership, of: target, in: room, by: sender, content: content)
    }

    /// What the rules of the room leave open: the rooms of two people, and who has blocked whom.
    private func check(_ target: UserID, _ membership: Membership, in room: RoomID, by sender: UserID) throws {
        if membership == .invite { try requireWelcome(of: sender, by: target) }
        if membership == .invite || membership == .join { try requirePlace(for: target, in: room) }
    }

    func join(_ room: RoomID, by user: UserID, reason: String? = nil) throws {
        try change(user, to: .join, in: room, by: user, reason: reason)
    }

    /// Leaves the room, or rejects the invitation to it.
    func leave(_ room: RoomID, by user: UserID, reason: String? = nil) throws {
        try change(user, to: .leave, in: room, by: user, reason: reason)
    }

    func kick(_ target: UserID, from room: RoomID, by sender: UserID, reason: String?) throws {
        let standing = try membership(of: target, in: room)?.membership
        guard standing != .ban else { throw MatrixError.forbidden("\(target) is not in the room.") }
        guard sender != target else { return try leave(room, by: sender, reason: reason) }
        try change(target, to: .leave, in: room, by: sender, reason: reason)
    }

    func unban(_ target: UserID, in room: RoomID, by sender: UserID, reason: String?) throws {
        guard try membership(of: sender, in: room)?.membership == .join else { throw MatrixError.notInRoom }
        guard try membership(of: target, in: room)?.membership == .ban else {
            throw MatrixError(403, "M_BAD_STATE", "\(target) is not banned from this room.")
        }
        try change(target, to: .leave, in: room, by: sender, reason: reason)
    }

    /// Lets go of a room that has been left, and of its history.
    func forget(_ room: RoomID, by user: UserID) throws {
        guard let record = try membership(of: user, in: room) else {
            throw MatrixError.notFound("There is no such room.")
        }
        guard record.membership == .leave || record.membership == .ban else {
            throw MatrixError(400, "M_UNKNOWN", "Leave the room before you forget it.")
        }
        try connection.run(
            "UPDATE memberships SET is_forgotten = 1 WHERE room_id = ? AND user_id = ?", room.raw, user.raw)
        var forgotten = record
        forgotten.isForgotten = true
        noteStanding(room, user, forgotten)
    }

    /// A membership set as state: the same rules, with content of the sender's own.
    func setMember(_ key: String, _ content: RawObject, in room: RoomID, by sender: UserID) throws -> EventID {
        guard let membership = content["membership"].flatMap(Membership.init(rawValue:)) else {
            throw MatrixError.badJSON("A membership event needs a membership.")
        }
        let target = UserID(key)
        try requireAccount(target)
        switch MembershipRules.verdict(membership, try facts(sender, target, room)) {
        case .refused(let error): throw error
        // A change of one's own name in this room alone.
        case .unchanged where membership == .join: break
        case .unchanged: return try membershipEvent(of: target, in: room)
        case .allowed: break
        }
        try requireNotBlocked(in: room, sender)
        try check(target, membership, in: room, by: sender)
        return try appendMembership(membership, of: target, in: room, by: sender, content: content)
    }

    private func membershipEvent(of user: UserID, in room: RoomID) throws -> EventID {
        let position = try membership(of: user, in: room)?.position ?? 0
        guard let event = try connection.event(at: position) else {
            throw DatabaseError.corrupt("a membership has no event")
        }
        return event.eventID
    }

    /// The content of a membership event: a person who comes in brings name and picture along, and one who goes leaves
    /// those that they had in the room, so that what they have said there can be told to be theirs.
    func memberContent(
        _ membership: Membership, of user: UserID, in room: RoomID, reason: String? = nil, isDirect: Bool = false
    ) throws -> RawObject {
        let picture, name: String?
        switch membership {
        case .join, .invite, .knock:
            let profile = try connection.profile(of: user, serverName)
            (picture, name) = (profile?.avatarURL, profile?.name)
        case .leave, .ban:
            let before = try connection.stateContent(room, "m.room.member", user.raw)
            (picture, name) = (before?["avatar_url"], before?["displayname"])
        }
        var buffer = JSONBuffer()
        buffer.object { buffer in
            if let picture { buffer.member("avatar_url", picture) }
            if let name, !name.isEmpty { buffer.member("displayname", name) }
            if isDirect { buffer.member("is_direct", true) }
            buffer.member("membership", membership.rawValue)
            if let reason { buffer.member("reason", reason) }
        }
        return RawObject(trusted: buffer.bytes)
    }

    /// Throws unless `user` is an account of this server.
    func requireAccount(_ user: UserID) throws {
        guard user.isWellFormed else { throw MatrixError.invalidParameter("\(user) is no user id.") }
        guard try connection.profile(of: user, serverName) != nil else {
            throw MatrixError.notFound("There is no user \(user) here.")
        }
    }

    /// Throws where `person` has blocked `sender`.
    func requireWelcome(of sender: UserID, by person: UserID) throws {
        guard try connection.hasBlocked(person, sender, serverName) else { return }
        throw MatrixError.forbidden("\(try displayName(of: person)) does not take invitations from you.")
    }

    func displayName(of user: UserID) throws -> String {
        let name = try connection.profile(of: user, serverName)?.name ?? ""
        return name.isEmpty ? user.raw : name
    }
}

extension Identifier where Kind == UserKind {
    /// Whether it has the form `@local:server` and at most 255 bytes.
    var isWellFormed: Bool {
        guard raw.hasPrefix("@"), raw.utf8.count <= 255, let colon = raw.firstIndex(of: ":") else { return false }
        return raw.index(after: raw.startIndex) < colon && raw.index(after: colon) < raw.endIndex
    }
}

extension SQLiteConnection {
    struct Profile: Equatable, Sendable {
        var accountID: Int64
        var name: String
        var avatarURL: String?
    }

    /// The name and picture of an account of this server; nil where `user` is none.
    func profile(of user: UserID, _ serverName: String) throws -> Profile? {
        guard user.raw == "@\(user.localPart):\(serverName)" else { return nil }
        return try first("SELECT id, name, avatar_url FROM accounts WHERE local_part = ?", user.localPart) {
            Profile(accountID: $0.integer(0), name: $0.text(1), avatarURL: $0.optionalText(2))
        }
    }

    /// Whether `owner` has blocked `other`.
    func hasBlocked(_ owner: UserID, _ other: UserID, _ serverName: String) throws -> Bool {
        guard owner.raw.hasSuffix(":\(serverName)"), other.raw.hasSuffix(":\(serverName)") else { return false }
        return try exists(
            """
            SELECT 1 FROM blocks JOIN accounts AS o ON o.id = owner_id JOIN accounts AS b ON b.id = blocked_id
            WHERE o.local_part = ? AND b.local_part = ?
            """, owner.localPart, other.localPart)
    }
}
