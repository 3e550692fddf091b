import Models
import SQLite

/// Names and pictures of people. Client-server API, "Profiles".
extension ChatTransaction {
    /// Sets the name by which everybody knows `user`, in all rooms at once.
    func rename(_ user: UserID, to name: String) throws {
        guard name.utf8.count <= 1_024 else { throw MatrixError.invalidParameter("A name may have 1,024 bytes.") }
        guard let profile = try connection.profile(of: user, serverName) else {
            throw MatrixError.notFound("There is no user \(user) here.")
        }
        guard !profile.name.utf8.elementsEqual(name.utf8) else { return }
        try connection.run(
            "UPDATE accounts SET name = ?, updated_at = ? WHERE id = ?", name, now.milliseconds, profile.accountID)
        try tellRooms(of: user)
    }

    /// Sets or removes the picture of `user`, in all rooms at once.
    func setAvatar(_ user: UserID, to url: String?) throws {
        guard (url?.utf8.count ?? 0) <= 1_024 else {
            throw MatrixError.invalidParameter("The address of a picture may have 1,024 bytes.")
        }
        guard let profile = try connection.profile(of: user, serverName) else {
            throw MatrixError.notFound("There is no user \(user) here.")
        }
        guard profile.avatarURL != url else { return }
        try connection.run(
            "UPDATE accounts SET avatar_url = ?, updated_at = ? WHERE id = ?", url, now.milliseconds,
            profile.accountID)
        try tellRooms(of: user)
    }

    private func tellRooms(of user: UserID) throws {
        for room in try connection.rooms(of: user, .join) {
            let content = try memberContent(.join, of: user, in: room)
            try appendMembership(.join, of: user, in: room, by: user, content: content)
        }
        noteRenamed(user)
    }
}

extension SQLiteConnection {
    /// The rooms where `user` has the standing `membership`, in the order of their ids.
    func rooms(of user: UserID, _ membership: Membership) throws -> [RoomID] {
        try rows(
            "SELECT room_id FROM memberships WHERE user_id = ? AND membership = ? ORDER BY room_id", user.raw,
            membership.rawValue
        ) { RoomID($0.text(0)) }
    }

    struct Person: Sendable {
        var userID: UserID
        var name: String
        var avatarURL: String?
    }

    /// Accounts whose id or name contains `term`, without regard to case; at most `limit`.
    func people(matching term: String, limit: Int, _ serverName: String) throws -> [Person] {
        let wanted = term.lowercased()
        var found: [Person] = []
        _ = try rows("SELECT local_part, name, avatar_url FROM accounts ORDER BY id") { row in
            guard found.count < limit else { return }
            let person = Person(
                userID: UserID("@\(row.text(0)):\(serverName)"), name: row.text(1), avatarURL: row.optionalText(2))
            guard person.name.lowercased().contains(wanted) || person.userID.raw.lowercased().contains(wanted)
            else { return }
            found.append(person)
        }
        return found
    }
}
