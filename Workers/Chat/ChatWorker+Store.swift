import Models

/// What outlives the process: read when a connection begins, written as the state changes.
extension ChatWorker {
    /// Takes up what is stored and shows it, before anything is asked of the server.
    func restore(_ number: Int) async {
        guard let store = connected?.store else { return }
        let chat: StoredChat
        do throws(StoreFailure) {
            chat = try await environment.activity.during("store") { () throws(StoreFailure) in try await store.load() }
        } catch {
            guard isCurrent(number) else { return }
            // What is stored is not known, so nothing may be put on top of it.
            connected?.keepsRooms = false
            tellStorage(error.message)
            return flush()
        }
        guard isCurrent(number) else { return }
        take(chat)
        flush()
        await complete(chat.roomsWithGaps, number)
        flush()
    }

    private func take(_ chat: StoredChat) {
        guard let connection = connected else { return }
        connected?.ledger.restore(chat)
        connected?.sync = SyncMachine(hold: options.pollHold, position: chat.position)
        connected?.savedPosition = chat.position
        if chat.position != nil { note([.synced]) }
        if let notice = chat.notice { tellStorage(notice) }
        restore(chat.outbox.filter { connection.savedOutbox[$0.entry.message.transactionID] == nil })
    }

    /// Messages of an earlier run, or of the connection before.
    func restore(_ messages: [StoredMessage]) {
        var rooms: [RoomID] = []
        var entries: [RoomID: [Outbox.Entry]] = [:]
        for message in messages {
            if entries[message.room] == nil { rooms.append(message.room) }
            entries[message.room, default: []].append(message.entry)
            connected?.savedOutbox[message.entry.message.transactionID] = message.entry.message.state.storedState
        }
        for room in rooms { handle(Outbox.Event.restore(entries[room] ?? [], room)) }
    }

    public func open(_ room: RoomID) async {
        guard let number = connected?.number else { return }
        noteOpened(room)
        await environment.activity.during("store") { await complete([room], number) }
        flush()
    }

    /// Reads the rest of those rooms of which only what lists need has been read so far.
    func complete(_ rooms: [RoomID], _ number: Int) async {
        for room in rooms where isCurrent(number) && connected?.ledger.rooms[room]?.isPartial == true {
            guard let store = connected?.store else { return }
            do throws(StoreFailure) {
                let stored = try await store.timeline(of: room) ?? StoredTimeline()
                guard isCurrent(number) else { return }
                note(connected?.ledger.complete(room, with: stored) ?? [])
            } catch {
                guard isCurrent(number) else { return }
                return await startOver(after: error)
            }
        }
    }

    /// What the store has above the first item; nil where it has nothing there.
    func storedPage(in room: RoomID, _ number: Int) async throws(ChatError) -> Bool? {
        guard let connection = connected, connection.ledger.rooms[room]?.hasStoredOlder == true,
            let first = connection.ledger.state.rooms[room]?.timeline.items.first
        else { return nil }
        let page: StoredPage
        do { page = try await connection.store.items(in: room, above: first.id, limit: Self.pageSize) } catch {
            throw .storage(error.message)
        }
        guard isCurrent(number) else { throw .notConnected }
        note(connected?.ledger.prepend(page, in: room) ?? [])
        flush()
        return connected?.ledger.state.rooms[room]?.timeline.hasOlder ?? false
    }

    /// Makes a message of one's own durable.
    func keep(_ message: StoredMessage) async throws(ChatError) {
        guard let store = connected?.store else { throw .notConnected }
        do throws(StoreFailure) {
            try await environment.activity.during("store") { () throws(StoreFailure) in
                try await store.save(StoreChanges(outbox: [.put(message)], isDurable: true))
            }
        } catch {
            throw error.kind == .wiped ? .sessionEnded : .storage(error.message)
        }
    }

    func tellStorage(_ message: String?, isPassing: Bool = false) {
        guard connected?.ledger.state.storageFault != message else { return }
        connected?.ledger.state.storageFault = message
        connected?.storageFaultIsPassing = isPassing
        note([.storage])
    }

    /// The session is over: nothing of it stays on this machine.
    func wipeStore() {
        guard let user = connected?.ownID else { return }
        connected?.keepsRooms = false
        environment.activity.run("store") { [stores] in await stores.wipe(user) }
    }
}

/// Writing, one batch of changes at a time; what changes meanwhile goes into the next one together.
extension ChatWorker {
    /// What was taken to be stored, and what to put back where it cannot be.
    private struct Taken {
        var changes: StoreChanges
        var unsaved: UnsavedChat
    }

    /// Starts writing what has changed, unless that is under way or waits after a failure.
    func saveUnsaved() {
        guard let connection = connected, connection.hasUnsaved, connection.saving == nil,
            connection.timers[.storage] == nil, connection.isKept
        else { return }
        connected?.saving = environment.activity.run("store") { [weak self, number = connection.number] in
            await self?.saveAll(number)
        }
    }

