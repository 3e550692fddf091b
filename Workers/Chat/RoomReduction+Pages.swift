import Models

/// Older events, fetched page by page.
extension RoomReduction {
    /// Puts a page of older events, newest first, above all that is known.
    mutating func prependOlder(_ page: MatrixShapes.Messages) {
        learnMembers(page.state)
        insert(page.chunk.reversed(), below: nil)
        ledger.olderPosition = page.end
        room.timeline.hasOlder = page.end != nil
    }

    /// Puts what was fetched, oldest first, in the place of the gap; the gap stays above it where some is still missing.
    mutating func fill(_ gap: EventID, with filled: FilledGap) {
        ledger.gaps[gap] = filled.rest
        insert(filled.events, below: gap)
        if filled.rest == nil { room.timeline.items.removeAll { $0.id == gap } }
    }

    /// Events from the past, oldest first: below a gap, or above everything. They show as lines but leave the room's state alone: that is newer.
    private mutating func insert(_ events: [MatrixShapes.Event], below gap: EventID?) {
        var arrived: [(event: MatrixShapes.Event, id: EventID)] = []
        for event in events {
            guard let id = event.event_id, ledger.known.insert(id).inserted else { continue }
            arrived.append((event, id))
        }
        // Newest first, and what is known of later ones stays.
        for (event, _) in arrived.reversed() {
            applyRedaction(event)
            if let edit = Edit(event), ledger.edits[edit.key] == nil { apply(edit) }
            if event.type == "m.room.member", let key = event.state_key { learnFormerName(of: UserID(key), event) }
        }
        let items = arrived.compactMap { item(for: $0.event, $0.id, followsKnown: false) }
        let above = gap.flatMap { gap in room.timeline.items.firstIndex { $0.id == gap } }
        room.timeline.items.insert(contentsOf: items, at: above.map { $0 + 1 } ?? 0)
    }

    /// What somebody was called who has left since, where nothing newer says so.
    private mutating func learnFormerName(of person: UserID, _ event: MatrixShapes.Event) {
        guard let member = room.members[person], member.displayName == nil,
            member.membership == .leave || member.membership == .ban
        else { return }
        room.members[person]?.displayName = event.content.displayname
    }

    /// Who wrote old messages; what is known of a member already is newer.
    private mutating func learnMembers(_ events: [MatrixShapes.Event]) {
        for event in events where event.type == "m.room.member" {
            guard let key = event.state_key, let membership = event.content.membership else { continue }
            let person = UserID(key)
            if room.members[person] == nil {
                room.members[person] = Member(
                    id: person, displayName: event.content.displayname, membership: membership)
            } else {
                learnFormerName(of: person, event)
            }
        }
    }
}
