import Models
import SQLite

/// One `GET /sync`. Client-server API, "Syncing".
struct SyncRequest: Sendable {
    var user: UserID
    var device: DeviceID
    /// Nil for a first sync.
    var since: SyncToken?
    var timeout = Duration.zero
    var filter = SyncFilter()
    var fullState = false
    /// What asking does to the asker's presence; `offline` is nothing.
    var setPresence = Presence.State.online
    var pollID: String?
    var cause = RequestCause(activity: nil)
}

extension Chat {
    /// Answers at once if there is anything to tell, or else as soon as there is, or when the time is over.
    ///
    /// `doubts` is `waitingRoom.doubts` from before the token was looked at; `authenticate` looks at it again and
    /// returns that number anew.
    func sync(
        _ request: SyncRequest, doubts: Int, authenticate: () async throws -> Int
    ) async throws -> [UInt8] {
        if request.setPresence != .offline {
            handle(.syncBegan(state: request.setPresence), of: request.user)
        }
        defer { if request.setPresence != .offline { handle(.syncEnded, of: request.user) } }
        var (since, doubts) = (request.since, doubts)
        let deadline = environment.clock.now + min(request.timeout, pollHold)
        while true {
            let plan = waitingRoom.look { $0.plan(for: request.user, since: since) }
            let (body, isEmpty) = try await answer(plan, request)
            let isAtOnce = request.since == nil || request.fullState
            guard isEmpty, !isAtOnce, environment.clock.now < deadline else { return body }
            since = plan.upTo
            let guest = WaitingRoom.Guest(
                user: request.user, device: request.device, since: plan.upTo, doubts: doubts,
                pollID: request.pollID, cause: request.cause)
            switch await wait(guest, until: deadline) {
            case .news: continue
            case .timeout, .turnedAway: return body
            case .doubt: doubts = try await authenticate()
            }
        }
    }

    /// A task that is cancelled waits no longer: its client has gone.
    private func wait(_ guest: WaitingRoom.Guest, until deadline: Timestamp) async -> WaitingRoom.Reason {
        let seat = Locked<(id: Int?, isGivenUp: Bool)>((nil, false))
        return await withTaskCancellationHandler {
            await waitingRoom.wait(guest) { [environment, waitingRoom] id in
                let isGivenUp = seat.withLock { seat in
                    seat.id = id
                    return seat.isGivenUp
                }
                if isGivenUp { waitingRoom.wake(id, .turnedAway) }
                return environment.after(deadline - environment.clock.now, "poll hold") {
                    waitingRoom.wake(id, .timeout)
                }
            }
        } onCancel: { [waitingRoom] in
            let id = seat.withLock { seat in
                seat.isGivenUp = true
                return seat.id
            }
            if let id { waitingRoom.wake(id, .turnedAway) }
        }
    }

    private func answer(_ plan: SyncPlan, _ request: SyncRequest) async throws -> (body: [UInt8], isEmpty: Bool) {
        if plan.isEmpty, plan.since != nil, !request.fullState { return (Self.nothing(plan.upTo), true) }
        let viewer = Viewer(user: request.user, device: request.device, now: environment.clock.now)
        return try await read { events in
            let reader = SyncReader(
                events: events, plan: plan, viewer: viewer, filter: request.filter, fullState: request.fullState,
                chat: self, name: try events.connection.profile(of: request.user, serverName)?.name ?? "")
            return try reader.answer()
        }
    }

    private static func nothing(_ token: SyncToken) -> [UInt8] {
        var buffer = JSONBuffer(capacity: 64)
        buffer.object { $0.member("next_batch", token.text) }
        return buffer.bytes
    }
}

/// What is fleeting: who types and who is there.
extension Chat {
    func handle(_ event: TypingBoard.Event) {
        let now = environment.clock.now
        let actions = waitingRoom.update { board in
            let actions = board.typing.handle(event, now: now)
            var concerned: Set<UserID> = []
            for case .publish(let room) in actions { concerned.formUnion(board.noteTyping(in: room)) }
            return (actions, concerned)
        }
        for case .wake(let room, let time) in actions {
            _ = environment.after(time - now, "typing") { [weak self] in self?.handle(.timePassed(room)) }
        }
    }

    func handle(_ event: PresenceBoard.Event, of user: UserID) {
        let now = environment.clock.now
        let actions = waitingRoom.update { board in
            let actions = board.presence.handle(event, of: user, now: now)
            var concerned: Set<UserID> = []
            for case .publish(let user) in actions { concerned.formUnion(board.notePresence(of: user)) }
            return (actions, concerned)
        }
        for action in actions { perform(action, now) }
    }

    private func perform(_ action: PresenceBoard.Action, _ now: Timestamp) {
        switch action {
        case .publish: break
        case .wake(let user, let time):
            _ = environment.after(time - now, "presence") { [weak self] in self?.handle(.timePassed, of: user) }
        case .save(let user):
            environment.activity.run("presence") { [database, waitingRoom] in
                // Presence is worth no failure: the next change saves it again.
                _ = try? await database.write { connection in
                    // Two of these may overtake each other, so each saves what is so by now.
                    guard let person = waitingRoom.look({ $0.presence.person(user) }), let time = person.lastActiveAt
                    else { return }
                    try connection.run(
                        """
                        INSERT INTO presence VALUES (?, ?, ?) ON CONFLICT DO UPDATE
                        SET last_active_at = excluded.last_active_at, status_message = excluded.status_message
                        """, user.raw, time.milliseconds, person.message)
                }
            }
        }
    }
}
