import Foundation
import Models

/// Contacts: the people of `m.direct`, each with the one room that counts.
extension MatrixUsers {
    /// More profiles are not asked for at once; people beyond that go by their ids until the chat brings their names.
    private static let profileLimit = 50

    public func contacts(_ token: UserToken) async throws(UsersError) -> [Contact] {
        let ownID = try await ownID(token)
        let direct = DirectRooms(try await accountData(DirectRooms.type, token))
        let joined = try await joinedRooms(token)
        let state = await chat()
        var asked = 0
        var contacts: [Contact] = []
        for person in direct.persons where person != ownID {
            guard let room = Self.choose(direct.rooms(with: person).filter(joined.contains), person, state) else {
                continue
            }
            var name = Self.name(of: person, in: room, state) ?? memory.withLock { $0.names[person] }
            if name == nil, asked < Self.profileLimit {
                asked += 1
                name = try await displayName(of: person, token)
            }
            contacts.append(Self.contact(person, name, room))
        }
        return contacts
    }

    public func addContact(_ token: UserToken, identity: String) async throws(UsersError) -> Contact {
        let ownID = try await ownID(token)
        let (person, name) = try await find(identity, ownID, token)
        guard person != ownID else { throw .refused("This is yourself.") }
        guard !IgnoredUsers(try await accountData(IgnoredUsers.type, token)).people.contains(person) else {
            throw .refused("You have blocked this person. Unblock them first.")
        }
        await turn.enter()
        defer { turn.leave() }
        var direct = DirectRooms(try await accountData(DirectRooms.type, token))
        let room = try await directRoom(with: person, direct, token)
        if direct.add(room, with: person) { try await setAccountData(DirectRooms.type, direct.content, token) }
        memory.withLock { $0.unlisted[person] = nil }
        return Self.contact(person, name, room)
    }

    /// The room to share with `person`: one that is there and wants them back, one that they invite to, or a new one.
    private func directRoom(
        with person: UserID, _ direct: DirectRooms, _ token: UserToken
    ) async throws(UsersError) -> RoomID {
        let joined = try await joinedRooms(token)
        let made = memory.withLock { $0.unlisted[person] }
        if let made, joined.contains(made) { return made }
        for room in direct.rooms(with: person).reversed() where joined.contains(room) {
            switch try await membership(of: person, in: room, token) {
            case .join: throw .refused("This person is among your contacts already.")
            case .invite: throw .refused("This person is among your contacts already, and has been invited.")
            default: if try await invite(person, to: room, token) { return room }
            }
        }
        let invitation = await chat()?.rooms.values.first { room in
            room.membership == .invite && room.isDirect && room.inviter == person
        }
        if let invitation {
            try await tell(call(.join, "POST", ["join", invitation.id.raw], [:], token))
            return invitation.id
        }
        let body: JSONValue = [
            "preset": "trusted_private_chat", "is_direct": true, "invite": [.string(person.raw)],
        ]
        let answer: MatrixShapes.RoomIDAnswer = try await ask(call(.create, "POST", ["createRoom"], body, token))
        memory.withLock { $0.unlisted[person] = answer.room_id }
        return answer.room_id
    }

    /// Leaves the rooms shared with the person, who keeps them.
    public func removeContact(_ token: UserToken, id: UserID) async throws(UsersError) {
        await turn.enter()
        defer { turn.leave() }
        var direct = DirectRooms(try await accountData(DirectRooms.type, token))
        let joined = try await joinedRooms(token)
        for room in direct.rooms(with: id) where joined.contains(room) {
            try await tell(call(.remove, "POST", ["rooms", room.raw, "leave"], [:], token))
        }
        if direct.remove(id) { try await setAccountData(DirectRooms.type, direct.content, token) }
    }

    /// The server shows nothing of an ignored person any more, messages and invitations alike.
    public func block(_ token: UserToken, id: UserID) async throws(UsersError) { try await ignore(id, true, token) }

    public func unblock(_ token: UserToken, id: UserID) async throws(UsersError) { try await ignore(id, false, token) }

    private func ignore(_ person: UserID, _ isIgnored: Bool, _ token: UserToken) async throws(UsersError) {
        await turn.enter()
        defer { turn.leave() }
        var ignored = IgnoredUsers(try await accountData(IgnoredUsers.type, token))
        ignored.set(person, isIgnored: isIgnored)
        try await setAccountData(IgnoredUsers.type, ignored.value, token)
    }
}

/// Who is meant, and where they are.
extension MatrixUsers {
    private static let nobody: UsersError = .refused("Nobody here has this address or id.")

