import Models
import Testing

@testable import Scenes

@Suite("Conversation")
struct ConversationTests {
    private var conversation = Conversation(
        contact: Fixture.contact(Fixture.bob), contacts: [Fixture.contact(Fixture.bob), Fixture.contact(Fixture.cy)],
        own: Fixture.alice)

    private func state(_ timeline: Timeline, _ membership: Membership = .join) -> ChatState {
        Fixture.state([Fixture.room(with: Fixture.bob, membership: membership, timeline: timeline)])
    }

    private func status(_ number: Int) -> TimelineItem {
        TimelineItem(
            id: EventID("$s\(number)"), sender: Fixture.bob.chatID, timestamp: nil, content: .joined(Fixture.bob.chatID)
        )
    }

    @Test("the last 100 messages are shown, other rows between them not counted")
    mutating func window() {
        let items = (1...150).map { Fixture.message($0) } + [status(1)]

        conversation.take(state(Timeline(items: items)))

        #expect(conversation.messages.items.first?.id == EventID("$51"))
        #expect(conversation.messages.items.count == 101)
        #expect(conversation.hasOlder)
        #expect(conversation.hasMoreKnown)

        conversation.showMore()

        #expect(conversation.messages.items == items)
        #expect(!conversation.hasOlder)
    }

    @Test("all is shown where it is no more than a page, with what stands above the first message")
    mutating func short() {
        let items = [status(1)] + (1...100).map { Fixture.message($0) }

        conversation.take(state(Timeline(items: items, hasOlder: true)))

        #expect(conversation.messages.items == items)
        #expect(!conversation.hasMoreKnown)
        #expect(conversation.hasOlder)
    }

    @Test("a message that has come by is not shown as on its way too")
    mutating func noDouble() {
        let timeline = Timeline(
            items: [Fixture.message(1, from: Fixture.alice, transactionID: TransactionID("t1")), Fixture.message(2)],
            outgoing: [
                Fixture.outgoing(1, .sending), Fixture.outgoing(2, .sent(EventID("$2"))),
                Fixture.outgoing(3, .sent(EventID("$3"))), Fixture.outgoing(4, .waiting),
            ])

        conversation.take(state(timeline))

        #expect(conversation.messages.outgoing.map(\.transactionID.raw) == ["t3", "t4"])
    }

    @Test(
        "nothing can be sent to somebody who has left, or from outside",
        arguments: [
            (Membership.leave, Chatroom.SendRefusal?.some(.otherHasLeft)), (.ban, .otherHasLeft), (.join, nil),
            (.invite, nil),
        ])
    mutating func refusal(_ membership: Membership, _ expected: Chatroom.SendRefusal?) {
        conversation.take(state(Timeline(), membership))

        #expect(conversation.refusal == expected)
    }

    @Test("outside the room oneself, nothing can be sent")
    mutating func ownRefusal() {
        var room = Fixture.room(with: Fixture.bob)
        room.membership = .leave

        conversation.take(Fixture.state([room]))

        #expect(conversation.refusal == .notMember)
    }

    @Test("while the room is not known, nothing is refused")
    func unknown() {
        #expect(conversation.refusal == nil)
        #expect(conversation.messages.items.isEmpty)
        #expect(conversation.newestUnread == nil)
        #expect(!conversation.isOnline)
    }

    @Test("all known people count for telling namesakes apart, by their newest names")
    mutating func people() {
        var state = Fixture.state([
            Fixture.room(with: Fixture.bob, name: "Robert"), Fixture.room(with: Fixture.user("di", name: "Di")),
        ])
        state.rooms[Fixture.room]?.members[UserID("@x:words.test")] = Member(
            id: UserID("@x:words.test"), displayName: nil, membership: .leave)

        conversation.take(state)

        #expect(
            conversation.people == [
                Fixture.alice.chatID: "Alice", Fixture.bob.chatID: "Robert", Fixture.cy.chatID: "Cy",
                UserID("@di:words.test"): "Di", UserID("@x:words.test"): "@x:words.test",
            ])
    }

    @Test("others who type are told, sorted, and never oneself")
    mutating func typing() {
        var room = Fixture.room(with: Fixture.bob)
        room.typing = [Fixture.cy.chatID, Fixture.alice.chatID, Fixture.bob.chatID]

        conversation.take(Fixture.state([room]))

        #expect(conversation.typing.ids == [Fixture.bob.chatID, Fixture.cy.chatID])
    }

    @Test("a receipt is due for what others wrote, or while the server counts something unread")
    mutating func unread() {
        let own = Fixture.message(2, from: Fixture.alice)
        conversation.take(state(Timeline(items: [Fixture.message(1)])))

        #expect(conversation.newestUnread == EventID("$1"))

        conversation.take(state(Timeline(items: [Fixture.message(1), own])))

        #expect(conversation.newestUnread == nil)

        var counted = state(Timeline(items: [Fixture.message(1), own]))
        counted.rooms[Fixture.room]?.unreadCount = 1
        conversation.take(counted)

        #expect(conversation.newestUnread == EventID("$2"))
    }

    @Test("members stand those first who are in the room")
    mutating func members() {
        var room = Fixture.room(with: Fixture.bob, membership: .leave)
        room.members[Fixture.cy.chatID] = Fixture.member(Fixture.cy)

        conversation.take(Fixture.state([room]))

        #expect(
            conversation.members.members.map(\.id) == [Fixture.alice.chatID, Fixture.cy.chatID, Fixture.bob.chatID])
    }
}
