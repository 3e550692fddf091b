import Foundation
import Models
import Testing

@testable import Scenes

@Suite("ContactRoster")
struct ContactRosterTests {
    private var roster = ContactRoster(own: Fixture.alice, locale: Locale(identifier: "en_US_POSIX"))
    private let bob = Fixture.contact(Fixture.bob)
    private let cy = Fixture.contact(Fixture.cy)

    @Test("contacts stand sorted by name, whatever order they come in")
    mutating func sorted() {
        let zoe = Fixture.contact(Fixture.user("zoe", name: "zoe"))
        let emile = Fixture.contact(Fixture.user("emile", name: "Émile"))

        _ = roster.handle(.fetched([zoe, cy, emile, bob]))

        #expect(roster.standings.map(\.contact) == [bob, cy, emile, zoe])
    }

    @Test("namesakes stand sorted by id")
    mutating func ties() {
        let first = Fixture.contact(Fixture.user("a", name: "Bob"))
        let second = Fixture.contact(Fixture.user("b", name: "bob"))

        _ = roster.handle(.fetched([second, first]))

        #expect(roster.standings.map(\.contact) == [first, second])
    }

    @Test("somebody listed twice stands once")
    mutating func twice() {
        _ = roster.handle(.fetched([bob, bob]))

        #expect(roster.standings.map(\.contact) == [bob])
    }

    @Test("a new contact has been added, whichever way they come")
    mutating func added() {
        #expect(roster.handle(.fetched([bob])) == [.init(kind: .added, id: bob.user.chatID)])
        #expect(roster.handle(.added(cy, again: false)) == [.init(kind: .added, id: cy.user.chatID)])
        #expect(roster.handle(.fetched([bob, cy])).isEmpty)
    }

    @Test("a contact fetched while adding is told once")
    mutating func addedMeanwhile() {
        _ = roster.handle(.fetched([bob]))

        #expect(roster.handle(.fetched([bob, cy])) == [.init(kind: .added, id: cy.user.chatID)])
        #expect(roster.handle(.added(cy, again: false)).isEmpty)
    }

    @Test("a contact of before who is added is added again")
    mutating func again() {
        _ = roster.handle(.fetched([bob]))

        #expect(roster.handle(.added(bob, again: true)) == [.init(kind: .addedAgain, id: bob.user.chatID)])
        #expect(roster.standings.count == 1)
    }

