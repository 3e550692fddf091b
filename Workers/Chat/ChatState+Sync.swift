import Models

/// Events that were fetched to close a gap before a batch is applied, oldest first.
struct FilledGap: Equatable, Sendable {
    var events: [MatrixShapes.Event] = []
    /// What could not be fetched; nil where all was.
    var rest: RoomLedger.Gap?
}

extension ChatLedger {
    /// Applies a whole batch of news, one part after the other.
    mutating func apply(
        _ sync: MatrixShapes.Sync, filled: [RoomID: FilledGap] = [:], partSize: Int = MatrixShapes.Sync.partSize,
        now: Timestamp
    ) -> Set<ChatUpdate.Change> {
        var changes = begin(sync)
        for part in sync.parts(of: partSize) { changes.formUnion(apply(sync.rooms(in: part), filled: filled)) }
        return changes.union(finish(sync, now: now))
    }

    /// Applies what a batch tells that its rooms are seen by, before they are: which are the direct chats.
    mutating func begin(_ sync: MatrixShapes.Sync) -> Set<ChatUpdate.Change> {
        sync.account_data.reduce(into: []) { $0.formUnion(applyAccountData($1)) }
    }

    /// Those that one is in or invited to, as far as is known here, and that are not in `sync`.
    func rooms(notIn sync: MatrixShapes.Sync) -> [RoomID] {
        let present = Set(sync.joinedRooms + sync.invitedRooms)
        return state.rooms.values.filter { room in
            (room.membership == .join || room.membership == .invite) && !present.contains(room.id)
        }.map(\.id)
    }

    /// One is in none of these any more. A room that no batch has brought yet may be a new contact's: that stays.
    mutating func leave(_ rooms: [RoomID]) -> Set<ChatUpdate.Change> {
        let brought = rooms.filter { id in
            state.rooms[id]?.membership == .invite || self.rooms[id]?.known.isEmpty == false
                || self.rooms[id]?.appliedState.isEmpty == false
        }
        return brought.reduce(into: []) { changes, id in
            changes.formUnion(change(id) { $0.applyLeft(MatrixShapes.LeftRoom(), nil) })
        }
    }

    /// Applies a part of a batch. `filled` has what was fetched for rooms whose timeline in it is `limited`.
    mutating func apply(
        _ rooms: MatrixShapes.SyncRooms, filled: [RoomID: FilledGap] = [:]
    ) -> Set<ChatUpdate.Change> {
        var changes: Set<ChatUpdate.Change> = []
        for room in rooms.joined {
            changes.formUnion(change(room.id) { $0.applyJoined(room.news, filled[room.id]) })
            if state.hasSynced, takeAnnouncements(in: room.news, of: room.id, filled[room.id]) {
                changes.insert(.channels)
            }
        }
        for room in rooms.invited { changes.formUnion(change(room.id) { $0.applyInvited(room.news) }) }
        for room in rooms.left where state.rooms[room.id] != nil {
            changes.formUnion(change(room.id) { $0.applyLeft(room.news, filled[room.id]) })
        }
        return changes
    }

    /// Applies what else a batch tells, once all of its rooms have been applied.
    mutating func finish(_ sync: MatrixShapes.Sync, now: Timestamp) -> Set<ChatUpdate.Change> {
        var changes = takeStoredPresences()
        for event in sync.presence { changes.formUnion(applyPresence(event, now)) }
        if !state.hasSynced {
            state.hasSynced = true
            changes.insert(.synced)
        }
        return changes
    }

    /// Whether the public list is another now, or may be: what was announced in a gap nobody knows.
    private mutating func takeAnnouncements(
        in part: MatrixShapes.JoinedRoom, of room: RoomID, _ filled: FilledGap?
    ) -> Bool {
        // In any other room anybody could say so.
        guard state.generalRoom?.id == room else { return false }
        // Of one's own, this client or another of one's own knows already.
        let announcements = ((filled?.events ?? []) + part.timeline.events).filter { event in
            event.type == ChannelAnnouncement.type && event.sender != state.ownID
        }
        for event in announcements {
            if let deleted = event.content.deleted_room { note(deleted, deletedBy: event.sender) }
        }
        return !announcements.isEmpty || (part.timeline.limited && filled?.rest != nil)
    }

    /// The oldest make room for the newest.
    private mutating func note(_ room: RoomID, deletedBy person: UserID?) {
        guard let person, room.raw.utf8.count <= Self.longestID else { return }
        if state.deletionsAnnounced.updateValue(person, forKey: room) == nil { announcedDeletions.append(room) }
        guard announcedDeletions.count > Self.announcedDeletionsKept else { return }
        state.deletionsAnnounced[announcedDeletions.removeFirst()] = nil
    }

    /// Works on one room, and tells what became different in it.
    mutating func change(_ id: RoomID, _ body: (inout RoomReduction) -> Void) -> Set<ChatUpdate.Change> {
        let before = state.rooms[id]
        unsaved.note(id, before, rooms[id])
        var reduction = RoomReduction(
            ownID: state.ownID, room: before ?? RoomState(id: id, membership: .join),
            ledger: rooms.removeValue(forKey: id) ?? RoomLedger())
        body(&reduction)
        state.rooms[id] = reduction.room
        rooms[id] = reduction.ledger
        guard let before else { return [.room(id), .timeline(id)] }
        return Self.differences(before, reduction.room)
    }

    private static func differences(_ before: RoomState, _ after: RoomState) -> Set<ChatUpdate.Change> {
        guard before != after else { return [] }
        var changes: Set<ChatUpdate.Change> = []
        if before.timeline != after.timeline { changes.insert(.timeline(after.id)) }
        if before.typing != after.typing { changes.insert(.typing(after.id)) }
        var rest = before
        rest.timeline = after.timeline
        rest.typing = after.typing
        let isNews = before.timeline.items.last != after.timeline.items.last
        if rest != after || isNews { changes.insert(.room(after.id)) }
        return changes
    }

    private mutating func applyPresence(_ event: MatrixShapes.Event, _ now: Timestamp) -> Set<ChatUpdate.Change> {
        guard event.type == "m.presence", let person = event.sender, let presence = event.content.presence else {
            return []
        }
        var new = Presence(state: presence)
        if event.content.currently_active == true {
            new.lastActiveAt = now
        } else if let ago = event.content.last_active_ago, ago >= 0 {
            new.lastActiveAt = now + .milliseconds(-ago)
        } else {
            new.lastActiveAt = state.presences[person]?.lastActiveAt
        }
        guard state.presences[person] != new else { return [] }
        state.presences[person] = new
        unsaved.presences.insert(person)
        return [.presence(person)]
    }

    private mutating func applyAccountData(_ event: MatrixShapes.MapEvent) -> Set<ChatUpdate.Change> {
        guard event.type == DirectRooms.type, event.content.object != nil else { return [] }
        let direct = DirectRooms(event.content).byPerson
        guard direct != state.directRooms else { return [] }
        state.directRooms = direct
        unsaved.hasDirectRooms = true
        return [.contacts]
    }
}
