import Models

/// The loop of news.
extension ChatWorker {
    func handle(_ event: SyncMachine.Event) {
        for action in connected?.sync.handle(event) ?? [] {
            switch action {
            case .connection(let connection): setConnection(connection)
            case .poll(let since, let hold, let deadline):
                startPoll(SyncRequest(since: since, hold: hold, deadline: deadline))
            case .wait(let delay):
                startTimer(.sync, delay) { worker in
                    await worker.handle(.timerFired)
                    await worker.flush()
                }
            case .cancelWait: cancelTimer(.sync)
            case .end(let isExpired): endSession(isExpired: isExpired)
            }
        }
    }

    private func endSession(isExpired: Bool) {
        dropFences()
        note([isExpired ? .sessionExpired : .sessionEnded])
        handle(isExpired ? Outbox.Event.sessionExpired : .sessionEnded)
        if !isExpired { wipeStore() }
    }

    private func setConnection(_ connection: Connection) {
        guard let before = connected?.ledger.state.connection else { return }
        if connection == .online {
            guard before != .online else { return }
            connected?.ledger.state.connection = .online
            note([.connection])
            handle(Outbox.Event.networkReturned)
            finishDeletions()
            joinGeneralUnasked()
            keepDirectChats()
            followUpgrades(connected.map { Array($0.ledger.state.rooms.keys) } ?? [])
        } else {
            note(connected?.ledger.goOffline(connection) ?? [])
        }
    }

    private func startPoll(_ request: SyncRequest) {
        guard let connection = connected else { return }
        let number = connection.number
        var request = request
        let isCounted = options.polls == .counted
        // Of the first, the answer comes at once in any case: it counts like any other request.
        let id = "\(connection.pollPrefix)-\(connection.polls)"
        connected?.polls += 1
        if isCounted {
            environment.activity.beginPoll(id)
            request.pollID = id
        } else if request.hold == .zero {
            environment.activity.begin("sync")
        }
        let before = connection.pollID
        connected?.pollID = isCounted ? id : nil
        // The next one has begun before the last one ends, so the count never touches zero between the two.
        if let before { environment.activity.endPoll(before) }
        let service = connection.service
        connected?.pollTask = Task { [weak self, request, activity = environment.activity] in
            await Activity.during(poll: request.pollID, of: activity) {
                let result: Result<MatrixShapes.Sync, ChatServiceError>
                do throws(ChatServiceError) { result = .success(try await service.sync(request)) } catch {
                    result = .failure(error)
                }
                await activity.during("sync answer") {
                    if !isCounted, request.hold == .zero { activity.end("sync") }
                    await self?.polled(result, number)
                }
            }
        }
    }

    private func polled(_ result: Result<MatrixShapes.Sync, ChatServiceError>, _ number: Int) async {
        if case .success(let batch) = result, isPolling(number) {
            foldQuietTimelines()
            connected?.isApplying = true
            await apply(batch, number)
        }
        guard isCurrent(number) else { return }
        connected?.isApplying = false
        // The session has ended while the answer was on its way, or was being worked in.
        guard isPolling(number) else {
            endPollThatHasNoNext()
            flush()
            return tellOutcome()
        }
        switch result {
        case .success(let batch): handle(.applied(position: batch.next_batch))
        case .failure(let error):
            let fraction = environment.identifiers.nextFraction()
            handle(.failed(error, at: environment.clock.now, fraction: fraction))
            endPollThatHasNoNext()
        }
        flush()
        tellOutcome()
        fillNextGap()
        if case .success(let batch) = result {
            keepDirectChats(batch.invitedRooms + batch.joinedRooms)
            followUpgrades(in: batch)
            passFences(in: batch)
        }
    }

    private func isPolling(_ number: Int) -> Bool { isCurrent(number) && connected?.sync.phase == .polling }

    /// After a failure the next poll waits for a timer; the failed one is over.
    private func endPollThatHasNoNext() {
        guard connected?.sync.phase != .polling, let poll = connected?.pollID else { return }
        connected?.pollID = nil
        environment.activity.endPoll(poll)
    }

    private func tellOutcome() {
        guard let waiters = connected?.outcomeWaiters, connected?.hasOutcome == false else { return }
        connected?.hasOutcome = true
        connected?.outcomeWaiters = []
        waiters.forEach { $0.resume() }
    }

