import Models

/// What the server holds in memory: where each room's news stands, who is in which room, who types and who is there.
///
/// All of it can be drawn anew from the database, but for typing and presence, which need not outlive the server.
struct NewsBoard: Sendable {
    /// Everything committed up to here has been told.
    private(set) var position: Int64
    let boot: Int64
    private(set) var fleeting: Int64 = 1
    private var members: [RoomID: [UserID: MembershipRecord]] = [:]
    private var standings: [UserID: [RoomID: MembershipRecord]] = [:]
    private var newestEvent: [RoomID: Int64] = [:]
    private var newestReceipt: [RoomID: Int64] = [:]
    private var newestAccountData: [UserID: Int64] = [:]
    private var newestTyping: [RoomID: Int64] = [:]
    private var newestStanding: [RoomID: Int64] = [:]
    private var newestPresence: [UserID: Int64] = [:]
    /// Changes of presence in their order, for looking up the newest ones; pruned now and then.
    private var presenceLog: [(place: Int64, user: UserID)] = []
    var typing = TypingBoard()
    var presence = PresenceBoard()

    init(position: Int64, boot: Int64) {
        self.position = position
        self.boot = boot
    }

    var token: SyncToken { SyncToken(position: position, boot: boot, fleeting: fleeting) }

    /// Takes in what has been committed; returns whom it concerns.
    mutating func take(_ news: News) -> Set<UserID> {
        position = max(position, news.position)
        var concerned = Set(news.accountData.keys)
        for standing in news.standings {
            set(standing)
            concerned.insert(standing.user)
        }
        for (room, position) in news.events {
            newestEvent[room] = max(newestEvent[room] ?? 0, position)
            concerned.formUnion(joined(room))
        }
        for (room, position) in news.receipts {
            newestReceipt[room] = max(newestReceipt[room] ?? 0, position)
            concerned.formUnion(joined(room))
        }
        for (user, position) in news.accountData {
            newestAccountData[user] = max(newestAccountData[user] ?? 0, position)
        }
        for user in news.renamed { concerned.formUnion(notePresence(of: user)) }
        return concerned
    }

    private mutating func set(_ standing: News.Standing) {
        members[standing.room, default: [:]][standing.user] = standing.record
        standings[standing.user, default: [:]][standing.room] = standing.record
        newestStanding[standing.room] = max(newestStanding[standing.room] ?? 0, standing.record.position)
    }

    /// What was stored before the server started.
    mutating func recall(_ standing: News.Standing) { set(standing) }
    mutating func recall(newestEvent position: Int64, of room: RoomID) { newestEvent[room] = position }
    mutating func recall(newestReceipt position: Int64, of room: RoomID) { newestReceipt[room] = position }
    mutating func recall(newestAccountData position: Int64, of user: UserID) {
        newestAccountData[user] = position
    }

    /// The people typing in `room` have changed; returns whom it concerns.
    mutating func noteTyping(in room: RoomID) -> Set<UserID> {
        fleeting += 1
        newestTyping[room] = fleeting
        return Set(joined(room))
    }

    /// The presence of `user` has changed; returns whom it concerns.
    mutating func notePresence(of user: UserID) -> Set<UserID> {
        fleeting += 1
        newestPresence[user] = fleeting
        presenceLog.append((fleeting, user))
        if presenceLog.count > 2 * newestPresence.count + 64 {
            presenceLog.removeAll { newestPresence[$0.user] != $0.place }
        }
        return peers(of: user)
    }
}

/// Looking things up.
extension NewsBoard {
    func joined(_ room: RoomID) -> [UserID] {
        members[room]?.compactMap { $0.value.membership == .join ? $0.key : nil } ?? []
    }

    func record(of user: UserID, in room: RoomID) -> MembershipRecord? { standings[user]?[room] }

    func rooms(of user: UserID) -> [RoomID: MembershipRecord] { standings[user] ?? [:] }

    /// Everybody who is in a room together with `user`, and `user`.
    func peers(of user: UserID) -> Set<UserID> {
        var peers: Set<UserID> = [user]
        for (room, record) in standings[user] ?? [:] where record.membership == .join {
            peers.formUnion(joined(room))
        }
        return peers
    }

    /// Up to five people to name the room by, and how many are in it. Client-server API, `RoomSummary`.
    func summary(of room: RoomID, for user: UserID) -> RoomSummary {
        let all = members[room] ?? [:]
        let others = all.filter { $0.key != user }.sorted {
            ($0.value.seniority, $0.key) < ($1.value.seniority, $1.key)
        }
        let present = others.filter { $0.value.membership == .join || $0.value.membership == .invite }
        let heroes = (present.isEmpty ? others : present).prefix(5)
        return RoomSummary(
            heroes: heroes.map(\.key), joinedCount: all.values.count { $0.membership == .join },
            invitedCount: all.values.count { $0.membership == .invite })
    }

