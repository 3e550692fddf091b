import Models

/// Coming, going, and being made to.
extension ChatRoutes {
    func addMembership(to router: inout Router) {
        add(&router, "POST", "/join/{roomId}") { try await join($0) }
        add(&router, "POST", "/rooms/{roomId}/join") { try await join($0) }
        add(&router, "POST", "/rooms/{roomId}/leave") { call in
            let reason = try call.body().text("reason")
            try await chat.write { [room = call.room, user = call.user] in
                try $0.leave(room, by: user, reason: reason)
            }
            return .emptyObject
        }
        add(&router, "POST", "/rooms/{roomId}/forget") { call in
            try await chat.write { [room = call.room, user = call.user] in try $0.forget(room, by: user) }
            return .emptyObject
        }
        addTargeted(&router, "invite") { try $0.change($2, to: .invite, in: $1, by: $3, reason: $4) }
        addTargeted(&router, "kick") { try $0.kick($2, from: $1, by: $3, reason: $4) }
        addTargeted(&router, "ban") { try $0.change($2, to: .ban, in: $1, by: $3, reason: $4) }
        addTargeted(&router, "unban") { try $0.unban($2, in: $1, by: $3, reason: $4) }
    }

    private typealias Change = @Sendable (ChatTransaction, RoomID, UserID, UserID, String?) throws -> Void

    /// A route whose body names the person whose standing is to change.
    private func addTargeted(_ router: inout Router, _ verb: String, _ change: @escaping Change) {
        add(&router, "POST", "/rooms/{roomId}/\(verb)") { call in
            let body = try call.body()
            let target = UserID(try body.requiredText("user_id"))
            let reason = try body.text("reason")
            guard target.isWellFormed else { throw MatrixError.invalidParameter("\(target) is no user id.") }
            try await chat.write { [room = call.room, user = call.user] transaction in
                guard try transaction.membership(of: user, in: room)?.membership == .join else {
                    throw MatrixError.notInRoom
                }
                try transaction.requireAccount(target)
                try change(transaction, room, target, user, reason)
            }
            chat.handle(.acted, of: call.user)
            return .emptyObject
        }
    }

    private func join(_ call: Call) async throws -> HTTPResponse {
        let reason = try call.body().text("reason")
        let name = call.path["roomId"]
        let room = try await chat.write { [user = call.user] transaction in
            var room = RoomID(name)
            if name.hasPrefix("#") {
                guard let found = try transaction.connection.room(for: name, seenBy: user) else {
                    throw MatrixError.noRoom(name)
                }
                room = found
            }
            try transaction.join(room, by: user, reason: reason)
            return room
        }
        chat.handle(.acted, of: call.user)
        return .json(200, MatrixShapes.RoomIDAnswer(room_id: room))
    }
}
