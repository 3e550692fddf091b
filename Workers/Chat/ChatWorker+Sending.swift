import Foundation
import Models

/// Messages on their way out.
extension ChatWorker {
    /// Larger contents are refused here, with the reason, before a server does.
    static let contentLimit = 60_000

    public func send(_ text: String, to room: RoomID) async throws(ChatError) {
        let connection = try current()
        guard !text.isEmpty else { throw .empty }
        // A room that no batch has brought yet may be a new contact's: then the server knows.
        if let membership = connection.ledger.state.rooms[room]?.membership, membership != .join { throw .notMember }
        let content = Body.encode(["body": text, "msgtype": "m.text"])
        guard content.count <= Self.contentLimit else { throw .tooLarge(limit: Self.contentLimit) }
        let id = TransactionID(environment.identifiers.next(length: 16))
        let message = OutgoingMessage(
            transactionID: id, body: RemoteText(text), createdAt: environment.clock.now, state: .sending)
        handle(.messageSent, in: room)
        let entry = Outbox.Entry(message: message, content: content)
        handle(.accept(entry, room))
        do { try await keep(StoredMessage(room: room, entry: entry)) } catch {
            if isCurrent(connection.number) { handle(Outbox.Event.refused(id, room)) }
            flush()
            throw error
        }
        // Signed off meanwhile: it is stored, and goes out with the next connection.
        guard isCurrent(connection.number) else { return }
        await withCheckedContinuation { continuation in
            connected?.savedOutbox[id] = .waiting
            connected?.attemptWaiters[id] = PausedContinuation(continuation)
            handle(Outbox.Event.stored(id, room))
            flush()
            connected?.attemptWaiters[id]?.pause()
        }
    }

    public func retry(in room: RoomID) {
        handle(Outbox.Event.retry(room))
        flush()
    }

    func handle(_ event: Outbox.Event) {
        for action in connected?.outbox.handle(event) ?? [] {
            switch action {
            case .attempt(let id, let room, let content): attempt(id, room, content)
            case .wait(let room, let delay):
                startTimer(.outbox(room), delay) { worker in
                    await worker.handle(Outbox.Event.timerFired(room))
                    await worker.flush()
                }
            case .cancelWait(let room): cancelTimer(.outbox(room))
            case .changed(let room): showOutgoing(in: room)
            case .firstAttemptEnded(let id): connected?.attemptWaiters.removeValue(forKey: id)?.resume()
            }
        }
    }

    private func showOutgoing(in room: RoomID) {
        let messages = connected?.outbox.messages(in: room) ?? []
        connected?.isOutboxUnsaved = true
        note(connected?.ledger.change(room) { $0.room.timeline.outgoing = messages } ?? [])
    }

    private func attempt(_ id: TransactionID, _ room: RoomID, _ content: Data) {
        guard let connection = connected else { return }
        let isEncrypted = connection.ledger.state.rooms[room]?.isEncrypted == true
        environment.activity.run("send") {
            [weak self, service = connection.service, number = connection.number] in
            let result: Result<EventID, ChatServiceError>
            do throws(ChatServiceError) {
                // Also of what has waited since before it was: plain words have no place there.
                guard !isEncrypted else { throw .refused("the conversation is encrypted, which Words cannot do") }
                result = .success(try await service.send(content, to: room, transaction: id))
            } catch { result = .failure(error) }
            await self?.attempted(id, room, result, number)
        }
    }

    private func attempted(
        _ id: TransactionID, _ room: RoomID, _ result: Result<EventID, ChatServiceError>, _ number: Int
    ) {
        guard isCurrent(number) else { return }
        switch result {
        case .success(let event):
            handle(Outbox.Event.sent(id, room, event))
            // Its event may have come by first, without saying whose transaction it was.
            if connected?.ledger.rooms[room]?.known.contains(event) == true {
                handle(Outbox.Event.echoed(room, id, event))
            }
            handle(SyncMachine.Event.networkReturned)
        case .failure(let error):
            let fraction = environment.identifiers.nextFraction()
            handle(Outbox.Event.failed(id, room, error, fraction: fraction))
            if error.endsSession { handle(SyncMachine.Event.sessionOver(error)) }
        }
        flush()
    }
}

/// Typing, receipts, joining and leaving.
extension ChatWorker {
    public func typed(in room: RoomID) {
        guard connected?.ledger.state.rooms[room]?.membership == .join, connected?.sync.phase != .ended else { return }
        handle(.key(at: environment.clock.now), in: room)
    }

