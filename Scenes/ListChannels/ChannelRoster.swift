import Foundation
import Models

/// The channels in order: those that sync and those of the public list, made one by the ids of their rooms.
///
/// A value that returns what has happened to which; each happening is told once.
struct ChannelRoster: Sendable {
    enum Event: Sendable {
        /// The whole public list.
        case fetched([PublicRoom])
        case news(ChatState)
    }

    struct Happening: Equatable, Sendable {
        var kind: ListChannels.Event.Kind
        var channel: ListChannels.ChannelStanding
        var formerName: RemoteText?
    }

    let ownID: UserID
    /// In the order of the rows.
    private(set) var standings: [ListChannels.ChannelStanding] = []
    private(set) var people: [UserID: RemoteText] = [:]
    private var state: ChatState?
    private var listed: [PublicRoom] = []
    private var keys: [RoomID: (name: RemoteText?, key: String)] = [:]
    private let folding: NameFolding

    init(ownID: UserID, locale: Locale) {
        self.ownID = ownID
        folding = NameFolding(locale)
    }

    mutating func handle(_ event: Event) -> [Happening] {
        let before = standings
        switch event {
        case .fetched(let rooms): listed = rooms
        case .news(let state):
            let isSame = self.state.map { $0.hasSameChannels(as: state) } ?? false
            self.state = state
            if isSame { return [] }
            keepNames(of: before.filter { $0.kind == .joined && state.rooms[$0.id]?.membership != .join })
        }
        rebuild()
        return happenings(since: before)
    }
}

