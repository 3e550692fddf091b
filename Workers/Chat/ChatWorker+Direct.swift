import Models

/// Chats of two on a plain homeserver. A Words server brings both into their room and keeps `m.direct` for both; elsewhere
/// each one's client does.
///
/// Who is invited to such a chat by somebody of their own homeserver joins, as they do on a Words server. People of other
/// servers, and a room that one has left, are one's own decision: those stay invitations.
extension ChatWorker {
    /// Takes up what is to be done for `rooms`: to join them, and to list them among the direct chats.
    func keepDirectChats(_ rooms: some Sequence<RoomID>) {
        guard facts.kind() == .matrix, let connection = connected else { return }
        for id in rooms where !connection.enteringDirect.contains(id) {
            guard let room = connection.ledger.state.rooms[id],
                let inviter = connection.ledger.rooms[id]?.directInviter,
                isDue(room, inviter, connection), connected?.enteringDirect.insert(id).inserted == true
            else { continue }
            environment.activity.run("direct chat") { [weak self] in
                await self?.enterDirect(id, with: inviter, connection)
            }
        }
    }

    private func isDue(_ room: RoomState, _ inviter: UserID, _ connection: ChatConnection) -> Bool {
        switch room.membership {
        case .invite:
            inviter.serverName == connection.ownID.serverName
        case .join: connection.ledger.state.directRooms[inviter]?.contains(room.id) != true
        default: false
        }
    }

    private func enterDirect(_ room: RoomID, with inviter: UserID, _ connection: ChatConnection) async {
        let service = connection.service
        do throws(ChatServiceError) {
            guard !IgnoredUsers(try await service.accountData(IgnoredUsers.type)).people.contains(inviter) else {
                return
            }
            try await service.join(room, via: [inviter.serverName])
            try await addDirect(room, with: inviter, service)
        } catch {
            // What the server refuses stays as it is; all else is tried again.
            guard case .network(let fault) = error, isCurrent(connection.number) else { return }
            connected?.directFailures += 1
            let delay = delay(failures: connected?.directFailures ?? 1, after: fault)
            connected?.enteringDirect.remove(room)
            return startTimer(.direct, delay) { worker in await worker.keepDirectChats() }
        }
        if isCurrent(connection.number) { connected?.directFailures = 0 }
    }

    /// Takes up all that is to be done.
    func keepDirectChats() { keepDirectChats((connected?.ledger.state.rooms.keys).map(Array.init) ?? []) }

    /// The whole map is read, merged and written. Client-server API, "Direct Messaging".
    func addDirect(
        _ room: RoomID, with person: UserID, _ service: any ChatService
    ) async throws(ChatServiceError) {
        await facts.turn.enter()
        defer { facts.turn.leave() }
        var direct = DirectRooms(try await service.accountData(DirectRooms.type))
        guard direct.add(room, with: person) else { return }
        try await service.setAccountData(DirectRooms.type, to: direct.content)
    }
}
