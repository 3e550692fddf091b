import Foundation
import Models
import Testing

@testable import Scenes

@Suite("ChannelRoster") struct ChannelRosterTests {
    private func room(
        _ id: String, _ name: RemoteText?, _ membership: Membership = .join, creator: User = Fixture.alice,
        rule: String = "public"
    ) -> RoomState {
        var room = RoomState(id: RoomID(id), membership: membership)
        room.name = name
        room.creator = creator.chatID
        room.joinRule = rule
        return room
    }

    private func state(_ rooms: RoomState...) -> ChatState {
        var state = ChatState(ownID: Fixture.alice.chatID)
        for room in rooms { state.rooms[room.id] = room }
        return state
    }

    private func roster(_ state: ChatState, _ listed: [PublicRoom] = []) -> ChannelRoster {
        var roster = ChannelRoster(ownID: Fixture.alice.chatID, locale: Locale(identifier: "en_US_POSIX"))
        _ = roster.handle(.news(state))
        _ = roster.handle(.fetched(listed))
        return roster
    }

    @Test("joined and public rooms are merged by id and sorted by name without case")
    func merged() {
        let roster = roster(
            state(room("!b", "beta"), room("!c", "Cocoa", .invite)),
            [PublicRoom(id: RoomID("!b"), name: "beta"), PublicRoom(id: RoomID("!a"), name: "Alpha", joinedCount: 2)])

        #expect(roster.standings.map(\.shownName) == ["Alpha", "beta", "Cocoa"])
        #expect(roster.standings.map(\.kind) == [.open, .joined, .invited])
    }

    @Test("a room shared with one person is no channel; an invitation to one stands here until it is answered")
    func direct() {
        var news = Fixture.state([Fixture.room(with: Fixture.bob)])
        var other = room("!d", nil, .invite)
        other.isDirect = true
        news.rooms[other.id] = other
        let invited = roster(news).standings
        news.rooms[other.id]?.membership = .join

        #expect(invited.map(\.kind) == [.invited])
        #expect(roster(news).standings.isEmpty)
    }

    @Test("who made a channel that one has left is known, whatever the public list tells; so a deletion is believed")
    func creatorOfLeft() {
        var tea = room("!a", "Tea", .leave, creator: Fixture.bob)
        tea.members[Fixture.bob.chatID] = Fixture.member(Fixture.bob)
        var news = state(tea)
        var roster = roster(
            news, [PublicRoom(id: RoomID("!a"), name: "Tea"), PublicRoom(id: RoomID("!b"), name: "Beer")])
        let (creators, people) = (roster.standings.map(\.creator), roster.people)
        news.deletionsAnnounced = [RoomID("!a"): Fixture.bob.chatID, RoomID("!b"): Fixture.bob.chatID]

        _ = roster.handle(.news(news))
        let happenings = roster.handle(.fetched([]))

        #expect(creators == [nil, Fixture.bob.chatID])
        #expect(people[Fixture.bob.chatID] == "Bob")
        #expect(happenings.map(\.kind) == [.removed, .deleted])
    }

    @Test("a channel that comes in parts is told of once, by its name")
    func beingMade() {
        var roster = roster(state())
        var made = RoomState(id: RoomID("!a"), membership: .join)
        made.members = [Fixture.alice.chatID: Fixture.member(Fixture.alice)]

        let early = roster.handle(.news(state(made)))
        made.joinRule = "public"
        made.name = "Tea"
        let late = roster.handle(.news(state(made)))

        #expect(early == [])
        #expect(late.map(\.kind) == [.added] && late.map(\.channel.shownName) == ["Tea"])
    }

    @Test("one of the public list is there by the name that it has there, while it comes in parts")
    func beingMadeAndListed() {
        var made = RoomState(id: RoomID("!a"), membership: .join)
        made.members = [Fixture.alice.chatID: Fixture.member(Fixture.alice)]

        let roster = roster(state(made), [PublicRoom(id: RoomID("!a"), name: "Tea")])

        #expect(roster.standings.map(\.shownName) == ["Tea"] && roster.standings.map(\.kind) == [.joined])
    }

