import Models

/// Letting go of timelines that nobody needs: the store has them.
extension ChatWorker {
    /// The rooms opened last keep their timelines: one of them is on screen.
    static let openedRoomsKept = 8
    /// How long after it was last opened or had news a room keeps its timeline in memory.
    static let quietTime = Duration.seconds(600)

    func noteOpened(_ room: RoomID) {
        connected?.opened.removeAll { $0 == room }
        connected?.opened.append(room)
        if let opened = connected?.opened { connected?.opened = Array(opened.suffix(Self.openedRoomsKept)) }
        noteUse(of: [room])
    }

    func noteUse(of rooms: [RoomID]) {
        let now = environment.clock.now
        for room in rooms { connected?.lastUse[room] = now }
    }

    /// Folds the rooms that have been quiet for long. Called before a batch is worked in, when all of the one before it is
    /// stored; what is not stored yet stays.
    func foldQuietTimelines() {
        guard let connection = connected, connection.keepsRooms, connection.saving == nil, connection.saveFailures == 0
        else { return }
        let limit = environment.clock.now + (.zero - Self.quietTime)
        for (room, time) in connection.lastUse where time < limit && !connection.opened.contains(room) {
            fold(room)
        }
    }

    /// Starts storing what a part of a batch has brought, once the part before it is stored, and folds the rooms of that one:
    /// of the many of a large batch few are looked at. A room whose people's names are to be asked for stays, so that they
    /// are stored.
    func storePart(_ number: Int, folding before: [RoomID]) async {
        // Others may have begun to store something meanwhile; should that fail, nothing of it may have been let go of.
        while let saving = connected?.saving { await saving.value }
        guard isCurrent(number) else { return }
        saveUnsaved()
        guard connected?.keepsRooms == true, connected?.saveFailures == 0, let opened = connected?.opened else {
            return
        }
        for room in before where !opened.contains(room) && connected?.unknownHeroes(of: room).isEmpty == true {
            fold(room)
        }
    }

    private func fold(_ room: RoomID) {
        guard connected?.canFold(room) == true else { return }
        connected?.lastUse[room] = nil
        connected?.ledger.fold(room)
    }
}

extension ChatConnection {
    fileprivate func canFold(_ room: RoomID) -> Bool {
        ledger.unsaved.rooms[room] == nil && ledger.rooms[room]?.gaps.isEmpty ?? true
            && outbox.messages(in: room).isEmpty && olderPages[room] == nil
    }
}
