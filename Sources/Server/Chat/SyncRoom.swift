import Models
import SQLite

/// What one sync tells of one room.
struct SyncRoom {
    private let sync: SyncReader
    private let room: SyncPlan.Room

    init(_ sync: SyncReader, _ room: SyncPlan.Room) {
        self.sync = sync
        self.room = room
    }

    private struct Timeline {
        /// Oldest first.
        var events: [EncodedEvent]
        var isLimited: Bool
        /// Where the timeline starts: state before it is told apart from it.
        var start: Int64
    }

    private var since: Int64 { sync.plan.since?.position ?? 0 }

    /// Whether the person was not in the room as far as their client knows.
    private var isNew: Bool { sync.plan.since == nil || room.record.joinedAt > since }

    /// Nil where nothing passes the filter.
    func joined(_ data: [SQLiteConnection.AccountDatum]) throws -> [UInt8]? {
        let end = sync.plan.upTo.position
        let timeline = try timeline(after: isNew ? 0 : since, upTo: end)
        let summary = room.hasNewStandings || isNew ? sync.chat.summary(of: room.id, for: sync.viewer.user) : nil
        let isWhole = isNew || sync.fullState
        let state = try state(timeline, upTo: end, isWhole: isWhole, heroes: isWhole ? summary?.heroes ?? [] : [])
        let receipts = try receipts(upTo: end)
        let typing = room.typing.flatMap { passesTyping ? $0 : nil }
        let data = data.filter { sync.filter.roomAccountData.passes(type: $0.type, room: room.id) }
        let hasOwnReceipt = receipts.contains { $0.user == sync.viewer.user }
        let shown = sync.filter.ephemeral.passes(type: "m.receipt", room: room.id) ? receipts : []
        let hasNews =
            isWhole || !timeline.events.isEmpty || !state.isEmpty || !shown.isEmpty || hasOwnReceipt || typing != nil
            || !data.isEmpty
        guard hasNews else { return nil }
        let unread = try sync.chat.unread.counts(
            in: room.id, of: sync.viewer.user, name: sync.name, joinedAt: room.record.joinedAt, upTo: end,
            sync.events)
        var buffer = JSONBuffer(capacity: 1_024 + 512 * (timeline.events.count + state.count))
        buffer.object { buffer in
            if !data.isEmpty {
                buffer.name("account_data")
                buffer.events { buffer in for datum in data { buffer.event(datum.type, datum.content) } }
            }
            write(typing, shown, to: &buffer)
            write(state, timeline, to: &buffer)
            if let summary { write(summary, to: &buffer) }
            buffer.name("unread_notifications")
            buffer.object { buffer in
                buffer.member("highlight_count", unread.highlights)
                buffer.member("notification_count", unread.notifications)
            }
        }
        return buffer.bytes
    }

    /// The stripped state that lets somebody decide whether to join.
    func invited() throws -> [UInt8] {
        let connection = sync.events.connection
        let types = [
            "m.room.create", "m.room.name", "m.room.avatar", "m.room.topic", "m.room.join_rules",
            "m.room.canonical_alias",
        ]
        var positions = try types.compactMap { try connection.statePosition(room.id, $0) }
        let invitation = try sync.events.event(at: room.record.position)
        if let inviter = invitation?.event.sender, inviter != sync.viewer.user,
            let position = try connection.memberPosition(room.id, inviter, before: .max)
        {
            positions.append(position)
        }
        var buffer = JSONBuffer()
        try buffer.object { buffer in
            buffer.name("invite_state")
            try buffer.events { buffer in
                for event in try sync.events.events(at: positions) { event.writeStripped(to: &buffer) }
                invitation?.writeStripped(to: &buffer)
            }
        }
        return buffer.bytes
    }

    /// What happened up to and with the end of the person's stay; of a rejected invitation, only that.
    func left() throws -> [UInt8]? {
        let end = room.record.position
        let wasJoined = room.record.hasJustLeft
        let start = wasJoined ? (isNew ? 0 : since) : end - 1
        var timeline = try timeline(after: start, upTo: end)
        if !wasJoined { timeline.isLimited = false }
        let isWhole = wasJoined && (isNew || sync.fullState)
        let state = wasJoined ? try state(timeline, upTo: end, isWhole: isWhole, heroes: []) : []
        guard !timeline.events.isEmpty || !state.isEmpty else { return nil }
        var buffer = JSONBuffer()
        buffer.object { write(state, timeline, to: &$0) }
        return buffer.bytes
    }

    private var passesTyping: Bool { sync.filter.ephemeral.passes(type: "m.typing", room: room.id) }

    private func timeline(after start: Int64, upTo end: Int64) throws -> Timeline {
        let filter = sync.filter.timeline
        guard !filter.isClosed, isNew || room.hasNewEvents || room.record.membership != .join else {
            return Timeline(events: [], isLimited: false, start: end + 1)
        }
        let limit = filter.limit ?? SyncReader.timelineLimit
        let visibility = try start >= room.record.joinedAt ? nil : visibility()
        var found: [EncodedEvent] = []
        var upper = end
        while found.count <= limit {
            let wanted = filter.isOpen ? limit + 1 - found.count : max(limit + 1, 100)
            let positions = try sync.events.connection.positions(
                in: room.id, after: start, upTo: upper, limit: wanted)
            for event in try sync.events.events(at: positions)
            where filter.passes(event.event) && visibility?.allows(event.position) ?? true {
                found.append(event)
            }
            guard positions.count == wanted, let last = positions.last else { break }
            upper = last - 1
        }
        let events = Array(found.prefix(limit).reversed())
        return Timeline(
            events: events, isLimited: found.count > limit, start: events.first?.position ?? end + 1)
    }

