import Foundation
import Models

/// One conversation out of the chat's state: the part of the timeline that is shown, and what follows from who is there.
///
/// A value: each piece of news is put in, each response for the presenter is read out.
struct Conversation: Sendable {
    /// How many messages are shown at first, and how many more each time older ones are asked for.
    static let pageLength = 100

    /// Fewer known older messages than these are fetched more of before they are shown.
    static let leastPageLength = 30

    /// Whom one chats with, or where.
    enum Subject: Equatable, Sendable {
        case contact(Contact)
        case channel(Channel)
    }

    let subject: Subject
    let own: User
    private let contacts: [Contact]
    private(set) var state: ChatState?
    private(set) var people: [UserID: RemoteText] = [:]
    private(set) var shownLimit = pageLength
    var isLoading = false
    /// The last try to join the channel.
    var hasJoinFailed = false

    init(contact: Contact, contacts: [Contact], own: User) {
        self.init(subject: .contact(contact), contacts: contacts, own: own)
    }

    init(subject: Subject, contacts: [Contact], own: User) {
        self.subject = subject
        self.contacts = contacts
        self.own = own
        people = knownPeople()
    }

    var contact: Contact? { if case .contact(let contact) = subject { contact } else { nil } }
    var channel: Channel? { if case .channel(let channel) = subject { channel } else { nil } }

    var roomID: RoomID {
        switch subject {
        case .contact(let contact): contact.room.id
        case .channel(let channel): channel.id
        }
    }

    /// What the channel is called now; nil with a contact.
    var channelName: RemoteText? { channel.map { room?.name ?? $0.name } }
    var isToBeJoined: Bool { channel != nil && room?.membership != .join }
    var room: RoomState? { state?.rooms[roomID] }
    var timeline: Timeline { room?.timeline ?? Timeline() }
    var isOnline: Bool { state?.connection == .online }

    /// - Parameter touchesPeople: False where the news cannot have changed anybody's name.
    mutating func take(_ state: ChatState, touchesPeople: Bool = true) {
        self.state = state
        if touchesPeople { people = knownPeople() }
    }

    mutating func showMore() { shownLimit += Self.pageLength }

    var messageCount: Int { timeline.items.count(where: \.isMessage) }

    /// Messages that are known here and stand above what is shown.
    var hasMoreKnown: Bool { messageCount > shownLimit }

    /// Too little is known above what is shown, and the server has more; offline one makes do with what is known.
    var isWorthFetchingOlder: Bool {
        guard timeline.hasOlder, isOnline || !hasMoreKnown else { return false }
        return messageCount - shownLimit < Self.leastPageLength
    }

    var hasOlder: Bool { hasMoreKnown || timeline.hasOlder }

    /// Why nothing can be sent; nil also while it is not known yet who is in the room.
    var refusal: Chatroom.SendRefusal? {
        if channel != nil {
            if room?.membership != .join { return hasJoinFailed ? .notJoined : .stillLoading }
            if isLoading { return .stillLoading }
        }
        guard let room else { return nil }
        if room.membership != .join { return .notMember }
        if room.isEncrypted { return .encrypted }
        if room.replacement != nil { return .replaced }
        guard let contact else { return nil }
        switch room.members[contact.user.chatID]?.membership {
        case .leave?, .ban?: return .otherHasLeft
        default: return nil
        }
    }

    var messages: Chatroom.Messages.Response {
        Chatroom.Messages.Response(
            contactID: contact?.user.chatID, ownID: own.chatID, people: people, items: shownItems,
            outgoing: pending, hasOlder: hasOlder, isLoading: isLoading, refusal: refusal, channelName: channelName)
    }

    var typing: Chatroom.Typing.Response {
        Chatroom.Typing.Response(
            ids: (room?.typing ?? []).filter { $0 != own.chatID }.sorted(), people: people)
    }

    var members: Chatroom.Members.Response {
        let members = room.map { Array($0.members.values) } ?? []
        let ordered = members.sorted { left, right in
            (left.membership == .join ? 0 : 1, left.id) < (right.membership == .join ? 0 : 1, right.id)
        }
        return Chatroom.Members.Response(
            members: ordered, ownID: own.chatID, presences: state?.presences ?? [:], people: people)
    }

    /// Whether it was oneself, here or with another device, who ended one's stay.
    var hasLeftByOneself: Bool {
        timeline.items.last { $0.content == .left(own.chatID) }?.sender == own.chatID
    }

    /// The newest event that others would have to be told is read; nil where there is none.
    var newestUnread: EventID? {
        guard let newest = timeline.items.last(where: { $0.content != .gap }) else { return nil }
        return newest.sender != own.chatID || (room?.unreadCount ?? 0) > 0 ? newest.id : nil
    }
}

extension Conversation {
    private var shownItems: [TimelineItem] {
        let items = timeline.items
        var left = shownLimit
        for index in items.indices.reversed() where items[index].isMessage {
            left -= 1
            if left == 0 { return messageCount > shownLimit ? Array(items[index...]) : items }
        }
        return items
    }

    /// One's own messages whose event has not come by yet.
    private var pending: [OutgoingMessage] {
        guard !timeline.outgoing.isEmpty else { return [] }
        let arrived = Set(timeline.items.compactMap(\.transactionID))
        return timeline.outgoing.filter { message in
            if arrived.contains(message.transactionID) { return false }
            guard case .sent(let id) = message.state else { return true }
            return !timeline.items.contains { $0.id == id }
        }
    }

    /// All whose name this person knows: in the room, among the contacts, and in other rooms shared with one person.
    private func knownPeople() -> [UserID: RemoteText] {
        var people: [UserID: RemoteText] = [:]
        for contact in contacts { people[contact.user.chatID] = contact.user.name }
        if let contact { people[contact.user.chatID] = contact.user.name }
        for (id, rooms) in state?.directRooms ?? [:] {
            let names = rooms.lazy.compactMap { state?.rooms[$0]?.members[id]?.displayName }
            if let name = names.first(where: { Visible.hasAnything($0.unsanitised) }) { people[id] = name }
        }
        people[own.chatID] = own.name
        for member in room?.members.values ?? [:].values {
            if let name = member.displayName, Visible.hasAnything(name.unsanitised) {
                people[member.id] = name
            } else if people[member.id] == nil {
                people[member.id] = RemoteText(member.id.raw)
            }
        }
        return people
    }
}

extension TimelineItem {
    var isMessage: Bool {
        if case .message = content { return true }
        return false
    }
}