    @Test("a removed contact is told once, by the name they had")
    mutating func removed() {
        _ = roster.handle(.fetched([bob, cy]))

        #expect(
            roster.handle(.removed(bob.user.chatID))
                == [.init(kind: .removed, id: bob.user.chatID, formerName: "Bob")])
        #expect(roster.handle(.fetched([cy])).isEmpty)
        #expect(roster.standings.map(\.contact) == [cy])
    }

    @Test("presence, typing, unread count and newest message come from the chat")
    mutating func standing() {
        var room = Fixture.room(with: Fixture.bob)
        room.typing = [Fixture.bob.chatID]
        room.unreadCount = 3
        room.timeline.items = [
            Fixture.message(1, "hello"),
            TimelineItem(
                id: EventID("$2"), sender: Fixture.bob.chatID, timestamp: nil, content: .joined(Fixture.bob.chatID)),
        ]
        var state = Fixture.state([room])
        state.presences[Fixture.bob.chatID] = Presence(state: .online)
        _ = roster.handle(.fetched([bob]))

        let happenings = roster.handle(.news(state))

        #expect(happenings.isEmpty)
        #expect(
            roster.standings == [
                .init(
                    contact: bob, presence: Presence(state: .online), isTyping: true, unreadCount: 3,
                    newest: .init(message: Message(body: "hello"), isOwn: false, timestamp: Fixture.now),
                    membership: .join, displayName: "Bob")
            ])
    }

    @Test("what one is sending is the newest message")
    mutating func outgoing() {
        let timeline = Timeline(items: [Fixture.message(1)], outgoing: [Fixture.outgoing(1, .waiting)])
        _ = roster.handle(.fetched([bob]))
        _ = roster.handle(.news(Fixture.state([Fixture.room(with: Fixture.bob, timeline: timeline)])))

        #expect(
            roster.standings.first?.newest
                == .init(message: Message(body: "on its way"), isOwn: true, timestamp: Fixture.now))
        #expect(roster.unsentCount == 1)
    }

    @Test(
        "leaving and coming back are told once each",
        arguments: [
            (Membership.join, Membership.leave, ListContacts.Event.Kind?.some(.left)), (.join, .ban, .left),
            (.invite, .leave, .left), (.leave, .join, .returned), (.ban, .join, .returned), (.invite, .join, .joined),
            (.leave, .invite, nil), (.leave, .ban, nil), (.join, .join, nil),
        ])
    mutating func comingAndGoing(_ before: Membership, _ after: Membership, _ kind: ListContacts.Event.Kind?) {
        let news = Fixture.state([Fixture.room(with: Fixture.bob, membership: after)])
        _ = roster.handle(.fetched([bob]))
        let first = roster.handle(.news(Fixture.state([Fixture.room(with: Fixture.bob, membership: before)])))

        let happenings = roster.handle(.news(news))

        #expect(first.isEmpty)
        #expect(happenings.map(\.kind) == (kind.map { [$0] } ?? []))
        #expect(roster.handle(.news(news)).isEmpty)
    }

    @Test("somebody who has left is marked")
    mutating func hasLeft() {
        _ = roster.handle(.fetched([bob]))
        _ = roster.handle(.news(Fixture.state([Fixture.room(with: Fixture.bob, membership: .leave)])))

        #expect(roster.standings.first?.hasLeft == true)
    }

    @Test("a new name is told, sorts anew, and is the one shown")
    mutating func renamed() {
        _ = roster.handle(.fetched([bob, cy]))
        _ = roster.handle(.news(Fixture.state([Fixture.room(with: Fixture.bob)])))

        let happenings = roster.handle(.news(Fixture.state([Fixture.room(with: Fixture.bob, name: "Zed")])))

        #expect(happenings == [.init(kind: .renamed, id: bob.user.chatID, formerName: "Bob")])
        #expect(roster.standings.map(\.name) == ["Cy", "Zed"])
        #expect(roster.people[bob.user.chatID] == "Zed")
    }

    @Test("a name of nothing visible in the room leaves the account's")
    mutating func blankName() {
        _ = roster.handle(.fetched([bob]))
        _ = roster.handle(.news(Fixture.state([Fixture.room(with: Fixture.bob, name: "\u{200B}")])))

        #expect(roster.standings.map(\.name) == ["Bob"])
    }

    @Test("until the list is fetched, the people of the direct rooms stand for it")
    mutating func unfetched() {
        var left = Fixture.room(with: Fixture.cy)
        left.membership = .leave
        _ = roster.handle(.news(Fixture.state([Fixture.room(with: Fixture.bob), left])))

        #expect(roster.standings.map(\.id) == [bob.user.chatID])
        #expect(roster.standings.map(\.name) == ["Bob"])
        #expect(!roster.isFetched)

        #expect(roster.handle(.fetched([bob])).isEmpty)
        #expect(roster.standings.map(\.contact) == [bob])

        // From now on only the list counts.
        _ = roster.handle(.news(Fixture.state([Fixture.room(with: Fixture.cy)])))

        #expect(roster.standings.map(\.contact) == [bob])
    }

    @Test("one's own new name counts for telling namesakes apart")
    mutating func ownName() {
        _ = roster.handle(.fetched([bob]))
        _ = roster.handle(.renamedOneself(Fixture.user("alice", name: "Bob")))

        #expect(roster.people == [Fixture.alice.chatID: "Bob", bob.user.chatID: "Bob"])
    }
}
