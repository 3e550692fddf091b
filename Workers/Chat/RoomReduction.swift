import Models

/// One room while news is worked into it.
struct RoomReduction {
    let ownID: UserID
    var room: RoomState
    var ledger: RoomLedger

    mutating func applyJoined(_ part: MatrixShapes.JoinedRoom, _ filled: FilledGap?) {
        room.inviter = nil
        // What an invitation tells of people is how they are now, and not how they were before the timeline.
        let told = room.membership == .invite ? room.members : [:]
        if room.membership == .invite { room.members = [:] }
        // Of who comes by in the timeline Synapse tells in the state as well; there it is the standing before that counts.
        let coming = Set(part.timeline.events.compactMap(\.event_id))
        applyState(part.state.filter { event in event.event_id.map(coming.contains) != true })
        applyTimeline(part.timeline, filled)
        room.members.merge(told) { known, _ in known }
        room.membership = .join
        if let heroes = part.heroes { room.heroes = heroes.filter { $0 != ownID } }
        if let count = part.joinedCount { room.joinedCount = count }
        if let count = part.invitedCount { room.invitedCount = count }
        if let count = part.notificationCount { room.unreadCount = max(count, 0) }
        for event in part.ephemeral where event.type == "m.typing" {
            if let people = event.content.user_ids { room.typing = Set(people).subtracting([ownID]) }
        }
        for event in part.receipts { applyReceipt(event.content) }
    }

    mutating func applyInvited(_ part: MatrixShapes.InvitedRoom) {
        let wasInvited = room.membership == .invite
        let hasLeft = room.membership == .leave || room.membership == .ban
        room.membership = .invite
        room.typing = []
        applyState(part.state)
        for event in part.state where event.type == "m.room.member" && event.state_key == ownID.raw {
            room.inviter = event.sender
            // Who is asked back into a chat of two is not told again that it is one.
            room.isDirect = room.isDirect || event.content.is_direct == true
            // To come back to what one has left is one's own decision, whenever it is made.
            let isReturn = hasLeft || (wasInvited && ledger.directInviter == nil)
            ledger.directInviter = room.isDirect && !isReturn ? event.sender : nil
        }
    }

    mutating func applyLeft(_ part: MatrixShapes.LeftRoom, _ filled: FilledGap?) {
        applyState(part.state)
        applyTimeline(part.timeline, filled)
        if room.membership != .ban { room.membership = .leave }
        room.typing = []
        room.unreadCount = 0
        room.inviter = nil
    }

    /// The state as it was before the first event of the timeline.
    mutating func applyState(_ events: [MatrixShapes.Event]) {
        for event in events {
            if let id = event.event_id, !ledger.appliedState.insert(id).inserted { continue }
            applyStateEvent(event)
        }
    }

    private mutating func applyStateEvent(_ event: MatrixShapes.Event) {
        guard let key = event.state_key else { return }
        let content = event.content
        switch event.type {
        case "m.room.name": room.name = content.name.flatMap { $0.isEmpty ? nil : $0 }
        case "m.room.canonical_alias": room.canonicalAlias = content.alias.flatMap { $0.isEmpty ? nil : $0 }
        case "m.room.join_rules": room.joinRule = content.join_rule
        case "m.room.create": room.creator = content.creator ?? event.sender
        case "m.room.tombstone":
            if content.is_deleted == true {
                if room.deletion == .none { room.deletion = .marked }
            } else if let replacement = content.replacement_room, replacement != room.id, !replacement.raw.isEmpty {
                room.replacement = replacement
            }
        case "m.room.encryption": room.isEncrypted = true
        case "m.room.member":
            guard let membership = content.membership else { return }
            let person = UserID(key)
            // Not every server says again what somebody was called who goes.
            let isGone = membership == .leave || membership == .ban
            let name = content.displayname ?? (isGone ? room.members[person]?.displayName : nil)
            room.members[person] = Member(id: person, displayName: name, membership: membership)
            if person == ownID { room.membership = membership }
            if content.is_direct == true, membership == .invite || membership == .join { room.isDirect = true }
        default: break
        }
    }

    private mutating func applyReceipt(_ content: JSONValue) {
        for (event, kinds) in content.object ?? [:] {
            let isOwn = ["m.read", "m.read.private"].contains { kinds[$0]?[ownID.raw] != nil }
            if isOwn { ledger.readUpTo = EventID(event) }
        }
    }

    private mutating func applyTimeline(_ part: MatrixShapes.TimelinePart, _ filled: FilledGap?) {
        let isFirst = ledger.known.isEmpty
        var hasGap = part.limited && !isFirst
        if isFirst {
            ledger.olderPosition = part.limited ? part.prev_batch : nil
            room.timeline.hasOlder = ledger.olderPosition != nil
        }
        if hasGap, let filled {
            if let rest = filled.rest, let mark = (filled.events + part.events).compactMap(\.event_id).first {
                insertGap(above: mark, rest)
            }
            for event in filled.events { append(event, followsKnown: false) }
            hasGap = false
        }
        if hasGap, let position = part.prev_batch, let mark = part.events.compactMap(\.event_id).first {
            insertGap(above: mark, RoomLedger.Gap(position: position, end: nil))
        }
        for event in part.events { append(event) }
    }

    /// Nothing is missing where the event below the gap is known already.
    private mutating func insertGap(above mark: EventID, _ gap: RoomLedger.Gap) {
        guard !ledger.known.contains(mark) else { return }
        let id = EventID("gap above \(mark.raw)")
        guard ledger.gaps[id] == nil else { return }
        ledger.gaps[id] = gap
        room.timeline.items.append(TimelineItem(id: id, sender: ownID, timestamp: nil, content: .gap))
    }

    /// Takes the next event of the timeline, in the server's order.
    private mutating func append(_ event: MatrixShapes.Event, followsKnown: Bool = true) {
        guard let id = event.event_id, ledger.known.insert(id).inserted else { return }
        let item = item(for: event, id, followsKnown: followsKnown)
        if event.state_key != nil {
            // Once more where it came as state: those of a gap above it come in between.
            ledger.appliedState.insert(id)
            applyStateEvent(event)
        }
        if let item { room.timeline.items.append(item) }
        if let edit = Edit(event) { apply(edit) }
        applyRedaction(event)
    }
}
