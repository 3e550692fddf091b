import Models
import SQLite

/// Names and pictures, who is there, and who can be found.
extension ChatRoutes {
    private static let statusLimit = 1_024

    func addPeople(to router: inout Router) {
        addOpen(&router, "GET", "/profile/{userId}") { _, path, _ in
            let profile = try await profile(path)
            return .object { buffer in
                if let picture = profile.avatarURL { buffer.member("avatar_url", picture) }
                if !profile.name.isEmpty { buffer.member("displayname", profile.name) }
            }
        }
        addOpen(&router, "GET", "/profile/{userId}/{keyName}") { _, path, _ in
            let (profile, key) = (try await profile(path), try ProfileKey(path))
            return .object { buffer in
                switch key {
                case .displayName: if !profile.name.isEmpty { buffer.member(key.rawValue, profile.name) }
                case .avatarURL: if let picture = profile.avatarURL { buffer.member(key.rawValue, picture) }
                }
            }
        }
        add(&router, "PUT", "/profile/{userId}/{keyName}") { call in
            let (body, key) = (try call.own().body(), try ProfileKey(call.path))
            return try await set(key, to: try body.text(key.rawValue) ?? "", of: call.user)
        }
        add(&router, "DELETE", "/profile/{userId}/{keyName}") { call in
            try await set(try ProfileKey(try call.own().path), to: "", of: call.user)
        }
        addPresence(to: &router)
        add(&router, "POST", "/user_directory/search") { try await search($0) }
    }

    /// What a profile consists of here. Throws `M_NOT_FOUND` for another key.
    private enum ProfileKey: String {
        case displayName = "displayname"
        case avatarURL = "avatar_url"

        init(_ path: PathParameters) throws(MatrixError) {
            let name = path["keyName"]
            guard let key = Self(rawValue: name) else { throw .notFound("Profiles here have no \(name).") }
            self = key
        }
    }

    private func set(_ key: ProfileKey, to value: String, of user: UserID) async throws -> HTTPResponse {
        switch key {
        case .displayName: try await chat.rename(user, to: value)
        case .avatarURL: try await chat.write { try $0.setAvatar(user, to: value.isEmpty ? nil : value) }
        }
        chat.handle(.acted, of: user)
        return .emptyObject
    }

    private func profile(_ path: PathParameters) async throws -> SQLiteConnection.Profile {
        let user = UserID(path["userId"])
        guard let profile = try await chat.read({ try $0.connection.profile(of: user, chat.serverName) }) else {
            throw MatrixError.notFound("There is no user \(user) here.")
        }
        return profile
    }

    private func search(_ call: Call) async throws -> HTTPResponse {
        let body = try call.body()
        let term = try body.requiredText("search_term")
        let limit = Int(min(max(try body.integer("limit") ?? 10, 1), 50))
        let found = try await chat.read { events in
            try events.connection.people(matching: term, limit: limit + 2, chat.serverName)
        }.filter { $0.userID != call.user }
        return .object { buffer in
            buffer.member("limited", found.count > limit)
            buffer.name("results")
            buffer.array { buffer in
                for person in found.prefix(limit) {
                    buffer.object { buffer in
                        if let picture = person.avatarURL { buffer.member("avatar_url", picture) }
                        if !person.name.isEmpty { buffer.member("display_name", person.name) }
                        buffer.member("user_id", person.userID.raw)
                    }
                }
            }
        }
    }

    private func addPresence(to router: inout Router) {
        add(&router, "GET", "/presence/{userId}/status") { call in
            let user = UserID(call.path["userId"])
            let person = chat.waitingRoom.look { board in
                board.peers(of: call.user).contains(user) ? board.presence.person(user) ?? .init() : nil
            }
            guard let person else { throw MatrixError.forbidden("You do not share a room with \(user).") }
            return .object { person.writeContent(to: &$0, now: call.now) }
        }
        add(&router, "PUT", "/presence/{userId}/status") { call in
            let body = try call.own().body()
            guard let state = Presence.State(rawValue: try body.requiredText("presence")) else {
                throw MatrixError.badJSON("presence is one of online, unavailable and offline.")
            }
            let message = try body.text("status_msg")
            // Everybody who shares a room with them is sent it, again and again.
            guard message?.utf8.count ?? 0 <= Self.statusLimit else {
                throw MatrixError.invalidParameter("A status message may have 1,024 bytes.")
            }
            chat.handle(.set(state, message: message), of: call.user)
            return .emptyObject
        }
    }
}

extension ChatRoutes.Call {
    /// The call itself, where the path names the one who asks. Throws `M_FORBIDDEN` where it names somebody else.
    func own() throws(MatrixError) -> Self {
        guard UserID(path["userId"]) == user else { throw .forbidden("This belongs to somebody else.") }
        return self
    }
}
