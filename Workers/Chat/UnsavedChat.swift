import Models

/// What has changed since the chat was last taken to be stored: of rooms, how they were then.
struct UnsavedChat: Equatable, Sendable {
    /// By room; nil where nothing of the room is stored.
    var rooms: [RoomID: RoomSnapshot?] = [:]
    var presences: Set<UserID> = []
    var hasDirectRooms = false

    var isEmpty: Bool { rooms.isEmpty && presences.isEmpty && !hasDirectRooms }

    /// The room is about to change.
    mutating func note(_ id: RoomID, _ room: RoomState?, _ ledger: RoomLedger?) {
        guard rooms[id] == nil, ledger?.isPartial != true else { return }
        rooms[id] = .some(room.flatMap { room in ledger.map { RoomSnapshot(room: room, ledger: $0) } })
    }

    /// These were taken and could not be stored: they are how it was, whatever has been noted since.
    mutating func putBack(_ taken: UnsavedChat) {
        rooms.merge(taken.rooms) { _, earlier in earlier }
        presences.formUnion(taken.presences)
        hasDirectRooms = hasDirectRooms || taken.hasDirectRooms
    }
}

extension ChatLedger {
    /// What is to be stored, oldest first where order matters. The caller takes `unsaved` itself.
    func changes(since before: UnsavedChat) -> StoreChanges {
        var changes = StoreChanges()
        for (id, snapshot) in before.rooms.sorted(by: { $0.key < $1.key }) {
            guard let room = state.rooms[id], let ledger = rooms[id], !ledger.isPartial else { continue }
            if let change = RoomChanges(from: snapshot, to: RoomSnapshot(room: room, ledger: ledger)) {
                changes.rooms.append(change)
            }
        }
        changes.presences = state.presences.filter { before.presences.contains($0.key) }
        if before.hasDirectRooms { changes.directRooms = state.directRooms }
        return changes
    }

    /// Takes up what was stored: enough for lists. Whether people are there is not known before the first batch.
    mutating func restore(_ chat: StoredChat) {
        for room in chat.rooms {
            state.rooms[room.id] = room
            rooms[room.id] = RoomLedger(isPartial: true)
        }
        state.directRooms = chat.directRooms
        storedPresences = chat.presences
        state.presences = chat.presences.mapValues { Presence(state: .offline, lastActiveAt: $0.lastActiveAt) }
        state.hasSynced = chat.position != nil
    }

    /// Takes up the rest of one room, which its news and its reader need.
    mutating func complete(_ id: RoomID, with stored: StoredTimeline) -> Set<ChatUpdate.Change> {
        guard rooms[id]?.isPartial == true else { return [] }
        rooms[id] = stored.ledger
        rooms[id]?.hasStoredOlder = stored.hasOlder
        state.rooms[id]?.timeline.items = stored.items
        state.rooms[id]?.timeline.hasOlder = stored.hasOlder || stored.ledger.olderPosition != nil
        for member in stored.members where state.rooms[id]?.members[member.id] == nil {
            state.rooms[id]?.members[member.id] = member
        }
        return [.room(id), .timeline(id)]
    }

    /// Lets go of what the store has of the room and lists do not need: it is as `restore` has left it. Nothing of it may
    /// be unsaved.
    mutating func fold(_ id: RoomID) {
        guard let timeline = state.rooms[id]?.timeline, let ledger = rooms[id], !ledger.isPartial else { return }
        rooms[id] = RoomLedger(directInviter: ledger.directInviter, isPartial: true)
        state.rooms[id]?.timeline.items = timeline.newestMessage.map { [$0] } ?? []
        state.rooms[id]?.timeline.hasOlder = true
    }

    /// Puts what the store had above the first item there.
    mutating func prepend(_ page: StoredPage, in id: RoomID) -> Set<ChatUpdate.Change> {
        change(id) { reduction in
            reduction.room.timeline.items.insert(contentsOf: page.items, at: 0)
            reduction.ledger.hasStoredOlder = page.hasOlder
            reduction.room.timeline.hasOlder = page.hasOlder || reduction.ledger.olderPosition != nil
        }
    }

    /// The first batch has come: whom it does not speak of is as they were.
    mutating func takeStoredPresences() -> Set<ChatUpdate.Change> {
        defer { storedPresences = [:] }
        var changes: Set<ChatUpdate.Change> = []
        for (person, presence) in storedPresences where state.presences[person] != presence {
            state.presences[person] = presence
            changes.insert(.presence(person))
        }
        return changes
    }
}