extension ChannelRoster {
    /// What one has known of a channel as its member is newer than the list that was fetched before.
    private mutating func keepNames(of left: [ListChannels.ChannelStanding]) {
        guard !left.isEmpty else { return }
        let names = Dictionary(left.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        for index in listed.indices {
            if let name = names[listed[index].id] { listed[index].name = name }
        }
    }

    private mutating func rebuild() {
        people = [:]
        let direct = Set((state?.directRooms.values.joined()).map(Array.init) ?? [])
        var found: [RoomID: ListChannels.ChannelStanding] = [:]
        for room in listed {
            let isGone = state?.rooms[room.id]?.isDeleted == true
            guard !direct.contains(room.id), !isGone, found[room.id] == nil else { continue }
            found[room.id] = standing(of: room)
        }
        for room in state?.rooms.values ?? [:].values {
            // An invitation to a chat of two stands here until it is accepted: then it is a contact's.
            guard room.membership == .invite || (room.membership == .join && !room.isDirect), !room.isDeleted,
                !direct.contains(room.id), !isReplaced(room), found[room.id] != nil || !isBeingMade(room)
            else { continue }
            found[room.id] = standing(of: room, listed: found[room.id])
        }
        var ordered: [(key: String, standing: ListChannels.ChannelStanding)] = []
        ordered.reserveCapacity(found.count)
        for standing in found.values {
            let kept = keys[standing.id].flatMap { $0.name == standing.name ? $0.key : nil }
            ordered.append((kept ?? folded(standing.shownName), standing))
        }
        ordered.sort { $0.key == $1.key ? $0.standing.id < $1.standing.id : $0.key < $1.key }
        keys = [:]
        for (key, standing) in ordered { keys[standing.id] = (standing.name, key) }
        standings = ordered.map { $0.standing }
    }

    /// One is in the room that has taken its place.
    private func isReplaced(_ room: RoomState) -> Bool {
        room.replacement.flatMap { state?.rooms[$0] }?.membership == .join
    }

    /// What makes a channel may come in parts, and the name last: it is there once it can be called something. The rule of
    /// who may join stands before it. Client-server API, "Creation".
    private func isBeingMade(_ room: RoomState) -> Bool {
        room.membership == .join && room.joinRule == nil && room.name == nil && room.canonicalAlias == nil
            && room.members.keys.allSatisfy { $0 == ownID }
    }

    private func folded(_ name: RemoteText) -> String { folding.folded(Visible.trimmed(name.unsanitised)) }

    private mutating func standing(of room: PublicRoom) -> ListChannels.ChannelStanding {
        // Not every server's list tells who made a channel; whoever was in it knows.
        let known = state?.rooms[room.id]
        let creator = room.creator ?? known?.creator
        if let creator, let name = room.creatorName ?? known?.members[creator]?.displayName { people[creator] = name }
        // General is entered before the list is fetched; that the sync has yet to say so is no news of its own.
        let isEntered = state?.general == room.id && known == nil
        return ListChannels.ChannelStanding(
            id: room.id, name: Self.visible(room.name) ?? room.alias.map { RemoteText($0) },
            kind: isEntered ? .joined : .open,
            isGeneral: state?.general == room.id || room.alias == state?.generalAlias, creator: creator,
            memberCount: room.joinedCount)
    }

    private mutating func standing(
        of room: RoomState, listed: ListChannels.ChannelStanding?
    ) -> ListChannels.ChannelStanding {
        for person in [room.creator, room.inviter].compactMap({ $0 }) {
            if let name = room.members[person]?.displayName { people[person] = name }
        }
        let alias = room.canonicalAlias.map { RemoteText($0) }
        return ListChannels.ChannelStanding(
            id: room.id, name: Self.visible(room.name) ?? listed?.name ?? alias ?? names(of: room),
            kind: room.membership == .invite ? .invited : .joined,
            isPrivate: listed == nil && room.joinRule != "public",
            isGeneral: state?.isGeneral(room) ?? false, creator: room.creator ?? listed?.creator,
            inviter: room.inviter, memberCount: room.joinedCount ?? listed?.memberCount,
            unreadCount: room.unreadCount)
    }

    private static func visible(_ name: RemoteText?) -> RemoteText? {
        name.flatMap { Visible.hasAnything($0.unsanitised) ? $0 : nil }
    }

    /// A room without a name is called after its people.
    private func names(of room: RoomState) -> RemoteText? {
        let others = room.members.values.filter {
            $0.id != ownID && ($0.membership == .join || $0.membership == .invite)
        }
        .sorted { $0.id < $1.id }
        let names = others.prefix(3).map { Self.visible($0.displayName)?.unsanitised ?? $0.id.raw }
        guard !names.isEmpty else { return nil }
        let more = others.count - names.count
        return RemoteText(names.joined(separator: ", ") + (more > 0 ? " and \(more) more" : ""))
    }

    private func happenings(since before: [ListChannels.ChannelStanding]) -> [Happening] {
        let former = Dictionary(before.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let present = Set(standings.map(\.id))
        let gone = before.filter { !present.contains($0.id) }.map { standing in
            Happening(kind: isDeleted(standing) ? .deleted : .removed, channel: standing)
        }
        return gone + standings.flatMap { changes(from: former[$0.id], to: $0) }
    }

    /// One that is gone from the public list may only be unlisted; whoever made it is believed that it is deleted.
    private func isDeleted(_ standing: ListChannels.ChannelStanding) -> Bool {
        if state?.rooms[standing.id]?.isDeleted == true { return true }
        guard let creator = standing.creator else { return false }
        return state?.deletionsAnnounced[standing.id] == creator
    }

    private func changes(
        from former: ListChannels.ChannelStanding?, to now: ListChannels.ChannelStanding
    ) -> [Happening] {
        guard let former else { return [Happening(kind: now.kind == .invited ? .invited : .added, channel: now)] }
        var result: [Happening] = []
        if let old = former.name, let new = now.name, old != new {
            result.append(Happening(kind: .renamed, channel: now, formerName: old))
        }
        switch (former.kind, now.kind) {
        case (.open, .joined), (.invited, .joined): result.append(Happening(kind: .joined, channel: now))
        case (.joined, .open): result.append(Happening(kind: .left, channel: now))
        case (.open, .invited): result.append(Happening(kind: .invited, channel: now))
        default: break
        }
        return result
    }
}

extension ChatState {
    /// Whether all is the same that the list is made of: much of the news is of something else.
    fileprivate func hasSameChannels(as other: ChatState) -> Bool {
        rooms == other.rooms && directRooms == other.directRooms && general == other.general
            && generalAlias == other.generalAlias && deletionsAnnounced == other.deletionsAnnounced
    }
}

extension ChannelRoster {
    /// Which channel is meant by `which`.
    func choose(_ which: String) -> ListChannels.ChosenChannel {
        let text = which.trimmingCharacters(in: .whitespacesAndNewlines)
        if let number = Int(text), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            let named = standings.filter { $0.name == RemoteText(text) }
            if named.count == 1 { return .found(named[0]) }
            guard standings.indices.contains(number - 1) else { return .noSuchRow(number, count: standings.count) }
            return .found(standings[number - 1])
        }
        if let standing = standings.first(where: { $0.id == RoomID(text) }) { return .found(standing) }
        let alike = named(text)
        if alike.count > 1 { return .ambiguous(text, alike.map(\.id)) }
        return alike.first.map { .found($0) } ?? .none(text)
    }

    /// Those that go by the name, blind to case.
    func named(_ name: String) -> [ListChannels.ChannelStanding] {
        let wanted = folded(RemoteText(name))
        guard !wanted.isEmpty else { return [] }
        return standings.filter { keys[$0.id]?.key == wanted }
    }
}
