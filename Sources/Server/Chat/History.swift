import Models
import SQLite

/// Looking back. Client-server API, "Getting events for a room".
extension Chat {
    struct PageRequest: Sendable {
        enum Direction: String, Sendable {
            case backward = "b"
            case forward = "f"
        }

        var direction: Direction
        /// Nil for the live end backwards and the beginning of the room forwards.
        var from: SyncToken?
        var to: SyncToken?
        var limit = 10
        var filter = EventFilter()
    }

    /// One page of a room's events. Pages neither overlap nor skip; the one without `end` is the last.
    func messages(in room: RoomID, _ request: PageRequest, for viewer: Viewer) async throws -> HTTPResponse {
        let newest = waitingRoom.look { $0.position }
        return try await read { events in
            let visibility = try Self.visibility(of: room, for: viewer, events.connection)
            let end = min(visibility.end, newest)
            let from = request.from?.position ?? (request.direction == .backward ? end : 0)
            let page = try HistoryPage(room, request, from: min(from, end), end: end, visibility, events)
            return try HTTPResponse.object { buffer in
                buffer.name("chunk")
                buffer.array { buffer in
                    for event in page.events { event.write(to: &buffer, for: viewer, withRoom: true) }
                }
                if let end = page.end { buffer.member("end", SyncToken.history(end)) }
                buffer.member("start", SyncToken.history(min(from, end)))
                guard request.filter.isLazy else { return }
                let members = try Self.members(of: page.events, in: room, events)
                buffer.name("state")
                buffer.array { buffer in
                    for event in members { event.write(to: &buffer, for: viewer, withRoom: true) }
                }
            }
        }
    }

    func event(_ id: EventID, in room: RoomID, for viewer: Viewer) async throws -> HTTPResponse {
        try await read { events in
            let event = try Self.visibleEvent(id, in: room, for: viewer, events)
            var buffer = JSONBuffer()
            event.write(to: &buffer, for: viewer, withRoom: true)
            return .json(200, data: buffer.data)
        }
    }

    /// An event with up to `limit` others around it, and the state at the last of them.
    func context(
        of id: EventID, in room: RoomID, limit: Int, filter: EventFilter, for viewer: Viewer
    ) async throws -> HTTPResponse {
        try await read { events in
            let event = try Self.visibleEvent(id, in: room, for: viewer, events)
            let visibility = try Self.visibility(of: room, for: viewer, events.connection)
            var request = PageRequest(direction: .backward, limit: limit / 2, filter: filter)
            let before = try HistoryPage(
                room, request, from: event.position - 1, end: visibility.end, visibility, events)
            request = PageRequest(direction: .forward, limit: limit - limit / 2, filter: filter)
            let after = try HistoryPage(room, request, from: event.position, end: visibility.end, visibility, events)
            let last = after.events.last?.position ?? event.position
            let state = try Self.state(
                of: room, at: last, around: before.events + [event] + after.events, isLazy: filter.isLazy, events)
            let first = before.events.last?.position ?? event.position
            return HTTPResponse.object { buffer in
                buffer.member("end", SyncToken.history(last))
                buffer.name("event")
                event.write(to: &buffer, for: viewer, withRoom: true)
                for (name, list) in [
                    ("events_after", after.events), ("events_before", before.events), ("state", state),
                ] {
                    buffer.name(name)
                    buffer.array { buffer in
                        for event in list { event.write(to: &buffer, for: viewer, withRoom: true) }
                    }
                }
                buffer.member("start", SyncToken.history(first - 1))
            }
        }
    }

    /// The state as it was with the event at `position`; lazily, of the members only those who sent `page`.
    private static func state(
        of room: RoomID, at position: Int64, around page: [EncodedEvent], isLazy: Bool, _ events: EventReader
    ) throws -> [EncodedEvent] {
        guard isLazy else {
            return try events.events(at: try events.connection.statePositions(room, before: position + 1))
        }
        let positions = try events.connection.statePositionsWithoutMembers(room, before: position + 1)
        return try events.events(at: positions) + members(of: page, in: room, before: position + 1, events)
    }

    static func visibility(
        of room: RoomID, for viewer: Viewer, _ connection: SQLiteConnection
    ) throws -> HistoryVisibility {
        let record = try connection.membership(of: viewer.user, in: room)
        let visibility = try HistoryVisibility(of: room, for: record, connection)
        guard visibility.isMember || visibility.isWorldReadable else { throw MatrixError.notInRoom }
        return visibility
    }

    private static func visibleEvent(
        _ id: EventID, in room: RoomID, for viewer: Viewer, _ events: EventReader
    ) throws -> EncodedEvent {
        let absent = MatrixError.notFound("There is no such event, or you may not see it.")
        guard let position = try events.connection.event(id, in: room)?.position else { throw absent }
        let record = try events.connection.membership(of: viewer.user, in: room)
        let visibility = try HistoryVisibility(of: room, for: record, events.connection)
        guard visibility.allows(position), let event = try events.event(at: position) else { throw absent }
        return event
    }

    /// The membership events of those who sent `page`.
    private static func members(
        of page: [EncodedEvent], in room: RoomID, before position: Int64 = .max, _ events: EventReader
    ) throws -> [EncodedEvent] {
        let positions = try Set(page.map(\.event.sender)).compactMap {
            try events.connection.memberPosition(room, $0, before: position)
        }
        return try events.events(at: positions.sorted())
    }
}

/// The events on one side of a place in a room's history.
struct HistoryPage {
    var events: [EncodedEvent] = []
    /// From where it goes on in the same direction; nil where it does not.
    var end: Int64?

    /// `from` and `to` are places between events: `from` itself is the newest position on its older side. Nothing
    /// after `end` shows.
    init(
        _ room: RoomID, _ request: Chat.PageRequest, from: Int64, end: Int64, _ visibility: HistoryVisibility,
        _ reader: EventReader
    ) throws {
        let isBackward = request.direction == .backward
        let bound = request.to?.position ?? (isBackward ? 0 : end)
        var (lower, upper) = isBackward ? (bound, min(from, end)) : (from, min(bound, end))
        guard !request.filter.isClosed, lower < upper else { return }
        var hasMore = false
        search: while true {
            let wanted = max(request.limit + 1 - events.count, request.filter.isOpen ? 1 : 100)
            let positions =
                isBackward
                ? try reader.connection.positions(in: room, after: lower, upTo: upper, limit: wanted)
                : try reader.connection.positionsForward(in: room, after: lower, upTo: upper, limit: wanted)
            for event in try reader.events(at: positions)
            where visibility.allows(event.position) && request.filter.passes(event.event) {
                guard events.count < request.limit else {
                    hasMore = true
                    break search
                }
                events.append(event)
            }
            guard positions.count == wanted, let last = positions.last else { break }
            if isBackward { upper = last - 1 } else { lower = last }
        }
        guard hasMore else { return }
        self.end = events.last.map { isBackward ? $0.position - 1 : $0.position } ?? from
    }
}
