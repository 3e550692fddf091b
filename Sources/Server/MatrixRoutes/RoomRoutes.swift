import Models

/// Making rooms and finding out about them.
extension ChatRoutes {
    func addRooms(to router: inout Router) {
        add(&router, "POST", "/createRoom") { call in
            let creation = try RoomCreation(body: try call.body())
            let room = try await chat.write { [user = call.user] in try $0.create(creation, by: user) }
            return .json(200, MatrixShapes.RoomIDAnswer(room_id: room))
        }
        add(&router, "GET", "/joined_rooms") { call in
            let rooms = chat.joinedRooms(of: call.user).sorted()
            return .json(200, ["joined_rooms": rooms])
        }
        add(&router, "GET", "/rooms/{roomId}/joined_members") {
            try await chat.joinedMembers(of: $0.room, for: $0.viewer)
        }
        add(&router, "GET", "/rooms/{roomId}/members") { call in
            try await chat.members(
                of: call.room, call.request.query("membership"), not: call.request.query("not_membership"),
                at: call.request.query("at").flatMap { SyncToken($0) }, for: call.viewer)
        }
        add(&router, "GET", "/rooms/{roomId}/state") { try await chat.state(of: $0.room, for: $0.viewer) }
        for pattern in ["/rooms/{roomId}/state/{type}", "/rooms/{roomId}/state/{type}/{key}"] {
            add(&router, "GET", pattern) { call in
                let format = call.request.query("format") ?? "content"
                guard let format = Chat.StateFormat(rawValue: format) else {
                    throw MatrixError.invalidParameter("format is either content or event.")
                }
                return try await chat.state(
                    call.path["type"], call.path["key"], as: format, of: call.room, for: call.viewer)
            }
            add(&router, "PUT", pattern) { try await setState($0) }
        }
        add(&router, "GET", "/rooms/{roomId}/aliases") { call in
            let aliases = try await chat.read { events in
                guard try events.connection.membership(of: call.user, in: call.room)?.membership == .join else {
                    throw MatrixError.notInRoom
                }
                return try events.connection.aliases(of: call.room)
            }
            return .json(200, ["aliases": aliases])
        }
    }

    private func setState(_ call: Call) async throws -> HTTPResponse {
        let content = try call.object()
        let (type, key) = (call.path["type"], call.path["key"])
        let id = try await chat.write { [room = call.room, user = call.user] in
            try $0.setState(type, key, content, in: room, by: user)
        }
        chat.handle(.acted, of: call.user)
        return .json(200, MatrixShapes.EventIDAnswer(event_id: id))
    }
}

extension RoomCreation {
    /// Reads the body of `POST /createRoom`.
    init(body: MatrixBody) throws {
        self.init()
        try readVisibility(body)
        name = try body.text("name").flatMap { $0.isEmpty ? nil : $0 }
        topic = try body.text("topic").flatMap { $0.isEmpty ? nil : $0 }
        aliasName = try body.text("room_alias_name")
        isDirect = try body.flag("is_direct") ?? false
        version = try body.text("room_version") ?? version
        invitees = try (body.list("invite") ?? []).map { item in
            guard let id = item.string, UserID(id).isWellFormed else {
                throw MatrixError.invalidParameter("invite has to be a list of user ids.")
            }
            return UserID(id)
        }
        initialState = try (body.list("initial_state") ?? []).map(Self.state)
        powerOverride = try body.object("power_level_content_override")?.fields ?? [:]
        creationContent = try body.object("creation_content")?.fields ?? [:]
        for content in [powerOverride, creationContent] {
            _ = try RawObject(matrix: JSONValue.object(content).serialized())
        }
    }

    private mutating func readVisibility(_ body: MatrixBody) throws(MatrixError) {
        switch try body.text("visibility") {
        case "public": isListed = true
        case "private", nil: isListed = false
        default: throw .invalidParameter("visibility is either public or private.")
        }
        guard let text = try body.text("preset") else {
            preset = isListed ? .publicChat : .privateChat
            return
        }
        guard let known = Preset(rawValue: text) else { throw .invalidParameter("There is no preset \(text).") }
        preset = known
    }

    private static func state(_ value: JSONValue) throws -> State {
        guard let type = value["type"]?.string, let content = value["content"], content.object != nil else {
            throw MatrixError.badJSON("Each piece of initial_state needs a type and a content.")
        }
        let key = value["state_key"] ?? ""
        guard let key = key.isNull ? "" : key.string else { throw MatrixError.badJSON("A state_key has to be text.") }
        return State(type: type, key: key, content: try RawObject(matrix: content.serialized()))
    }
}
