import Foundation
import Models

/// The contacts with all that the chat knows of them, in order: what is fetched and what syncs, made one.
///
/// A value that returns what has happened to whom. Each happening is told once, whether the server's list or the chat's
/// news brought it first.
struct ContactRoster: Sendable {
    enum Event: Sendable {
        /// The server's whole list.
        case fetched([Contact])
        /// Added here; `again` where they were a contact before.
        case added(Contact, again: Bool)
        /// Removed here.
        case removed(UserID)
        case news(ChatState)
        case renamedOneself(User)
    }

    struct Happening: Equatable, Sendable {
        var kind: ListContacts.Event.Kind
        var id: UserID
        var formerName: RemoteText?
    }

    private(set) var own: User
    /// In the order of the rows.
    private(set) var standings: [ListContacts.ContactStanding] = []
    /// Whether the server's list has been fetched; until then the rooms shared with one person each stand for it.
    private(set) var isFetched = false
    /// As they call themselves: the contacts, and oneself.
    private(set) var people: [UserID: RemoteText]
    /// In the order of the rows since the last sorting.
    private var contacts: [Contact] = []
    private(set) var state: ChatState?
    /// Kept from one change to the next: folding a name is slow, and names change rarely.
    private var keys: [UserID: (name: RemoteText, key: SortKey)] = [:]
    private let folding: NameFolding

    init(own: User, locale: Locale) {
        self.own = own
        folding = NameFolding(locale)
        people = [own.chatID: own.name]
    }

    mutating func handle(_ event: Event) -> [Happening] {
        let before = standings
        switch event {
        case .fetched(let fetched):
            isFetched = true
            contacts = Self.unique(fetched)
        case .added(let contact, let again):
            contacts.removeAll { $0.user.chatID == contact.user.chatID }
            contacts.append(contact)
            rebuild()
            return happenings(since: before)
                + (again ? [Happening(kind: .addedAgain, id: contact.user.chatID)] : [])
        case .removed(let id): contacts.removeAll { $0.user.chatID == id }
        case .news(let state):
            self.state = state
            if !isFetched { contacts = Self.contacts(in: state) }
        case .renamedOneself(let user):
            own = user
            people[user.chatID] = user.name
        }
        rebuild()
        return happenings(since: before)
    }
}

extension ContactRoster {
    /// Sorts only where somebody came, went or changed their name: most news is of other things.
    private mutating func rebuild() {
        let fresh = contacts.map(standing)
        let isInOrder =
            fresh.count == standings.count
            && zip(fresh, standings).allSatisfy { $0.id == $1.id && $0.name == $1.name }
        guard !isInOrder else {
            standings = fresh
            return
        }
        standings = sorted(fresh)
        contacts = standings.map(\.contact)
        people = Dictionary(standings.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        people[own.chatID] = own.name
    }

    private mutating func sorted(_ unsorted: [ListContacts.ContactStanding]) -> [ListContacts.ContactStanding] {
        var keys: [UserID: (name: RemoteText, key: SortKey)] = [:]
        keys.reserveCapacity(unsorted.count)
        let keyed = unsorted.map { standing in
            let kept = self.keys[standing.id].flatMap { $0.name == standing.name ? $0.key : nil }
            let key = kept ?? SortKey(name: standing.name, id: standing.id, folding: folding)
            keys[standing.id] = (standing.name, key)
            return (standing: standing, key: key)
        }
        self.keys = keys
        return keyed.sorted { $0.key < $1.key }.map(\.standing)
    }

    private func standing(of contact: Contact) -> ListContacts.ContactStanding {
        let id = contact.user.chatID
        var standing = ListContacts.ContactStanding(contact: contact)
        standing.presence = state?.presences[id]
        guard let room = state?.rooms[contact.room.id] else { return standing }
        standing.isTyping = room.typing.contains(id)
        standing.unreadCount = room.unreadCount
        standing.newest = Self.newest(of: room.timeline, ownID: own.chatID)
        standing.membership = room.members[id]?.membership
        standing.displayName = room.members[id]?.displayName
        return standing
    }

    private func happenings(since before: [ListContacts.ContactStanding]) -> [Happening] {
        if before.count == standings.count, zip(before, standings).allSatisfy({ $0.id == $1.id }) {
            return zip(before, standings).flatMap(Self.changes)
        }
        let former = Dictionary(before.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let present = Set(standings.map(\.id))
        let gone = before.filter { !present.contains($0.id) }.map { standing in
            Happening(kind: .removed, id: standing.id, formerName: standing.name)
        }
        return gone
            + standings.flatMap { standing -> [Happening] in
                guard let former = former[standing.id] else { return [Happening(kind: .added, id: standing.id)] }
                return Self.changes(from: former, to: standing)
            }
    }

    private static func changes(
        from former: ListContacts.ContactStanding, to standing: ListContacts.ContactStanding
    ) -> [Happening] {
        var result: [Happening] = []
        if let old = former.displayName, let new = standing.displayName, old != new,
            Visible.hasAnything(old.unsanitised),
            Visible.hasAnything(new.unsanitised)
        {
            result.append(Happening(kind: .renamed, id: standing.id, formerName: old))
        }
        switch (former.membership, standing.membership) {
        case (.join?, .leave?), (.join?, .ban?), (.invite?, .leave?), (.invite?, .ban?):
            result.append(Happening(kind: .left, id: standing.id))
        case (.leave?, .join?), (.ban?, .join?): result.append(Happening(kind: .returned, id: standing.id))
        case (.invite?, .join?): result.append(Happening(kind: .joined, id: standing.id))
        default: break
        }
        return result
    }

    private static func newest(of timeline: Timeline, ownID: UserID) -> ListContacts.ContactStanding.Newest? {
        if let outgoing = timeline.outgoing.last(where: \.isOnItsWay) {
            return .init(message: Message(body: outgoing.body), isOwn: true, timestamp: outgoing.createdAt)
        }
        for item in timeline.items.reversed() {
            guard case .message(let message) = item.content else { continue }
            return .init(message: message, isOwn: item.sender == ownID, timestamp: item.timestamp)
        }
        return nil
    }

    /// The people of `m.direct`, as far as this client knows them: what there is to show before the list was fetched.
    private static func contacts(in state: ChatState) -> [Contact] {
        state.directRooms.compactMap { id, rooms in
            guard id != state.ownID,
                let room = rooms.lazy.compactMap({ state.rooms[$0] }).first(where: { $0.membership == .join })
            else { return nil }
            let name = room.members[id]?.displayName ?? RemoteText(id.raw)
            return Contact(user: User(id: 0, name: name, email: nil, chatID: id), room: Room(id: room.id))
        }
    }

    /// A list that names somebody twice names them once.
    private static func unique(_ contacts: [Contact]) -> [Contact] {
        var seen: Set<UserID> = []
        return contacts.filter { seen.insert($0.user.chatID).inserted }
    }
}
