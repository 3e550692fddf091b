import Models

/// Who is there. Client-server API, "Presence": online while syncing, unavailable when idle, offline soon after the
/// last sync has ended.
struct PresenceBoard: Sendable {
    enum Event: Equatable, Sendable {
        /// A sync has begun; `state` is what its `set_presence` asks for.
        case syncBegan(state: Presence.State)
        /// A sync that was told of has ended.
        case syncEnded
        /// Something was done that only a person does.
        case acted
        case set(Presence.State, message: String?)
        /// The person's timer has fired.
        case timePassed
    }

    enum Action: Equatable, Sendable {
        case publish(UserID)
        /// Tell `timePassed` then.
        case wake(UserID, at: Timestamp)
        /// What must outlive the server has changed.
        case save(UserID)
    }

    struct Person: Equatable, Sendable {
        var state = Presence.State.offline
        var lastActiveAt: Timestamp?
        var message: String?
        fileprivate(set) var syncs = 0
        fileprivate var lastSyncEndedAt: Timestamp?
        fileprivate var savedAt: Timestamp?
        fileprivate var timer: Timestamp?
    }

    /// Without any act for so long, somebody who is online counts as idle.
    static let idleAfter = Duration.seconds(300)
    /// So long after the last sync has ended, somebody counts as gone.
    static let goneAfter = Duration.seconds(30)
    /// How stale the stored time of the latest act may be.
    private static let saveEvery = Duration.seconds(60)

    private var people: [UserID: Person] = [:]

    /// What is remembered from before the server started.
    mutating func recall(_ user: UserID, lastActiveAt: Timestamp, message: String?) {
        people[user] = Person(lastActiveAt: lastActiveAt, message: message)
    }

    func person(_ user: UserID) -> Person? { people[user] }

    mutating func handle(_ event: Event, of user: UserID, now: Timestamp) -> [Action] {
        let old = people[user] ?? Person()
        var person = old
        switch event {
        case .syncBegan(let state):
            person.syncs += 1
            begin(&person, state, now)
        case .syncEnded:
            person.syncs = max(0, person.syncs - 1)
            person.lastSyncEndedAt = now
        case .acted:
            person.lastActiveAt = now
            if person.state == .unavailable { person.state = .online }
        case .set(let state, let message):
            person.state = state
            person.message = message
            if state == .online { person.lastActiveAt = now }
            if person.syncs == 0 { person.lastSyncEndedAt = now }
        case .timePassed:
            person.timer = nil
            expire(&person, now)
        }
        let actions = consequences(user, old, &person, now)
        people[user] = person
        return actions
    }

    private func begin(_ person: inout Person, _ state: Presence.State, _ now: Timestamp) {
        switch (state, person.state) {
        case (.online, .offline):
            person.state = .online
            person.lastActiveAt = now
        case (.unavailable, .offline), (.unavailable, .online): person.state = .unavailable
        default: break
        }
    }

    private func expire(_ person: inout Person, _ now: Timestamp) {
        if let deadline = goneAt(person), deadline <= now { person.state = .offline }
        if let deadline = idleAt(person), deadline <= now { person.state = .unavailable }
    }

    private func goneAt(_ person: Person) -> Timestamp? {
        guard person.state != .offline, person.syncs == 0 else { return nil }
        return person.lastSyncEndedAt.map { $0 + Self.goneAfter }
    }

    private func idleAt(_ person: Person) -> Timestamp? {
        guard person.state == .online else { return nil }
        return person.lastActiveAt.map { $0 + Self.idleAfter }
    }

    private func consequences(
        _ user: UserID, _ old: Person, _ person: inout Person, _ now: Timestamp
    ) -> [Action] {
        var actions: [Action] = []
        let isChanged = person.state != old.state || person.message != old.message
        if isChanged { actions.append(.publish(user)) }
        if let lastActiveAt = person.lastActiveAt {
            let isStale = person.savedAt.map { now - $0 >= Self.saveEvery } ?? true
            if isChanged || (lastActiveAt != old.lastActiveAt && isStale) {
                person.savedAt = now
                actions.append(.save(user))
            }
        }
        let next = [goneAt(person), idleAt(person)].compactMap(\.self).min()
        if let next, person.timer ?? Timestamp(milliseconds: .max) > next {
            person.timer = next
            actions.append(.wake(user, at: next))
        }
        return actions
    }
}
