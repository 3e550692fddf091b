import Models

/// Rooms that others have taken the place of. Client-server API, "Room Upgrades".
extension ChatWorker {
    /// Goes to where `rooms` have moved, once each; who has left the new room, or is kept out of it, stays out.
    func followUpgrades(_ rooms: some Sequence<RoomID>) {
        guard let connection = connected else { return }
        let state = connection.ledger.state
        for id in rooms {
            guard let room = state.rooms[id], room.membership == .join, let next = room.replacement,
                state.rooms[next] == nil || state.rooms[next]?.membership == .invite,
                connected?.followedUpgrades.insert(id).inserted == true
            else { continue }
            let people = state.directRooms.filter { $0.value.contains(id) }.map(\.key)
            // Whoever has moved the room is among those who are known of it, and their server is in the new one.
            let servers = Set(room.members.keys.map(\.serverName)).sorted()
            environment.activity.run("room upgrade") { [weak self] in
                await self?.follow(id, to: next, via: servers, with: people, connection)
            }
        }
    }

    /// Those that `batch` has news of, or of the rooms that have taken their place.
    func followUpgrades(in batch: MatrixShapes.Sync) {
        let invited = Set(batch.invitedRooms)
        let rooms = invited.isEmpty ? [:] : connected?.ledger.state.rooms ?? [:]
        let moved = rooms.values.filter { room in room.replacement.map(invited.contains) ?? false }.map(\.id)
        followUpgrades(batch.joinedRooms + moved)
    }

    private func follow(
        _ room: RoomID, to next: RoomID, via servers: [String], with people: [UserID], _ connection: ChatConnection
    ) async {
        do throws(ChatServiceError) {
            try await connection.service.join(next, via: servers)
            for person in people { try await addDirect(next, with: person, connection.service) }
        } catch {
            // Tried again with the next connection, or once one is invited to the new room.
            if isCurrent(connection.number) { connected?.followedUpgrades.remove(room) }
        }
    }
}
