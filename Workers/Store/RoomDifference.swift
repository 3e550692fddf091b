import Models

/// One room as it was when it was last taken to be stored.
struct RoomSnapshot: Equatable, Sendable {
    var room: RoomState
    var ledger: RoomLedger
}

extension RoomChanges {
    /// What must be stored of a room that was `before`; nil where nothing must be. Typing, and one's own messages on their
    /// way, are not the room's to store.
    init?(from before: RoomSnapshot?, to after: RoomSnapshot) {
        var room = after.room
        room.typing = before?.room.typing ?? []
        room.timeline.outgoing = before?.room.timeline.outgoing ?? []
        if let before, before.room == room, before.ledger == after.ledger { return nil }
        self.init(room: room, ledger: after.ledger)
        members = after.room.members.values.filter { before?.room.members[$0.id] != $0 }
        items = Self.changes(from: before?.room.timeline.items ?? [], to: after.room.timeline.items)
        marks = Self.marks(from: before, to: after)
        edits = after.ledger.edits.filter { before?.ledger.edits[$0.key] != $0.value }
        gaps = after.ledger.gaps.filter { before?.ledger.gaps[$0.key] != $0.value }
        closedGaps = (before?.ledger.gaps ?? [:]).keys.filter { after.ledger.gaps[$0] == nil }
        // They are looked at above, and are long.
        ledger.known = []
        ledger.redacted = []
        ledger.appliedState = []
        ledger.edits = [:]
        ledger.gaps = [:]
    }

    private static func marks(from before: RoomSnapshot?, to after: RoomSnapshot) -> [Mark] {
        func new(_ kind: Mark.Kind, _ path: KeyPath<RoomLedger, Set<EventID>>) -> [Mark] {
            let (old, now) = (before?.ledger[keyPath: path] ?? [], after.ledger[keyPath: path])
            // None is ever taken out.
            guard old.count != now.count else { return [] }
            return now.subtracting(old).map { Mark(kind: kind, event: $0) }
        }
        let shown = Set(after.room.timeline.items.map(\.id))
        return new(.seen, \.known).filter { !shown.contains($0.event) } + new(.redacted, \.redacted)
            + new(.appliedState, \.appliedState)
    }

    /// From one timeline to another. Items keep their order among themselves; they come, go and change.
    static func changes(from before: [TimelineItem], to after: [TimelineItem]) -> [ItemChange] {
        var same = 0
        while same < before.count, same < after.count, before[same] == after[same] { same += 1 }
        let (old, new) = (before[same...], after[same...])
        if old.isEmpty { return new.isEmpty ? [] : [.append(Array(new))] }
        let oldByID = Dictionary(old.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let newIDs = Set(new.map(\.id))
        var changes: [ItemChange] = []
        var run: [TimelineItem] = []
        var above = same > 0 ? before[same - 1].id : nil
        func endRun() {
            guard let last = run.last else { return }
            changes.append(above.map { .insert(run, below: $0) } ?? .prepend(run))
            above = last.id
            run = []
        }
        for item in new {
            guard let former = oldByID[item.id] else {
                run.append(item)
                continue
            }
            endRun()
            if former != item { changes.append(.replace(item)) }
            above = item.id
        }
        endRun()
        // Last, so that what was put below them has found its place.
        return changes + old.filter { !newIDs.contains($0.id) }.map { .remove($0.id) }
    }
}
