import Models

/// Deleting a channel. Matrix has no request for that, so it is done in steps, each of which may be done again:
///
/// 1. The room is marked: a tombstone that says `org.words.deleted`. From here on it is in nobody's list, and every
///    client of its creator knows that there is something to finish.
/// 2. Nobody can join any more; it is taken out of the public list, and its aliases lead nowhere.
/// 3. Everybody is removed, and invitations are withdrawn.
/// 4. Its creator leaves, and forgets it.
///
/// What was cut off is taken up from 2 whenever there is a connection again, in this run or a later one.
extension ChatWorker {
    private static let reason = "This channel has been deleted."

    public func deleteChannel(_ room: RoomID) async throws(ChatError) -> ChannelDeletion {
        let connection = try current()
        guard let state = connection.ledger.state.rooms[room] else { throw .unknownRoom }
        guard state.creator == connection.ownID, !connection.ledger.state.isGeneral(state) else { throw .notCreator }
        guard connected?.deleting.insert(room).inserted == true else { return .complete }
        defer { if isCurrent(connection.number) { connected?.deleting.remove(room) } }
        try await asked("delete") { () throws(ChatServiceError) in
            let content: JSONValue = [
                "body": .string(Self.reason), "org.words.deleted": true,
                "replacement_room": .string(connection.ledger.state.generalRoom?.id.raw ?? ""),
            ]
            try await connection.service.setState("m.room.tombstone", to: content, in: room)
        }
        do throws(ChatServiceError) { try await takeAway(state, connection) } catch {
            return .unfinished(ChatError(error))
        }
        if Self.isPublic(state) { announceChannels(deleted: room) }
        return .complete
    }

    private func takeAway(_ room: RoomState, _ connection: ChatConnection) async throws(ChatServiceError) {
        let service = connection.service
        try await environment.activity.during("delete") { () throws(ChatServiceError) in
            if room.membership == .join {
                try await Self.empty(room.id, connection.ownID, service)
                try await service.leave(room.id)
            }
            try await service.forget(room.id)
        }
        guard isCurrent(connection.number) else { return }
        note(connected?.ledger.change(room.id) { $0.room.deletion = .forgotten } ?? [])
        flush()
    }

    private static func empty(
        _ room: RoomID, _ ownID: UserID, _ service: any ChatService
    ) async throws(ChatServiceError) {
        try await service.setState("m.room.join_rules", to: ["join_rule": "invite"], in: room)
        try await service.unlist(room)
        for alias in try await service.aliases(of: room) { try await service.removeAlias(alias) }
        for person in try await service.presentMembers(of: room).sorted() where person != ownID {
            do { try await service.kick(person, from: room, reason: reason) } catch {
                // They have left by themselves.
                guard case .forbidden = error else { throw error }
            }
        }
    }

    /// Takes up the deletions that were cut off.
    func finishDeletions() {
        guard let connection = connected else { return }
        let rooms = connection.ledger.state.rooms.values.filter { room in
            room.deletion == .marked && room.creator == connection.ownID && !connection.deleting.contains(room.id)
                && (room.membership == .join || room.membership == .leave)
        }
        guard !rooms.isEmpty else { return }
        connected?.deleting.formUnion(rooms.map(\.id))
        environment.activity.run("delete") { [weak self] in
            for room in rooms.sorted(by: { $0.id < $1.id }) {
                try? await self?.takeAway(room, connection)
                await self?.deletionEnded(room, connection.number)
            }
        }
    }

    private func deletionEnded(_ room: RoomState, _ number: Int) {
        guard isCurrent(number) else { return }
        connected?.deleting.remove(room.id)
        if Self.isPublic(room) { announceChannels(deleted: room.id) }
    }

    /// Whether people saw it who were not in it. The id of a private one is nobody else's business.
    private static func isPublic(_ room: RoomState) -> Bool {
        room.joinRule == "public" || room.canonicalAlias != nil
    }
}
