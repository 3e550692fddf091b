import Models

/// Names of rooms, and the public list.
extension ChatRoutes {
    func addDirectory(to router: inout Router) {
        addOpen(&router, "GET", "/directory/room/{alias}") { _, path, who in
            let alias = path["alias"]
            guard Alias.isWellFormed(alias) else { throw MatrixError.invalidParameter("\(alias) is no room alias.") }
            guard let room = try await chat.read({ try $0.connection.room(for: alias, seenBy: who?.userID) }) else {
                throw MatrixError.noRoom(alias)
            }
            return .object { buffer in
                buffer.member("room_id", room.raw)
                buffer.name("servers")
                buffer.array { $0.string(chat.serverName) }
            }
        }
        add(&router, "PUT", "/directory/room/{alias}") { call in
            let room = RoomID(try call.body().requiredText("room_id"))
            try await chat.write { [alias = call.path["alias"], user = call.user] in
                try $0.setAlias(alias, to: room, by: user)
            }
            return .emptyObject
        }
        add(&router, "DELETE", "/directory/room/{alias}") { call in
            try await chat.write { [alias = call.path["alias"], user = call.user] in
                try $0.removeAlias(alias, by: user)
            }
            return .emptyObject
        }
        addOpen(&router, "GET", "/directory/list/room/{roomId}") { _, path, who in
            try await visibility(of: RoomID(path["roomId"]), to: who)
        }
        add(&router, "PUT", "/directory/list/room/{roomId}") { call in
            let visibility = try call.body().text("visibility") ?? "public"
            guard ["public", "private"].contains(visibility) else {
                throw MatrixError.invalidParameter("visibility is either public or private.")
            }
            try await chat.write { [room = call.room, user = call.user] in
                try $0.list(room, visibility == "public", by: user)
            }
            return .emptyObject
        }
        addPublicRooms(to: &router)
    }

    /// A room that is not listed exists for those in it only.
    private func visibility(of room: RoomID, to who: Authenticated?) async throws -> HTTPResponse {
        let isListed = try await chat.read { try $0.connection.isListed(room) }
        if isListed == false {
            let standing = who.flatMap { chat.record(of: $0.userID, in: room)?.membership }
            guard standing == .join else { throw MatrixError.notFound("There is no such room.") }
        }
        guard let isListed else { throw MatrixError.notFound("There is no such room.") }
        return .json(200, ["visibility": isListed ? "public" : "private"])
    }

    private func addPublicRooms(to router: inout Router) {
        addOpen(&router, "GET", "/publicRooms") { request, _, _ in
            let limit = try request.number("limit")
            return try await publicRooms(limit: limit, since: request.query("since"), term: "")
        }
        add(&router, "POST", "/publicRooms") { call in
            let body = try call.body()
            let term = try body.object("filter")?.text("generic_search_term") ?? ""
            return try await publicRooms(
                limit: try body.integer("limit").map { Int(clamping: $0) }, since: try body.text("since"), term: term)
        }
    }

    /// One page of the list; its tokens are `n` and how many rooms come before.
    private func publicRooms(limit: Int?, since: String?, term: String) async throws -> HTTPResponse {
        let wanted = term.lowercased()
        let rooms = try await chat.read { [name = chat.serverName] in try $0.connection.listedRooms(of: name) }.filter {
            $0.matches(wanted)
        }
        var start = 0
        if let since, !since.isEmpty {
            guard since.hasPrefix("n"), let number = Int(since.dropFirst()), number >= 0 else {
                throw MatrixError.invalidParameter("since is no token of this list.")
            }
            start = min(number, rooms.count)
        }
        let size = min(max(limit ?? 100, 1), 500)
        let end = min(start + size, rooms.count)
        return .object { buffer in
            buffer.name("chunk")
            buffer.array { buffer in for room in rooms[start..<end] { room.write(to: &buffer) } }
            if end < rooms.count { buffer.member("next_batch", "n\(end)") }
            if start > 0 { buffer.member("prev_batch", "n\(max(0, start - size))") }
            buffer.member("total_room_count_estimate", rooms.count)
        }
    }
}