    func handle(_ event: TypingMachine.Event, in room: RoomID) {
        guard let connection = connected else { return }
        for action in connected?.typing[room, default: TypingMachine()].handle(event) ?? [] {
            switch action {
            case .startStopTimer(let delay):
                startTimer(.typing(room), delay) { await $0.handle(.stopTimerFired, in: room) }
            case .cancelStopTimer: cancelTimer(.typing(room))
            case .send(let isTyping):
                environment.activity.run("typing") {
                    [weak self, service = connection.service, number = connection.number] in
                    // One that is lost is put right by the next, or by the server's own time-out.
                    try? await service.setTyping(isTyping, in: room, timeout: TypingMachine.timeout)
                    guard let self, await self.isCurrent(number) else { return }
                    await self.handle(.answered, in: room)
                }
            }
        }
    }

    public func markRead(_ room: RoomID) {
        loadMembers(of: room)
        guard let connection = connected, let state = connection.ledger.state.rooms[room] else { return }
        var receipt = connection.receipts[room] ?? ChatConnection.Receipt()
        let newest = state.timeline.items.last { $0.sender != connection.ownID && $0.content != .gap }
        guard let event = newest?.id, state.unreadCount > 0, event != receipt.last,
            event != connection.ledger.rooms[room]?.readUpTo
        else { return }
        // One at a time; whatever has come meanwhile is said by the next.
        receipt.isWanted = receipt.isBusy
        if !receipt.isBusy {
            receipt.isBusy = true
            receipt.last = event
            environment.activity.run("receipt") {
                [weak self, service = connection.service, number = connection.number] in
                let isDone = (try? await service.markRead(event, in: room)) != nil
                await self?.markedRead(room, isDone, number)
            }
        }
        connected?.receipts[room] = receipt
    }

    private func markedRead(_ room: RoomID, _ isDone: Bool, _ number: Int) {
        guard isCurrent(number), let receipt = connected?.receipts[room] else { return }
        connected?.receipts[room]?.isBusy = false
        connected?.receipts[room]?.isWanted = false
        // What failed is said again the next time that the room is looked at.
        if !isDone { connected?.receipts[room]?.last = nil } else if receipt.isWanted { markRead(room) }
    }

    /// Those who have not spoken are not known yet; once a room is looked at, they are wanted.
    private func loadMembers(of room: RoomID) {
        guard let connection = connected, let state = connection.ledger.state.rooms[room],
            state.membership == .join, !connection.askedMembers.contains(room),
            let count = state.joinedCount, count > state.members.values.filter({ $0.membership == .join }).count
        else { return }
        connected?.askedMembers.insert(room)
        environment.activity.run("members") {
            [weak self, service = connection.service, number = connection.number] in
            guard let members = try? await service.joinedMembers(of: room) else { return }
            await self?.learn(members, in: room, number)
        }
    }

    private func learn(_ members: [Member], in room: RoomID, _ number: Int) {
        guard isCurrent(number) else { return }
        note(
            connected?.ledger.change(room) { reduction in
                for member in members { reduction.room.members[member.id] = member }
            } ?? [])
        flush()
    }

    public func join(_ room: RoomID) async throws(ChatError) {
        let connection = try current()
        let invited = connection.ledger.state.rooms[room].flatMap { $0.membership == .invite ? $0 : nil }
        let servers = invited?.inviter.map { [$0.serverName] } ?? []
        try await asked("join") { () throws(ChatServiceError) in
            try await connection.service.join(room, via: servers)
        }
        guard let invited, invited.isDirect, let inviter = invited.inviter else { return }
        try await asked("account data") { () throws(ChatServiceError) in
            try await addDirect(room, with: inviter, connection.service)
        }
    }

    public func leave(_ room: RoomID) async throws(ChatError) {
        let connection = try current()
        handle(.stop, in: room)
        try await asked("leave") { () throws(ChatServiceError) in try await connection.service.leave(room) }
    }

    func current() throws(ChatError) -> ChatConnection {
        guard let connection = connected else { throw .notConnected }
        guard connection.sync.phase != .ended else {
            throw connection.sync.isExpired ? .sessionExpired : .sessionEnded
        }
        return connection
    }

    func asked<Answer: Sendable>(
        _ cause: String, _ body: () async throws(ChatServiceError) -> Answer
    ) async throws(ChatError) -> Answer {
        do throws(ChatServiceError) {
            return try await environment.activity.during(cause) { () throws(ChatServiceError) in try await body() }
        } catch { throw ChatError(error) }
    }
}

extension ChatError {
    init(_ error: ChatServiceError) {
        self =
            switch error {
            case .network(let fault): .network(fault)
            case .sessionEnded: .sessionEnded
            case .sessionExpired: .sessionExpired
            case .tooLarge: .tooLarge(limit: ChatWorker.contentLimit)
            case .taken(let words): .taken(words)
            case .forbidden(let words), .notFound(let words), .refused(let words): .refused(words)
            }
    }
}