    @Test("without a name a room goes by its people, and without people by none")
    func nameless() {
        var people = room("!a", nil)
        people.members = [
            Fixture.bob.chatID: Fixture.member(Fixture.bob), Fixture.cy.chatID: Fixture.member(Fixture.cy),
        ]

        #expect(roster(state(people, room("!b", " "))).standings.map(\.shownName) == ["(no name)", "Bob, Cy"])
    }

    @Test("what happens elsewhere is told once: added, renamed, left, deleted")
    func happenings() {
        var roster = roster(state())
        var tea = room("!t", "Tea", rule: "invite")

        let added = roster.handle(.news(state(tea)))
        tea.name = "Green tea"
        let renamed = roster.handle(.news(state(tea)))
        let again = roster.handle(.news(state(tea)))
        tea.deletion = .marked
        let deleted = roster.handle(.news(state(tea)))

        #expect(added.map(\.kind) == [.added])
        #expect(renamed.map(\.kind) == [.renamed])
        #expect(renamed.map(\.formerName) == ["Tea"])
        #expect(again.isEmpty)
        #expect(deleted.map(\.kind) == [.deleted])
    }

    @Test("a public channel that is left can be joined again, a private one goes")
    func left() {
        let listed = [PublicRoom(id: RoomID("!t"), name: "Tea")]
        var roster = roster(state(room("!t", "Tea"), room("!p", "Plans", rule: "invite")), listed)

        let happenings = roster.handle(.news(state(room("!t", "Tea", .leave), room("!p", "Plans", .leave))))

        #expect(happenings.map(\.kind) == [.removed, .left])
        #expect(roster.standings.map(\.kind) == [.open])
    }

    @Test("a channel that is left keeps its newest name until the list is fetched anew, whatever was fetched before")
    func leftAfterRenaming() {
        let old = PublicRoom(id: RoomID("!t"), name: "Tea", joinedCount: 2)
        var roster = roster(state(room("!t", "A pot of tea")), [old])

        let left = roster.handle(.news(state(room("!t", nil, .leave))))
        let fetched = roster.handle(.fetched([PublicRoom(id: RoomID("!t"), name: "Cocoa", joinedCount: 1)]))

        #expect(left.map(\.kind) == [.left])
        #expect(left.map(\.channel.shownName) == ["A pot of tea"])
        #expect(fetched.map(\.kind) == [.renamed])
        #expect(roster.standings.map(\.shownName) == ["Cocoa"])
    }

    @Test("General that has just been entered is joined before the sync says so, and that is no news then")
    func entered() {
        var news = state()
        news.general = RoomID("!g")
        var roster = roster(news, [PublicRoom(id: RoomID("!g"), name: "General Channel")])
        let early = roster.standings.map(\.kind)
        var synced = state(room("!g", "General Channel"))
        synced.general = RoomID("!g")

        let happenings = roster.handle(.news(synced))
        synced.rooms[RoomID("!g")]?.membership = .leave
        _ = roster.handle(.news(synced))

        #expect(early == [.joined])
        #expect(happenings.isEmpty)
        #expect(roster.standings.map(\.kind) == [.open])
    }

    @Test("chosen by number, by name without case, by id; never guessed")
    func choice() {
        let roster = roster(state(room("!a", "Tea"), room("!b", "TEA"), room("!c", "Cocoa")))

        #expect(roster.choose("1") == .found(roster.standings[0]))
        #expect(roster.choose("cocoa") == .found(roster.standings[0]))
        #expect(roster.choose("tea") == .ambiguous("tea", [RoomID("!a"), RoomID("!b")]))
        #expect(roster.choose("!b") == .found(roster.standings[2]))
        #expect(roster.choose("4") == .noSuchRow(4, count: 3))
        #expect(roster.choose("Coffee") == .none("Coffee"))
    }

    @Test("500 channels stay in order when one more comes")
    func many() {
        let rooms = (0..<500).map { PublicRoom(id: RoomID("!\($0)"), name: RemoteText("Channel \(499 - $0)")) }
        var roster = roster(state(), rooms)

        let happenings = roster.handle(.news(state(room("!x", "Channel 25b"))))

        let names = roster.standings.map { $0.shownName.unsanitised }
        #expect(names.count == 501)
        #expect(names == names.sorted { $0.lowercased() < $1.lowercased() })
        #expect(happenings.map(\.channel.id) == [RoomID("!x")])
    }
}