    private func saveAll(_ number: Int) async {
        while isCurrent(number), connected?.isKept == true, let store = connected?.store,
            let taken = takeUnsaved()
        {
            do throws(StoreFailure) {
                try await store.save(taken.changes)
                if isCurrent(number) { saved(taken.changes) }
            } catch {
                if isCurrent(number) { await notSaved(taken, error) }
                break
            }
            // Whoever works in a batch waits for each part of it by itself.
            if connected?.isApplying == true { break }
        }
        guard isCurrent(number) else { return }
        connected?.saving = nil
        if connected?.isApplying == false { flush() }
    }

    /// The batch and its position are taken in one step, so that neither is ever stored without the other.
    private func takeUnsaved() -> Taken? {
        guard let connection = connected, connection.hasUnsaved else { return nil }
        var changes = StoreChanges()
        var unsaved = UnsavedChat()
        connected?.isOutboxUnsaved = false
        if connection.keepsRooms {
            unsaved = connection.ledger.unsaved
            changes = connection.ledger.changes(since: unsaved)
            connected?.ledger.unsaved = UnsavedChat()
            if connection.sync.position != connection.savedPosition {
                changes.position = connection.sync.position.map { .move(to: $0) } ?? .forget
            }
        }
        changes.outbox = connection.outboxChanges
        return Taken(changes: changes, unsaved: unsaved)
    }

    private func saved(_ changes: StoreChanges) {
        for change in changes.outbox {
            switch change {
            case .put(let message):
                connected?.savedOutbox[message.entry.message.transactionID] = message.entry.message.state.storedState
            case .remove(let id): connected?.savedOutbox[id] = nil
            }
        }
        switch changes.position {
        case .move(let position): connected?.savedPosition = position
        case .forget: connected?.savedPosition = nil
        case nil: break
        }
        connected?.saveFailures = 0
        if !changes.isEmpty, connected?.storageFaultIsPassing == true { tellStorage(nil) }
    }

    private func notSaved(_ taken: Taken, _ failure: StoreFailure) async {
        connected?.ledger.unsaved.putBack(taken.unsaved)
        connected?.isOutboxUnsaved = true
        switch failure.kind {
        case .wiped:
            connected?.keepsRooms = false
            connected?.isOutboxUnsaved = false
        case .damaged: await startOver(after: failure)
        case .full, .newer, .unavailable:
            tellStorage(failure.message, isPassing: true)
            connected?.saveFailures += 1
            startTimer(.storage, delay(failures: connected?.saveFailures ?? 1)) { worker in await worker.retrySaving() }
        }
    }

    /// What has not been stored yet would be asked for again by the next run; so it is stored now, if it can be.
    func saveAtEnd() async {
        saveUnsaved()
        await connected?.saving?.value
    }

    private func retrySaving() {
        connected?.timers[.storage] = nil
        saveUnsaved()
    }

    /// The store has lost what it had, or cannot be read: everything is asked for anew, and unsent messages stay.
    private func startOver(after failure: StoreFailure) async {
        guard let old = connected else { return }
        let messages = old.unsentMessages
        let isKept: Bool
        do {
            try await old.store.save(StoreChanges(outbox: messages.map { .put($0) }, isDurable: true))
            isKept = failure.kind == .damaged
        } catch { isKept = false }
        guard isCurrent(old.number) else { return }
        tearDown()
        environment.activity.run("store") { [weak self] in
            await self?.begin(old.session, carrying: messages, usesStore: isKept, fault: failure.message)
        }
    }
}

extension ChatConnection {
    /// Whether what is known is to outlive the process: not once the server has ended the session.
    var isKept: Bool { sync.phase != .ended || sync.isExpired }

    var hasUnsaved: Bool {
        isOutboxUnsaved || keepsRooms && (!ledger.unsaved.isEmpty || sync.position != savedPosition)
    }

    var unsentMessages: [StoredMessage] {
        outbox.rooms.flatMap { room in outbox.entries(in: room).map { StoredMessage(room: room, entry: $0) } }
    }

    fileprivate var outboxChanges: [OutboxChange] {
        let messages = unsentMessages
        let present = Set(messages.map(\.entry.message.transactionID))
        let changed = messages.filter { stored in
            let message = stored.entry.message
            return savedOutbox[message.transactionID] != message.state.storedState
        }
        return changed.map { .put($0) } + savedOutbox.keys.filter { !present.contains($0) }.map { .remove($0) }
    }
}

extension OutgoingMessage.State {
    /// Whether a message is under way does not outlive the process.
    var storedState: Self { self == .sending ? .waiting : self }
}
