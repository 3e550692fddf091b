import Models

/// Rooms that several people share.
extension ChatWorker {
    /// More pages of the public list are not asked for.
    static let publicPages = 20

    private var hasGeneral: Bool { options.generalChannel || facts.kind() == .words }

    public func joinGeneral() async throws(ChatError) -> RoomID? {
        guard hasGeneral else { return nil }
        let connection = try current()
        let state = connection.ledger.state
        if let room = state.generalRoom { return room.id }
        // Of one that was entered a moment ago the news is still to come.
        if let general = state.general, state.rooms[general] == nil { return general }
        if let task = connection.general { return try await task.joined.get() }
        let result = await environment.activity.during("general") {
            let task = SharedWork { () -> Result<RoomID, ChatError> in
                do throws(ChatError) { return .success(try await self.enterGeneral(connection)) } catch {
                    return .failure(error)
                }
            }
            connected?.general = task
            return await task.value
        }
        if isCurrent(connection.number) { connected?.general = nil }
        return try result.get()
    }

    /// Everybody is in General from the first sync on. What fails here is told to whoever asks for it next, and tried
    /// again with the next connection; sooner where it may pass by itself.
    func joinGeneralUnasked() {
        guard hasGeneral, let connection = connected, connection.ledger.state.generalRoom == nil,
            connection.general == nil
        else { return }
        cancelTimer(.general)
        environment.activity.run("general") { [weak self, number = connection.number] in
            do throws(ChatError) {
                _ = try await self?.joinGeneral()
                await self?.generalFailed(nil, number)
            } catch { await self?.generalFailed(error, number) }
        }
    }

    private func generalFailed(_ error: ChatError?, _ number: Int) {
        guard isCurrent(number) else { return }
        guard case .network(let fault) = error else {
            connected?.generalFailures = 0
            return
        }
        connected?.generalFailures += 1
        startTimer(.general, delay(failures: connected?.generalFailures ?? 1, after: fault)) { worker in
            guard await worker.currentState()?.connection == .online else { return }
            await worker.joinGeneralUnasked()
        }
    }

    private func enterGeneral(_ connection: ChatConnection) async throws(ChatError) -> RoomID {
        let general: RoomID
        do throws(ChatServiceError) {
            general = try await Self.enterGeneral(
                options.general, connection.ledger.state.generalAlias, connection.service)
        } catch { throw ChatError(error) }
        if isCurrent(connection.number), connected?.ledger.state.general != general {
            connected?.ledger.state.general = general
            note([.room(general)])
            flush()
        }
        return general
    }

    /// Of two people who make it at once, the server refuses the second the alias; they join what the first has made.
    private static func enterGeneral(
        _ general: GeneralChannel, _ alias: String, _ service: any ChatService
    ) async throws(ChatServiceError) -> RoomID {
        let new = NewRoom(name: general.name, alias: general.alias)
        for _ in 0..<2 {
            if let room = try await service.room(named: alias) {
                try await service.join(room.id, via: room.servers)
                return room.id
            }
            do { return try await service.createRoom(new) } catch {
                guard case .taken = error else { throw error }
            }
        }
        guard let room = try await service.room(named: alias) else { throw .notFound("there is no channel \(alias)") }
        try await service.join(room.id, via: room.servers)
        return room.id
    }

    public func publicRooms() async throws(ChatError) -> [PublicRoom] {
        let connection = try current()
        return try await asked("public rooms") { () throws(ChatServiceError) in
            var rooms: [PublicRoom] = []
            var since: String?
            for _ in 0..<Self.publicPages {
                let page = try await connection.service.publicRooms(since: since)
                rooms += page.chunk.map(\.room)
                guard let next = page.next_batch, next != since else { break }
                since = next
            }
            return rooms
        }
    }

    public func createChannel(_ name: String, isPrivate: Bool) async throws(ChatError) -> RoomID {
        let connection = try current()
        // An alias leads there whoever asks, so a private channel has none.
        let new = NewRoom(
            name: name, alias: isPrivate ? nil : ChannelAlias.localPart(for: name), isPrivate: isPrivate)
        let room = try await asked("create") { () throws(ChatServiceError) in
            try await connection.service.createRoom(new)
        }
        if !isPrivate { announceChannels() }
        return room
    }

    public func invite(_ user: UserID, to room: RoomID) async throws(ChatError) {
        let connection = try current()
        try await asked("invite") { () throws(ChatServiceError) in
            try await connection.service.invite(user, to: room)
        }
    }

    /// Those in General hear that the public list is another. One that is lost is made good by the next fetch.
    private func announceChannels() {
        guard let announcement = announcement() else { return }
        environment.activity.run("announce") { await announcement() }
    }

    /// Nil where one is not in General.
    func announcement(deleted room: RoomID? = nil) -> (@Sendable () async -> Void)? {
        guard let connection = connected, let general = connection.ledger.state.generalRoom?.id else { return nil }
        let transaction = TransactionID(environment.identifiers.next(length: 16))
        return { [service = connection.service] in
            let content = ChannelAnnouncement.content(deleted: room)
            try? await service.announce(ChannelAnnouncement.type, content, in: general, transaction: transaction)
        }
    }
}
