import Foundation
import Models
import Testing

@testable import Workers

@Suite("ChatLedger")
struct ChatLedgerTests {
    private func ledger(_ batches: String...) throws -> ChatLedger {
        var ledger = ChatLedger(ownID: alice)
        for json in batches { _ = ledger.apply(try decoded(json), now: start) }
        return ledger
    }

    private func bodies(_ ledger: ChatLedger, _ room: RoomID = lobby) -> [String] {
        (ledger.state.rooms[room]?.timeline.items ?? []).map { item in
            switch item.content {
            case .message(let message): message.body.unsanitised
            case .joined(let person): "+\(person)"
            case .left(let person): "-\(person)"
            case .gap: "gap"
            }
        }
    }

    @Test("the first batch brings rooms, members, names, people, presence and says so")
    func first() throws {
        var ledger = ChatLedger(ownID: alice)
        let json = batch(
            "s1", timeline: [event("$1", "hi")], state: [member("$m", bob, "join", name: "Bob")],
            more: """
                ,"summary":{"m.heroes":["\(bob)","\(alice)"],"m.joined_member_count":2,"m.invited_member_count":1},\
                "unread_notifications":{"notification_count":3}
                """,
            top: """
                ,"account_data":{"events":[{"type":"m.direct","content":{"\(bob)":["\(lobby)"]}}]},\
                "presence":{"events":[{"type":"m.presence","sender":"\(bob)","content":\
                {"presence":"unavailable","last_active_ago":60000}}]}
                """)

        let changes = ledger.apply(try decoded(json), now: start)

        let room = try #require(ledger.state.rooms[lobby])
        #expect(room.members[bob] == Member(id: bob, displayName: "Bob", membership: .join))
        #expect(room.heroes == [bob])
        #expect(room.joinedCount == 2)
        #expect(room.invitedCount == 1)
        #expect(room.unreadCount == 3)
        #expect(ledger.state.directRooms == [bob: [lobby]])
        #expect(
            ledger.state.presences[bob] == Presence(state: .unavailable, lastActiveAt: start + .seconds(-60)))
        #expect(bodies(ledger) == ["hi"])
        #expect(changes == [.synced, .room(lobby), .timeline(lobby), .presence(bob), .contacts])
    }

    @Test("events keep the server's order whatever their times say, and none comes twice")
    func order() throws {
        let ledger = try ledger(
            batch("s1", timeline: [event("$1", "one", time: 900), event("$2", "two", time: 100)]),
            batch("s2", timeline: [event("$2", "two"), event("$3", "three", time: 500)]))

        #expect(bodies(ledger) == ["one", "two", "three"])
    }

    @Test("who joins and leaves is a line; a new name or an invitation is none")
    func standing() throws {
        let cy = UserID("@cy:words.test")
        let ledger = try ledger(
            batch(
                "s1",
                timeline: [
                    member("$1", cy, "invite"), member("$2", cy, "join"), member("$3", cy, "join", name: "Cy"),
                    member("$4", cy, "leave"), member("$5", bob, "join", name: "Robert"),
                    member("$6", UserID("@dee:words.test"), "invite"), member("$7", UserID("@dee:words.test"), "leave"),
                ], state: [member("$0", bob, "join", name: "Bob")]))

        #expect(bodies(ledger) == ["+\(cy)", "-\(cy)"])
        #expect(ledger.state.rooms[lobby]?.members[bob]?.displayName == "Robert")
    }

    @Test("who has left keeps the name they had, also where only an older page tells it")
    func formerNames() throws {
        let (cy, dee) = (UserID("@cy:words.test"), UserID("@dee:words.test"))
        var ledger = try ledger(
            batch(
                "s1",
                timeline: [
                    member("$1", cy, "join", name: "Cy"), member("$2", cy, "leave"), member("$3", dee, "ban"),
                    member("$4", bob, "join", name: "Bob"), member("$5", bob, "join"),
                ]))
        let page: MatrixShapes.Messages = try decoded(
            """
            {"start":"p","chunk":[\(member("$0", dee, "join", name: "Dee")),\(member("$00", dee, "join", name: "Old")),\
            \(member("$01", bob, "join", name: "Robert")),\(member("$02", cy, "join", name: "Cyril"))]}
            """)

        _ = ledger.change(lobby) { $0.prependOlder(page) }

        let members = try #require(ledger.state.rooms[lobby]?.members)
        #expect(members[cy] == Member(id: cy, displayName: "Cy", membership: .leave))
        #expect(members[dee] == Member(id: dee, displayName: "Dee", membership: .ban))
        #expect(members[bob] == Member(id: bob, displayName: nil, membership: .join))
    }

    @Test("what an invitation told of people does not hide that they joined, once one is in")
    func invitedThenJoined() throws {
        let inviter = member("$0", bob, "join", name: "Bob")
        let ledger = try ledger(
            """
            {"next_batch":"s1","rooms":{"invite":{"\(lobby)":{"invite_state":{"events":[\(inviter),\
            {"type":"m.room.member","state_key":"\(alice)","sender":"\(bob)","content":{"membership":"invite"}}]}}}}}
            """,
            batch("s2", timeline: [inviter, member("$1", alice, "join", before: "invite"), event("$2", "hi")]))
        let unmentioned = try self.ledger(
            """
            {"next_batch":"s1","rooms":{"invite":{"\(lobby)":{"invite_state":{"events":[\(inviter)]}}}}}
            """,
            batch("s2", timeline: [member("$1", alice, "join", before: "invite")]))

        #expect(bodies(ledger) == ["+\(bob)", "+\(alice)", "hi"])
        #expect(unmentioned.state.rooms[lobby]?.members[bob]?.displayName == "Bob")
    }

    @Test("typing of others is replaced by each event, without oneself, and emptied when offline")
    func typing() throws {
        func typing(_ people: String) -> [String] { [#"{"type":"m.typing","content":{"user_ids":[\#(people)]}}"#] }
        var ledger = try ledger(
            batch("s1", ephemeral: typing(#""\#(bob)","\#(alice)""#)),
            batch("s2", ephemeral: typing(#""@cy:words.test""#)))
        let online = ledger.state.rooms[lobby]?.typing

        let changes = ledger.goOffline(.offline(reason: .unreachable, retryAt: nil))

        #expect(online == [UserID("@cy:words.test")])
        #expect(ledger.state.rooms[lobby]?.typing == [])
        #expect(changes == [.connection, .typing(lobby)])
    }

    @Test("an edit by its sender changes a message; an edit by another does not")
    func edits() throws {
        func edit(_ id: String, of target: String, _ body: String, from sender: UserID) -> String {
            """
            {"event_id":"\(id)","type":"m.room.message","sender":"\(sender)","content":{"msgtype":"m.text",\
            "body":"* \(body)","m.new_content":{"msgtype":"m.text","body":"\(body)"},\
            "m.relates_to":{"rel_type":"m.replace","event_id":"\(target)"}}}
            """
        }
        let ledger = try ledger(
            batch(
                "s1",
                timeline: [
                    event("$1", "one"), event("$2", "two"), edit("$e1", of: "$1", "uno", from: bob),
                    edit("$e2", of: "$2", "forged", from: alice), edit("$e3", of: "$3", "forged", from: alice),
                    edit("$e4", of: "$3", "tres", from: bob),
                ]), batch("s2", timeline: [event("$3", "three")]))

        #expect(bodies(ledger) == ["uno", "two", "tres"])
    }

    @Test("a redaction takes the message away, also one that comes later")
    func redactions() throws {
        func redaction(_ id: String, of target: String, inContent: Bool) -> String {
            let place = inContent ? #""content":{"redacts":"\#(target)"}"# : #""redacts":"\#(target)","content":{}"#
            return #"{"event_id":"\#(id)","type":"m.room.redaction","sender":"\#(bob)",\#(place)}"#
        }
        let ledger = try ledger(
            batch(
                "s1",
                timeline: [
                    event("$1", "one"), event("$2", "two"), redaction("$r1", of: "$1", inContent: true),
                    redaction("$r3", of: "$3", inContent: false),
                ]), batch("s2", timeline: [event("$3", "three")]))

        #expect(bodies(ledger) == ["two"])
    }

    @Test("unknown and malformed events show nothing and spoil nothing")
    func malformed() throws {
        let ledger = try ledger(
            batch(
                "s1",
                timeline: [
                    #"{"type":"m.room.message"}"#, #"{"event_id":"$a","type":"m.room.message","sender":"@x:y"}"#,
                    #"{"event_id":"$b","type":"org.example","sender":"@x:y","content":{"body":"?"}}"#, "[]", "null",
                    #"{"event_id":"$c","type":"m.room.member","state_key":"@x:y","content":{"membership":"flown"}}"#,
                    #"{"event_id":7,"type":"m.room.message","sender":"@x:y","content":{"body":"no id"}}"#,
                    event("$1", "one"),
                ]))

        #expect(bodies(ledger) == ["one"])
    }

    @Test("what is missing and not fetched stays as a gap, in its place, until it is filled")
    func gap() throws {
        var ledger = try ledger(
            batch("s1", timeline: [event("$1", "one")]),
            batch("s2", timeline: [event("$4", "four")], limited: true, previous: "p4"))
        let withGap = bodies(ledger)
        let (id, gap) = try #require(ledger.rooms[lobby]?.gaps.first)

        let part = FilledGap(events: [try decoded(event("$3", "three"))], rest: gap)
        _ = ledger.change(lobby) { $0.fill(id, with: part) }
        let withPart = bodies(ledger)
        let rest = FilledGap(events: [try decoded(event("$2", "two")), try decoded(event("$3", "three"))])
        _ = ledger.change(lobby) { $0.fill(id, with: rest) }

        #expect(withGap == ["one", "gap", "four"])
        #expect(withPart == ["one", "gap", "three", "four"])
        #expect(bodies(ledger) == ["one", "two", "three", "four"])
        #expect(ledger.rooms[lobby]?.gaps.isEmpty == true)
    }

    @Test("what was fetched for a batch comes before its events, and no gap is shown")
    func filledFirst() throws {
        var ledger = try ledger(batch("s1", timeline: [event("$1", "one")]))
        let next: MatrixShapes.Sync = try decoded(
            batch("s2", timeline: [event("$3", "three")], limited: true, previous: "p3"))

        _ = ledger.apply(next, filled: [lobby: FilledGap(events: [try decoded(event("$2", "two"))])], now: start)

        #expect(bodies(ledger) == ["one", "two", "three"])
    }

    @Test("a first limited timeline has older events and no gap")
    func firstLimited() throws {
        let ledger = try ledger(batch("s1", timeline: [event("$9", "nine")], limited: true, previous: "p9"))

        #expect(bodies(ledger) == ["nine"])
        #expect(ledger.state.rooms[lobby]?.timeline.hasOlder == true)
        #expect(ledger.rooms[lobby]?.olderPosition == "p9")
    }

    @Test("older pages go above, leave the room's state alone, and end where the server has no more")
    func older() throws {
        var ledger = try ledger(
            batch(
                "s1", timeline: [event("$9", "nine")], limited: true, previous: "p9",
                state: [member("$m2", bob, "join", name: "Bob")]))
        let page: MatrixShapes.Messages = try decoded(
            """
            {"start":"p9","chunk":[\(event("$8", "eight")),\(member("$m1", bob, "join", name: "Bobby")),\
            \(event("$7", "seven"))]}
            """)

        _ = ledger.change(lobby) { $0.prependOlder(page) }

        #expect(bodies(ledger) == ["seven", "+\(bob)", "eight", "nine"])
        #expect(ledger.state.rooms[lobby]?.members[bob]?.displayName == "Bob")
        #expect(ledger.state.rooms[lobby]?.timeline.hasOlder == false)
    }

    @Test("an invitation names the inviter; being removed ends typing and unread, and keeps the history")
    func invitedAndRemoved() throws {
        let invited = try ledger(
            """
            {"next_batch":"s1","rooms":{"invite":{"\(lobby)":{"invite_state":{"events":[\
            {"type":"m.room.name","state_key":"","sender":"\(bob)","content":{"name":"Plans"}},\
            {"type":"m.room.member","state_key":"\(alice)","sender":"\(bob)",\
            "content":{"membership":"invite","is_direct":true}}]}}}}}
            """)
        let removed = try ledger(
            batch(
                "s1", timeline: [event("$1", "one")],
                ephemeral: [#"{"type":"m.typing","content":{"user_ids":["@b:c"]}}"#],
                more: #","unread_notifications":{"notification_count":3}"#),
            #"{"next_batch":"s2","rooms":{"leave":{"\#(lobby)":{"timeline":{"events":[\#(member("$k", alice, "leave"))]}}}}}"#
        )

        #expect(invited.state.rooms[lobby]?.membership == .invite)
        #expect(invited.state.rooms[lobby]?.inviter == bob)
        #expect(invited.state.rooms[lobby]?.name == "Plans")
        #expect(invited.rooms[lobby]?.directInviter == bob)
        #expect(removed.state.rooms[lobby]?.membership == .leave)
        #expect(removed.state.rooms[lobby]?.typing == [])
        #expect(removed.state.rooms[lobby]?.unreadCount == 0)
        #expect(bodies(removed) == ["one", "-\(alice)"])
    }

    @Test("one's own receipt is remembered, other people's are not taken for it")
    func receipts() throws {
        func receipt(_ id: String, _ person: UserID) -> String {
            #"{"type":"m.receipt","content":{"\#(id)":{"m.read":{"\#(person)":{"ts":1}}}}}"#
        }
        let ledger = try ledger(batch("s1", ephemeral: [receipt("$1", alice), receipt("$2", bob)]))

        #expect(ledger.rooms[lobby]?.readUpTo == EventID("$1"))
    }
}
