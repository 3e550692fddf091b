import Models
import SQLite

/// What a room is now, for those who may know. Client-server API, "Getting events for a room".
extension Chat {
    /// The state as `viewer` may see it: as it is, or as it was when they left.
    func state(of room: RoomID, for viewer: Viewer) async throws -> HTTPResponse {
        try await read { events in
            let end = try Self.stateEnd(of: room, for: viewer, events.connection)
            let positions = try events.connection.statePositions(room, before: end)
            return try Self.list(try events.events(at: positions), for: viewer)
        }
    }

    /// How much of a state event is wanted.
    enum StateFormat: String {
        case content, event
    }

    /// One piece of state.
    func state(
        _ type: String, _ key: String, as format: StateFormat, of room: RoomID, for viewer: Viewer
    ) async throws -> HTTPResponse {
        try await read { events in
            let end = try Self.stateEnd(of: room, for: viewer, events.connection)
            let position = try events.connection.first(
                """
                SELECT position FROM events WHERE room_id = ? AND type = ? AND state_key = ? AND position < ?
                ORDER BY position DESC LIMIT 1
                """, room.raw, type, key, end
            ) { $0.integer(0) }
            guard let event = try position.flatMap({ try events.event(at: $0) }) else {
                throw MatrixError.notFound("This is not set in the room.")
            }
            guard format == .event else { return .json(200, data: .init(event.event.content)) }
            var buffer = JSONBuffer()
            event.write(to: &buffer, for: viewer, withRoom: true)
            return .json(200, data: buffer.data)
        }
    }

    /// The membership events of the room, by standing; those that held at `token`, where that is given.
    func members(
        of room: RoomID, _ wanted: String?, not unwanted: String?, at token: SyncToken?, for viewer: Viewer
    ) async throws -> HTTPResponse {
        try await read { events in
            let now = try Self.stateEnd(of: room, for: viewer, events.connection)
            let end = token.map { min($0.position + 1, now) } ?? now
            let positions = try events.connection.rows(
                """
                SELECT MAX(position) FROM events
                WHERE room_id = ? AND type = 'm.room.member' AND state_key IS NOT NULL AND position < ?
                GROUP BY state_key
                """, room.raw, end
            ) { $0.integer(0) }.sorted()
            let members = try events.events(at: positions).filter { event in
                let membership = RawObject(trusted: event.event.content)["membership"]
                return (wanted == nil || membership == wanted) && (unwanted == nil || membership != unwanted)
            }
            return HTTPResponse.object { buffer in
                buffer.name("chunk")
                buffer.array { buffer in
                    for event in members { event.write(to: &buffer, for: viewer, withRoom: true) }
                }
            }
        }
    }

    /// Names and pictures of those in the room.
    func joinedMembers(of room: RoomID, for viewer: Viewer) async throws -> HTTPResponse {
        guard record(of: viewer.user, in: room)?.membership == .join else { throw MatrixError.notInRoom }
        let users = waitingRoom.look { $0.joined(room) }.sorted()
        return try await read { events in
            try HTTPResponse.object { buffer in
                buffer.name("joined")
                try buffer.object { buffer in
                    for user in users {
                        let content = try events.connection.stateContent(room, "m.room.member", user.raw)
                        buffer.name(user.raw)
                        buffer.object { buffer in
                            if let picture = content?["avatar_url"] { buffer.member("avatar_url", picture) }
                            if let name = content?["displayname"] { buffer.member("display_name", name) }
                        }
                    }
                }
            }
        }
    }

    private static func list(_ events: [EncodedEvent], for viewer: Viewer) throws -> HTTPResponse {
        var buffer = JSONBuffer(capacity: 512 * events.count)
        buffer.array { buffer in
            for event in events { event.write(to: &buffer, for: viewer, withRoom: true) }
        }
        return .json(200, data: buffer.data)
    }

    /// The position before which state shows to `viewer`.
    private static func stateEnd(
        of room: RoomID, for viewer: Viewer, _ connection: SQLiteConnection
    ) throws -> Int64 {
        let end = try visibility(of: room, for: viewer, connection).end
        return end == .max ? .max : end + 1
    }
}
