import Models
import Workers

/// What comes from outside: the chat's news, and the server's list.
extension ListContactsInteractor {
    func receive(_ update: ChatUpdate) {
        guard !isOver else { return }
        if let reason = Login.Reason(update.changes) { return endSession(reason) }
        apply(update.state)
        let isBack = update.changes.contains(.connection) && connection == .online
        let isChanged = update.changes.contains(.contacts)
        // A fetch under way may have been answered before the change, or fail for the connection that was.
        if isChanged || isBack { fetching.change() }
        guard !isLoading, !fetching.isFetching, (isChanged && !fetching.isPausing) || (isBack && isStale) else {
            return
        }
        environment.activity.run("fetch contacts") { [weak self] in await self?.fetchInBackground() }
    }

    func apply(_ state: ChatState) {
        guard !isOver else { return }
        if connection != state.connection, !(isLoading && state.connection == .connecting) {
            connection = state.connection
            presentReachability()
        }
        if storageFault != state.storageFault {
            storageFault = state.storageFault
            if let storageFault {
                presenter.presentFailure(response: ListContacts.Failure.Response(error: .storage(storageFault)))
            }
        }
        handle(.news(state))
    }

    /// Tells each happening, then shows the list. While the list is loading nothing has happened yet.
    func handle(_ event: ContactRoster.Event) {
        guard let happenings = roster?.handle(event), !isLoading else { return }
        tell(happenings)
        presentContacts()
    }

    private func tell(_ happenings: [ContactRoster.Happening]) {
        guard let people = roster?.people else { return }
        for happening in happenings where !isExpected(happening) {
            var circle = people
            // Who is gone is not in the circle any more, and is to be named as when they were.
            if let former = happening.formerName, circle[happening.id] == nil { circle[happening.id] = former }
            presenter.presentEvent(
                response: ListContacts.Event.Response(
                    kind: happening.kind, id: happening.id, formerName: happening.formerName, people: circle))
        }
    }

    /// Where contacts come in by themselves, whoever was just added does so at once.
    private func isExpected(_ happening: ContactRoster.Happening) -> Bool {
        guard happening.kind == .joined, let time = added[happening.id] else { return false }
        return environment.clock.now - time < .seconds(30)
    }

    /// Fetches the list and applies it. Returns the error where there was one.
    func fetch(isReload: Bool = false) async -> UsersError? {
        fetching.cancelPause()
        defer { if !isOver { fetching.catchUp(environment) { [weak self] in await self?.fetchInBackground() } } }
        do throws(UsersError) {
            let contacts = try await fetching.newest(while: { !isOver }) {
                () async throws(UsersError) in try await users.contacts()
            }
            guard let contacts else { return nil }
            isStale = false
            applyFetched(contacts, isReload: isReload)
            return nil
        } catch { return error }
    }

    private func applyFetched(_ contacts: [Contact], isReload: Bool) {
        guard !isOver, let roster else { return }
        // Nothing was shown until now: the list is new as a whole, and no happening.
        let isFirst = !roster.isFetched && roster.standings.isEmpty
        guard let happenings = self.roster?.handle(.fetched(contacts)), !isLoading else { return }
        if !isReload, !isFirst { tell(happenings) }
        presentContacts(isReload: isReload || isFirst)
    }

    private func fetchInBackground() async {
        guard !isOver, let error = await fetch(), !isOver else { return }
        fail(error)
    }

    /// A failure that is the connection's is on the banner already; the list is fetched again when there is one.
    func fail(_ error: UsersError) {
        isStale = true
        if let reason = Login.Reason(error) { return endSession(reason) }
        if case .network = error, connection.isOffline { return }
        presenter.presentFailure(response: ListContacts.Failure.Response(error: error))
    }
}

extension ContactRoster {
    /// Messages of one's own that the server does not have.
    var unsentCount: Int {
        (state?.rooms.values ?? [:].values).reduce(0) { $0 + $1.timeline.unsentCount }
    }
}

extension Timeline {
    /// Messages of one's own that the server does not have.
    var unsentCount: Int {
        outgoing.count { message in
            if case .sent = message.state { return false }
            return true
        }
    }
}

extension OutgoingMessage {
    /// The server has it or will get it; not so of one that has failed.
    var isOnItsWay: Bool {
        if case .failed = state { return false }
        return true
    }
}

extension Connection {
    var isOffline: Bool {
        if case .offline = self { return true }
        return false
    }
}
