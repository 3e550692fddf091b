import Models

/// Deleting a channel. Matrix has no request for that, so it is done in steps, each of which may be done again:
///
/// 1. The room is marked: a tombstone that says `org.words.deleted`. From here on it is in nobody's list, and every
///    client of its creator knows that there is something to finish.
/// 2. Nobody can join any more; it is taken out of the public list, and its aliases lead nowhere.
/// 3. Everybody is removed, and invitations are withdrawn.
/// 4. Its creator leaves, and forgets it.
///
/// What was cut off is taken up from 2 after a pause, and whenever there is a connection again, in this run or a later
/// one. Those in General are told once nobody finds it any more, and of what was taken up once it is done.
extension ChatWorker {
    private static let reason = "This channel has been deleted."
    /// How often those who are in it are asked for: some may be invited while others are removed.
    private static let rounds = 4

    public func deleteChannel(_ room: RoomID) async throws(ChatError) -> ChannelDeletion {
        let connection = try current()
        guard let state = connection.ledger.state.rooms[room] else { throw .unknownRoom }
        guard state.creator == connection.ownID, !connection.ledger.state.isGeneral(state) else { throw .notCreator }
        // Asked for twice, or being taken up: the outcome is that of the one that is under way.
        if let underWay = connected?.deletions[room] { return try await underWay.joined.get() }
        let result = await environment.activity.during("delete") {
            let deletion = SharedWork { await self.delete(state, connection) }
            connected?.deletions[room] = deletion
            return await deletion.value
        }
        return try result.get()
    }

    private func delete(_ room: RoomState, _ connection: ChatConnection) async -> Result<ChannelDeletion, ChatError> {
        defer { if isCurrent(connection.number) { connected?.deletions[room.id] = nil } }
        let content: JSONValue = [
            "body": .string(Self.reason), "org.words.deleted": true,
            "replacement_room": .string(connection.ledger.state.generalRoom?.id.raw ?? ""),
        ]
        do throws(ChatServiceError) {
            try await connection.service.setState("m.room.tombstone", to: content, in: room.id)
        } catch { return .failure(ChatError(error)) }
        do throws(ChatServiceError) {
            try await takeAway(room, connection) { [weak self] in await self?.announce(deleted: room, connection) }
        } catch {
            if isCurrent(connection.number) { connected?.unfinishedDeletions.insert(room.id) }
            retryDeletions(after: error, connection.number)
            return .success(.unfinished(ChatError(error)))
        }
        return .success(.complete)
    }

    /// - Parameter closed: Done once nobody finds it any more.
    private func takeAway(
        _ room: RoomState, _ connection: ChatConnection, closed: @escaping @Sendable () async -> Void = {}
    ) async throws(ChatServiceError) {
        let service = connection.service
        try await environment.activity.during("delete") { () throws(ChatServiceError) in
            if room.membership == .join {
                try await Self.close(room.id, service)
                await closed()
                try await Self.empty(room.id, connection.ownID, service)
                try await service.leave(room.id)
            }
            try await service.forget(room.id)
        }
        guard isCurrent(connection.number) else { return }
        connected?.unfinishedDeletions.remove(room.id)
        note(connected?.ledger.change(room.id) { $0.room.deletion = .forgotten } ?? [])
        flush()
    }

    private static func close(_ room: RoomID, _ service: any ChatService) async throws(ChatServiceError) {
        try await service.setState("m.room.join_rules", to: ["join_rule": "invite"], in: room)
        try await service.unlist(room)
        for alias in try await service.aliases(of: room) { try await service.removeAlias(alias) }
    }

    /// Its creator leaves last: who could not be removed would have it for themselves.
    private static func empty(
        _ room: RoomID, _ ownID: UserID, _ service: any ChatService
    ) async throws(ChatServiceError) {
        var refused: [UserID: ChatServiceError] = [:]
        for _ in 0..<rounds {
            let people = try await service.presentMembers(of: room).sorted().filter { $0 != ownID }
            if people.isEmpty { return }
            let stayed = people.compactMap { refused[$0] }.first
            for person in people where refused[person] == nil {
                do { try await service.kick(person, from: room, reason: reason) } catch {
                    // They may have left by themselves: the next round tells.
                    guard case .forbidden = error else { throw error }
                    refused[person] = error
                }
            }
            if let stayed { throw stayed }
        }
        throw .refused("people keep being invited to it")
    }

    /// Takes up the deletions that were cut off.
    func finishDeletions() {
        cancelTimer(.deletion)
        guard let connection = connected, connection.ledger.state.connection == .online else { return }
        let rooms = connection.ledger.state.rooms.values.filter { room in
            let isDue = room.deletion == .marked || connection.unfinishedDeletions.contains(room.id)
            return isDue && room.deletion != .forgotten && room.creator == connection.ownID
                && connection.deletions[room.id] == nil && (room.membership == .join || room.membership == .leave)
        }
        environment.activity.run("delete") { [weak self] in
            await self?.finish(rooms.sorted { $0.id < $1.id }, connection)
        }
    }

    /// One after another, and each to be joined from the beginning.
    private func finish(_ rooms: [RoomState], _ connection: ChatConnection) async {
        guard isCurrent(connection.number) else { return }
        var last: SharedWork<Result<ChannelDeletion, ChatError>>?
        for room in rooms where connected?.deletions[room.id] == nil {
            guard connected?.ledger.state.rooms[room.id]?.deletion != .forgotten else { continue }
            last = SharedWork { [last] in
                _ = await last?.value
                return await self.finish(room, connection)
            }
            connected?.deletions[room.id] = last
        }
        _ = await last?.value
    }

    private func finish(_ room: RoomState, _ connection: ChatConnection) async -> Result<ChannelDeletion, ChatError> {
        defer { if isCurrent(connection.number) { connected?.deletions[room.id] = nil } }
        do throws(ChatServiceError) {
            try await takeAway(room, connection)
            if isCurrent(connection.number) { connected?.deletionFailures = 0 }
            await announce(deleted: room, connection)
            return .success(.complete)
        } catch {
            retryDeletions(after: error, connection.number)
            return .success(.unfinished(ChatError(error)))
        }
    }

    /// While the connection stays up nothing else would take it up again. What the server refuses, it would refuse then
    /// as well: that waits for the next connection.
    private func retryDeletions(after error: ChatServiceError, _ number: Int) {
        guard isCurrent(number), case .network(let fault) = error else { return }
        connected?.deletionFailures += 1
        startTimer(.deletion, delay(failures: connected?.deletionFailures ?? 1, after: fault)) { worker in
            await worker.finishDeletions()
        }
    }

    /// Tells those who see it in the list and are not in it; once.
    private func announce(deleted room: RoomState, _ connection: ChatConnection) async {
        guard isCurrent(connection.number), Self.isPublic(room),
            connected?.announcedDeletions.insert(room.id).inserted == true,
            let announcement = announcement(deleted: room.id)
        else { return }
        await environment.activity.during("announce") { await announcement() }
    }

    /// Whether people saw it who were not in it. The id of a private one is nobody else's business.
    private static func isPublic(_ room: RoomState) -> Bool {
        room.joinRule == "public" || room.canonicalAlias != nil
    }
}