    /// What `user`, who knows everything up to `since`, has to be told; nil since for somebody who knows nothing.
    func plan(for user: UserID, since: SyncToken?) -> SyncPlan {
        let known = known(since)
        var plan = SyncPlan(upTo: token, since: since.map { _ in known })
        for (room, record) in standings[user] ?? [:] where isNews(room, record, known, isFirst: since == nil) {
            plan.rooms.append(
                SyncPlan.Room(
                    id: room, record: record, typing: typing(in: room, record, known, since == nil),
                    hasNewReceipts: newestReceipt[room] ?? 0 > known.position,
                    hasNewEvents: newestEvent[room] ?? 0 > known.position,
                    hasNewStandings: newestStanding[room] ?? 0 > known.position))
        }
        plan.hasAccountData = newestAccountData[user] ?? 0 > known.position
        plan.presence = presenceNews(for: user, known)
        return plan
    }

    /// Whether `plan` would tell `user` anything.
    func hasNews(for user: UserID, since: SyncToken) -> Bool {
        let known = known(since)
        if newestAccountData[user] ?? 0 > known.position { return true }
        for (room, record) in standings[user] ?? [:] where isNews(room, record, known, isFirst: false) {
            return true
        }
        return !presenceNews(for: user, known).isEmpty
    }

    /// Nothing fleeting is known from before this start of the server, and nothing that has not happened yet.
    private func known(_ since: SyncToken?) -> SyncToken {
        guard var known = since else { return .start }
        known.position = min(known.position, position)
        if known.boot != boot { known.fleeting = 0 }
        known.boot = boot
        return known
    }

    private func isNews(_ room: RoomID, _ record: MembershipRecord, _ known: SyncToken, isFirst: Bool) -> Bool {
        switch record.membership {
        case .join:
            return isFirst || record.position > known.position || newestEvent[room] ?? 0 > known.position
                || newestReceipt[room] ?? 0 > known.position || newestTyping[room] ?? 0 > known.fleeting
        case .invite: return record.position > known.position
        case .leave, .ban, .knock: return !record.isForgotten && record.position > known.position
        }
    }

    private func typing(
        in room: RoomID, _ record: MembershipRecord, _ known: SyncToken, _ isFirst: Bool
    ) -> [UserID]? {
        guard record.membership == .join else { return nil }
        let people = typing.people(in: room)
        if isFirst || record.joinedAt > known.position { return people.isEmpty ? nil : people }
        return newestTyping[room] ?? 0 > known.fleeting ? people : nil
    }

    private func presenceNews(for user: UserID, _ known: SyncToken) -> [SyncPlan.Presence] {
        var people = known.fleeting == 0 ? peers(of: user) : changedPeers(of: user, since: known.fleeting)
        people.formUnion(newPeers(of: user, since: known.position))
        return people.sorted().compactMap { peer in
            presence.person(peer).map { SyncPlan.Presence(user: peer, person: $0) }
        }
    }

    private func changedPeers(of user: UserID, since place: Int64) -> Set<UserID> {
        var changed: Set<UserID> = []
        for entry in presenceLog.reversed() {
            guard entry.place > place else { break }
            if shareRoom(user, entry.user) { changed.insert(entry.user) }
        }
        return changed
    }

    private func shareRoom(_ one: UserID, _ other: UserID) -> Bool {
        guard one != other else { return true }
        return standings[one]?.contains { room, record in
            record.membership == .join && members[room]?[other]?.membership == .join
        } ?? false
    }

    /// Those whom `user` shares a room with since then, since one of the two has joined it.
    private func newPeers(of user: UserID, since position: Int64) -> Set<UserID> {
        var peers: Set<UserID> = []
        for (room, record) in standings[user] ?? [:] where record.membership == .join {
            guard newestStanding[room] ?? 0 > position else { continue }
            let isNew = record.joinedAt > position
            for (peer, other) in members[room] ?? [:]
            where other.membership == .join && (isNew || other.joinedAt > position) {
                peers.insert(peer)
            }
        }
        return peers
    }
}

/// Whom a room without a name is named by.
struct RoomSummary: Equatable, Sendable {
    var heroes: [UserID]
    var joinedCount: Int
    var invitedCount: Int
}

/// What a sync has to look at.
struct SyncPlan: Sendable {
    struct Room: Sendable {
        var id: RoomID
        var record: MembershipRecord
        /// Who types, where that is news.
        var typing: [UserID]?
        var hasNewReceipts: Bool
        var hasNewEvents: Bool
        /// Whether anybody has come, gone or changed their name.
        var hasNewStandings: Bool
    }

    struct Presence: Sendable {
        var user: UserID
        var person: PresenceBoard.Person
    }

    var upTo: SyncToken
    /// Nil for a first sync.
    var since: SyncToken?
    var rooms: [Room] = []
    var hasAccountData = false
    var presence: [Presence] = []

    var isEmpty: Bool { rooms.isEmpty && !hasAccountData && presence.isEmpty }
}