    /// Works in one part after the other. What a large batch has brought so far is stored while more of it is read; its
    /// position follows with the last of it, and the same batch once more changes nothing.
    private func apply(_ batch: MatrixShapes.Sync, _ number: Int) async {
        if connected?.sync.position == nil { await leaveRooms(notIn: batch, number) }
        guard isPolling(number) else { return }
        note(connected?.ledger.begin(batch) ?? [])
        var gapsLeft = Self.roomsFilledFirst
        var (before, applied): ([RoomID], [RoomID]) = ([], [])
        for part in batch.parts(of: options.partSize) {
            // The part before this one is being stored while this one is read and worked in.
            if !applied.isEmpty { await storePart(number, folding: before) }
            let rooms = await read(part, of: batch)
            guard isPolling(number) else { return }
            (before, applied) = (applied, rooms.ids)
            noteUse(of: applied)
            await complete(applied, number)
            guard isPolling(number) else { return }
            let filled = await fillGaps(in: rooms, &gapsLeft, number)
            guard isPolling(number) else { return }
            acknowledgeInvitations(in: rooms)
            apply(rooms, filled)
        }
        note(connected?.ledger.finish(batch, now: environment.clock.now) ?? [])
        askNamelessHeroes(of: batch.joinedRooms)
    }

    /// The first batch is the whole account: of what is stored of an earlier beginning, rooms may have been left since.
    private func leaveRooms(notIn batch: MatrixShapes.Sync, _ number: Int) async {
        let missing = connected?.ledger.rooms(notIn: batch) ?? []
        await complete(missing, number)
        guard isCurrent(number) else { return }
        note(connected?.ledger.leave(missing) ?? [])
    }

    /// Not on this actor: others may be served meanwhile.
    private nonisolated func read(
        _ part: MatrixShapes.Sync.Part, of batch: MatrixShapes.Sync
    ) async -> MatrixShapes.SyncRooms { batch.rooms(in: part) }

    private func apply(_ rooms: MatrixShapes.SyncRooms, _ filled: [RoomID: FilledGap]) {
        note(connected?.ledger.apply(rooms, filled: filled) ?? [])
        for room in rooms.joined {
            settleEchoes(in: room.id, (filled[room.id]?.events ?? []) + room.news.timeline.events)
        }
    }

    /// One's own messages among `events` need no place in the outbox any more.
    func settleEchoes(in room: RoomID, _ events: [MatrixShapes.Event]) {
        guard let own = connected?.ownID, connected?.outbox.messages(in: room).isEmpty == false else { return }
        for event in events where event.sender == own {
            if let id = event.event_id { handle(Outbox.Event.echoed(room, event.transaction_id, id)) }
        }
    }
}

/// Names of people who have not come by in any event.
extension ChatWorker {
    /// A room without a name is called after its people, before it is opened; a server that loads members only as they
    /// speak may leave out who they are.
    private func askNamelessHeroes(of rooms: [RoomID]) {
        guard let connection = connected else { return }
        var missing: [(person: UserID, room: RoomID)] = []
        for id in rooms.sorted() { missing += connection.unknownHeroes(of: id).map { ($0, id) } }
        // Nobody who was asked for in an earlier batch; in this one for each room, so that each is told the name.
        for (person, room) in missing.prefix(20) where !connection.askedProfiles.contains(person) {
            connected?.askedProfiles.insert(person)
            environment.activity.run("profile") {
                [weak self, service = connection.service, number = connection.number] in
                let name = try? await service.displayName(of: person)
                await self?.learn(person, name, in: room, number)
            }
        }
    }

    private func learn(_ person: UserID, _ name: RemoteText??, in room: RoomID, _ number: Int) {
        guard isCurrent(number), let name else { return }
        note(
            connected?.ledger.change(room) { reduction in
                guard reduction.room.members[person] == nil else { return }
                reduction.room.members[person] = Member(id: person, displayName: name, membership: .join)
            } ?? [])
        flush()
    }
}

extension ChatConnection {
    /// After whom the room is called, as far as nothing of them has come by.
    func unknownHeroes(of room: RoomID) -> [UserID] {
        guard let room = ledger.state.rooms[room], room.name == nil, room.canonicalAlias == nil else { return [] }
        return room.heroes.filter { room.members[$0] == nil }
    }
}