    /// An id, a user name of this server, or what the user directory finds exactly one person by.
    private func find(
        _ identity: String, _ ownID: UserID, _ token: UserToken
    ) async throws(UsersError) -> (UserID, RemoteText?) {
        let wanted = identity.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !wanted.dropFirst().contains("@") else { throw .refused(Self.wantsUserName) }
        let isWhole = wanted.hasPrefix("@")
        let id = UserID(isWhole ? wanted : "@\(wanted.lowercased()):\(ownID.serverName)")
        if id == ownID { return (id, nil) }
        if isWhole || !wanted.contains(where: \.isWhitespace), let found = try await profile(of: id, token) {
            return (id, found.displayname)
        }
        guard !isWhole else { throw Self.nobody }
        let body: JSONValue = ["search_term": .string(wanted), "limit": 10]
        let answer: MatrixShapes.UserDirectory = try await ask(
            call(.profile, "POST", ["user_directory", "search"], body, token))
        let others = answer.results.filter { $0.user_id != ownID }
        let exact = others.filter { $0.display_name?.unsanitised.lowercased() == wanted.lowercased() }
        let found = exact.isEmpty ? others : exact
        guard let first = found.first else { throw Self.nobody }
        guard found.count == 1, !answer.limited || !exact.isEmpty else {
            let ids = found.map(\.user_id.raw).joined(separator: ", ")
            throw .refused("Several people could be meant: \(RemoteText(ids)). Add one of them by the id.")
        }
        return (first.user_id, first.display_name)
    }

    private func profile(of id: UserID, _ token: UserToken) async throws(UsersError) -> MatrixShapes.Profile? {
        let response = try await answer(call(.profile, "GET", ["profile", id.raw], nil, token))
        switch (response.status, failure(of: response)?.errcode) {
        case (200..<300, _): return try read(response)
        case (404, .some), (_, "M_NOT_FOUND"?), (_, "M_INVALID_PARAM"?), (400, "M_UNKNOWN"?): return nil
        default: throw error(for: response)
        }
    }

    func displayName(of id: UserID, _ token: UserToken) async throws(UsersError) -> RemoteText? {
        let name = try await profile(of: id, token)?.displayname
        if let name { memory.withLock { $0.names[id] = name } }
        return name.flatMap { $0.isEmpty ? nil : $0 }
    }

    private func joinedRooms(_ token: UserToken) async throws(UsersError) -> Set<RoomID> {
        let answer: MatrixShapes.JoinedRooms = try await ask(call(.contacts, "GET", ["joined_rooms"], nil, token))
        return Set(answer.joined_rooms)
    }

    private func membership(
        of person: UserID, in room: RoomID, _ token: UserToken
    ) async throws(UsersError) -> Membership? {
        let segments = ["rooms", room.raw, "state", "m.room.member", person.raw]
        let response = try await answer(call(.members, "GET", segments, nil, token))
        if failure(of: response)?.errcode == "M_NOT_FOUND" { return nil }
        let content: JSONValue = try read(response)
        return content["membership"]?.string.flatMap { Membership(rawValue: $0) }
    }

    /// False where the room does not let one invite.
    private func invite(_ person: UserID, to room: RoomID, _ token: UserToken) async throws(UsersError) -> Bool {
        let body: JSONValue = ["user_id": .string(person.raw)]
        let response = try await answer(call(.invite, "POST", ["rooms", room.raw, "invite"], body, token))
        if failure(of: response)?.errcode == "M_FORBIDDEN" { return false }
        guard (200..<300).contains(response.status) else { throw error(for: response) }
        return true
    }

    /// Of several rooms with one person: where they are, then where something happened last, then the one listed last.
    static func choose(_ rooms: [RoomID], _ person: UserID, _ state: ChatState?) -> RoomID? {
        func rank(_ room: RoomID) -> (Int, Int64) {
            let known = state?.rooms[room]
            let standing =
                switch known?.members[person]?.membership {
                case _ where known?.replacement != nil: 0
                case .join?: 3
                case .invite?: 2
                case nil: 1
                default: 0
                }
            return (standing, known?.timeline.items.last { $0.timestamp != nil }?.timestamp?.milliseconds ?? 0)
        }
        return rooms.max { rank($0) <= rank($1) }
    }

    private static func name(of person: UserID, in room: RoomID, _ state: ChatState?) -> RemoteText? {
        state?.rooms[room]?.members[person]?.displayName.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func contact(_ person: UserID, _ name: RemoteText?, _ room: RoomID) -> Contact {
        Contact(
            user: User(id: 0, name: name ?? RemoteText(person.localPart), email: nil, chatID: person),
            room: Room(id: room))
    }
}
