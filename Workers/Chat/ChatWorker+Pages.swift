import Models

/// Older events: gaps, and pages on demand.
extension ChatWorker {
    /// Up to so many rooms of a batch are completed before it is shown; the rest show a gap that is filled afterwards.
    static let roomsFilledFirst = 20
    static let pageSize = 100
    /// Up to so many pages of one gap are fetched unasked.
    static let pagesUnasked = 10

    /// Fetches what `rooms` leave out of timelines that are known so far, so that lines appear once and in order.
    /// `gapsLeft` is how many may still be filled of the whole batch; a failure makes it none.
    func fillGaps(
        in rooms: MatrixShapes.SyncRooms, _ gapsLeft: inout Int, _ number: Int
    ) async -> [RoomID: FilledGap] {
        guard let connection = connected else { return [:] }
        var filled: [RoomID: FilledGap] = [:]
        for room in rooms.joined where room.news.timeline.limited {
            guard let position = room.news.timeline.prev_batch,
                let known = connection.ledger.rooms[room.id]?.known, !known.isEmpty,
                // Where the oldest event has come before, nothing is missing above it.
                room.news.timeline.events.first?.event_id.map({ known.contains($0) }) != true
            else { continue }
            guard isCurrent(number) else { break }
            let gap = RoomLedger.Gap(position: position, end: connection.sync.position)
            guard gapsLeft > 0 else {
                filled[room.id] = FilledGap(rest: gap)
                continue
            }
            let found = await fetch(gap, in: room.id, connection)
            filled[room.id] = found
            gapsLeft = found.rest == nil ? gapsLeft - 1 : 0
        }
        return filled
    }

    /// Goes back from the gap's position until all is known; what fails or is too much stays as the rest.
    private func fetch(_ gap: RoomLedger.Gap, in room: RoomID, _ connection: ChatConnection) async -> FilledGap {
        let known = connection.ledger.rooms[room]?.known ?? []
        var newestFirst: [MatrixShapes.Event] = []
        var rest = gap
        for _ in 0..<Self.pagesUnasked {
            guard
                let page = try? await connection.service.messages(
                    in: room, from: rest.position, to: gap.end, limit: Self.pageSize)
            else { return FilledGap(events: newestFirst.reversed(), rest: rest) }
            let missing = page.chunk.prefix { event in event.event_id.map { !known.contains($0) } ?? true }
            newestFirst += missing
            let isWhole = missing.count < page.chunk.count || page.end == nil
            guard !isWhole, let next = page.end, next != rest.position, next != gap.end else {
                return FilledGap(events: newestFirst.reversed())
            }
            rest.position = next
        }
        rest.isDeferred = true
        return FilledGap(events: newestFirst.reversed(), rest: rest)
    }

    /// Tries the first gap that is to be filled unasked, if none is being filled.
    func fillNextGap() {
        guard let connection = connected, !connection.isFillingGap, connection.timers[.gap] == nil,
            connection.ledger.state.connection == .online,
            let (room, id, gap) = firstGap(connection)
        else { return }
        connected?.isFillingGap = true
        environment.activity.run("gap") { [weak self] in
            guard let filled = await self?.fetch(gap, in: room, connection) else { return }
            await self?.filledGap(id, in: room, gap, filled, connection.number)
        }
    }

    private func firstGap(_ connection: ChatConnection) -> (RoomID, EventID, RoomLedger.Gap)? {
        for (room, ledger) in connection.ledger.rooms where !ledger.gaps.isEmpty {
            for (id, gap) in ledger.gaps where !gap.isDeferred { return (room, id, gap) }
        }
        return nil
    }

    private func filledGap(
        _ id: EventID, in room: RoomID, _ gap: RoomLedger.Gap, _ filled: FilledGap, _ number: Int
    ) {
        guard isCurrent(number) else { return }
        connected?.isFillingGap = false
        insert(filled, into: id, in: room)
        let isStuck = filled.rest.map { $0.position == gap.position } ?? false
        let failures = isStuck ? (connected?.gapFailures ?? 0) + 1 : 0
        connected?.gapFailures = failures
        guard isStuck else { return fillNextGap() }
        startTimer(.gap, delay(failures: failures)) { worker in await worker.retryGap() }
    }

    private func retryGap() {
        connected?.timers[.gap] = nil
        fillNextGap()
    }

    private func insert(_ filled: FilledGap, into gap: EventID, in room: RoomID) {
        note(connected?.ledger.change(room) { $0.fill(gap, with: filled) } ?? [])
        settleEchoes(in: room, filled.events)
        flush()
    }

    public func loadOlder(in room: RoomID) async throws(ChatError) -> Bool {
        let connection = try current()
        if let task = connection.olderPages[room] { return try await task.joined.get() }
        let result = await environment.activity.during("older") {
            let task = SharedWork { () -> Result<Bool, ChatError> in
                do throws(ChatError) { return .success(try await self.fetchOlder(in: room, connection.number)) } catch {
                    return .failure(error)
                }
            }
            connected?.olderPages[room] = task
            return await task.value
        }
        if isCurrent(connection.number) { connected?.olderPages[room] = nil }
        return try result.get()
    }

    /// A gap that was too large to be filled unasked comes first. Then pages, until one has something to show.
    private func fetchOlder(in room: RoomID, _ number: Int) async throws(ChatError) -> Bool {
        await complete([room], number)
        if let hasOlder = try await storedPage(in: room, number) { return hasOlder }
        let connection = try current()
        guard let ledger = connection.ledger.rooms[room], let before = connection.ledger.state.rooms[room] else {
            throw .unknownRoom
        }
        if let (id, gap) = ledger.gaps.first(where: { $0.value.isDeferred }) {
            let filled = await fetch(gap, in: room, connection)
            guard isCurrent(number) else { throw .notConnected }
            insert(filled, into: id, in: room)
            return true
        }
        for _ in 0..<Self.pagesUnasked {
            guard let position = connected?.ledger.rooms[room]?.olderPosition else { return false }
            let page: MatrixShapes.Messages
            do throws(ChatServiceError) {
                page = try await connection.service.messages(in: room, from: position, to: nil, limit: 30)
            } catch { throw ChatError(error) }
            guard isCurrent(number) else { throw .notConnected }
            note(connected?.ledger.change(room) { $0.prependOlder(page) } ?? [])
            settleEchoes(in: room, page.chunk)
            flush()
            let now = connected?.ledger.state.rooms[room]?.timeline
            if now?.items.count != before.timeline.items.count { break }
        }
        return connected?.ledger.rooms[room]?.olderPosition != nil
    }
}
