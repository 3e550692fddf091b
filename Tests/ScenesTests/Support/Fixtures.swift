import Foundation
import Models

@testable import Scenes

/// People, rooms and news as the tests need them.
enum Fixture {
    /// 2026-01-05T09:00:00Z.
    static let now = Timestamp(milliseconds: 1_767_603_600_000)

    static let alice = user("alice", name: "Alice", number: 1)
    static let bob = user("bob", name: "Bob", number: 2)
    static let cy = user("cy", name: "Cy", number: 3)
    static let room = RoomID("!bob:words.test")

    static func user(_ local: String, name: RemoteText, number: Int = 9) -> User {
        User(id: number, name: name, email: "\(local)@words.test", chatID: UserID("@\(local):words.test"))
    }

    static func session(_ user: User = alice) -> Session {
        Session(
            user: user,
            userToken: UserToken(
                accessToken: Secret("user-token"), refreshToken: nil, expiresAt: now + .seconds(3_600)),
            chatToken: ChatToken(
                accessToken: Secret("chat-token"), userID: user.chatID, expiresAt: now + .seconds(3_600)))
    }

    /// A contact whose room is named for them.
    static func contact(_ user: User) -> Contact {
        Contact(user: user, room: Room(id: RoomID("!\(user.chatID.localPart):words.test")))
    }

    static func member(_ user: User, _ membership: Membership = .join, name: RemoteText? = nil) -> Member {
        Member(id: user.chatID, displayName: name ?? user.name, membership: membership)
    }

    /// The room shared with `user`, both being in it.
    static func room(
        with user: User, membership: Membership = .join, name: RemoteText? = nil, timeline: Timeline = Timeline()
    ) -> RoomState {
        var room = RoomState(id: contact(user).room.id, membership: .join)
        room.members = [
            alice.chatID: member(alice), user.chatID: member(user, membership, name: name),
        ]
        room.timeline = timeline
        return room
    }

    /// Alice's state: online, with these rooms, each shared with one person.
    static func state(_ rooms: [RoomState] = [], connection: Models.Connection = .online) -> ChatState {
        var state = ChatState(ownID: alice.chatID)
        state.connection = connection
        state.hasSynced = true
        for room in rooms {
            state.rooms[room.id] = room
            for id in room.members.keys where id != alice.chatID { state.directRooms[id] = [room.id] }
        }
        return state
    }

    static func message(
        _ number: Int, from user: User = bob, at time: Timestamp? = now, _ body: RemoteText? = nil,
        kind: Message.Kind = .text, transactionID: TransactionID? = nil
    ) -> TimelineItem {
        TimelineItem(
            id: EventID("$\(number)"), sender: user.chatID, timestamp: time,
            content: .message(Message(kind: kind, body: body ?? "message \(number)")), transactionID: transactionID)
    }

    static func outgoing(
        _ number: Int, _ state: OutgoingMessage.State, body: RemoteText = "on its way"
    ) -> OutgoingMessage {
        OutgoingMessage(transactionID: TransactionID("t\(number)"), body: body, createdAt: now, state: state)
    }

    static func time(_ text: String) -> Timestamp { Timestamp(iso8601: text) ?? Timestamp(milliseconds: .max) }

    static func zone(_ name: String) -> TimeZone { TimeZone(identifier: name) ?? .gmt }
}