    private func visibility() throws -> HistoryVisibility {
        try HistoryVisibility(of: room.id, for: room.record, sync.events.connection)
    }

    private func state(
        _ timeline: Timeline, upTo end: Int64, isWhole: Bool, heroes: [UserID]
    ) throws -> [EncodedEvent] {
        let filter = sync.filter.state
        guard !filter.isClosed else { return [] }
        let connection = sync.events.connection
        var positions: Set<Int64> = []
        if isWhole {
            positions.formUnion(
                filter.isLazy
                    ? try connection.statePositionsWithoutMembers(room.id, before: timeline.start)
                    : try connection.statePositions(room.id, before: timeline.start))
        } else if timeline.isLimited || !sync.filter.timeline.isOpen,
            room.hasNewEvents || end != sync.plan.upTo.position
        {
            // Where the filter keeps state out of the timeline, what changed during the timeline is told here too.
            let until = sync.filter.timeline.isOpen ? timeline.start : end + 1
            let shown = Set(timeline.events.map(\.position))
            positions.formUnion(
                try connection.stateChanges(room.id, after: since, before: until).filter { !shown.contains($0) })
        }
        if filter.isLazy {
            var needed = Set(timeline.events.map(\.event.sender))
            if isWhole { needed.formUnion(heroes + [sync.viewer.user]) }
            for user in needed {
                if let position = try connection.memberPosition(room.id, user, before: timeline.start) {
                    positions.insert(position)
                }
            }
        }
        return try sync.events.events(at: positions.sorted()).filter { filter.passes($0.event) }
    }

    private func receipts(upTo end: Int64) throws -> [SQLiteConnection.Receipt] {
        guard isNew || room.hasNewReceipts || sync.fullState else { return [] }
        return try sync.events.connection.receipts(
            in: room.id, after: isNew || sync.fullState ? 0 : since, upTo: end, for: sync.viewer.user)
    }

    private func write(_ typing: [UserID]?, _ receipts: [SQLiteConnection.Receipt], to buffer: inout JSONBuffer) {
        guard typing != nil || !receipts.isEmpty else { return }
        buffer.name("ephemeral")
        buffer.events { buffer in
            if let typing {
                buffer.object { buffer in
                    buffer.name("content")
                    buffer.object { buffer in
                        buffer.name("user_ids")
                        buffer.array { buffer in for user in typing { buffer.string(user.raw) } }
                    }
                    buffer.member("type", "m.typing")
                }
            }
            if !receipts.isEmpty { Self.write(receipts, to: &buffer) }
        }
    }

    /// One event of the form event id → kind → reader → time.
    private static func write(_ receipts: [SQLiteConnection.Receipt], to buffer: inout JSONBuffer) {
        var tree: [String: [String: [(UserID, Timestamp)]]] = [:]
        for receipt in receipts {
            tree[receipt.eventID.raw, default: [:]][receipt.kind, default: []].append((receipt.user, receipt.readAt))
        }
        buffer.object { buffer in
            buffer.name("content")
            buffer.object { buffer in
                for (event, kinds) in tree.sorted(by: { $0.key < $1.key }) {
                    buffer.name(event)
                    buffer.object { buffer in
                        for (kind, readers) in kinds.sorted(by: { $0.key < $1.key }) {
                            buffer.name(kind)
                            buffer.object { buffer in
                                for (user, time) in readers {
                                    buffer.name(user.raw)
                                    buffer.object { $0.member("ts", time.milliseconds) }
                                }
                            }
                        }
                    }
                }
            }
            buffer.member("type", "m.receipt")
        }
    }

    private func write(_ state: [EncodedEvent], _ timeline: Timeline, to buffer: inout JSONBuffer) {
        if !state.isEmpty {
            buffer.name("state")
            buffer.events { buffer in
                for event in state { write(event, to: &buffer) }
            }
        }
        buffer.name("timeline")
        buffer.object { buffer in
            buffer.name("events")
            buffer.array { buffer in
                for event in timeline.events { write(event, to: &buffer) }
            }
            buffer.member("limited", timeline.isLimited)
            buffer.member("prev_batch", SyncToken.history(timeline.start - 1))
        }
    }

    private func write(_ event: EncodedEvent, to buffer: inout JSONBuffer) {
        guard let fields = sync.filter.fields else {
            return event.write(to: &buffer, for: sync.viewer, withRoom: false)
        }
        var whole = JSONBuffer()
        event.write(to: &whole, for: sync.viewer, withRoom: false)
        buffer.raw(EventFields.project(whole.bytes, onto: fields))
    }

    private func write(_ summary: RoomSummary, to buffer: inout JSONBuffer) {
        buffer.name("summary")
        buffer.object { buffer in
            buffer.name("m.heroes")
            buffer.array { buffer in for hero in summary.heroes { buffer.string(hero.raw) } }
            buffer.member("m.invited_member_count", summary.invitedCount)
            buffer.member("m.joined_member_count", summary.joinedCount)
        }
    }
}

extension SQLiteConnection {
    /// The positions of the events of `room` after `start` and up to `end`, newest first.
    func positions(in room: RoomID, after start: Int64, upTo end: Int64, limit: Int) throws -> [Int64] {
        try rows(
            """
            SELECT position FROM events WHERE room_id = ? AND position > ? AND position <= ?
            ORDER BY position DESC LIMIT ?
            """, room.raw, start, end, limit
        ) { $0.integer(0) }
    }

    /// The same, oldest first.
    func positionsForward(in room: RoomID, after start: Int64, upTo end: Int64, limit: Int) throws -> [Int64] {
        try rows(
            """
            SELECT position FROM events WHERE room_id = ? AND position > ? AND position <= ?
            ORDER BY position LIMIT ?
            """, room.raw, start, end, limit
        ) { $0.integer(0) }
    }
}
