import Foundation
import Models
import Testing

@testable import Workers

private let two = RoomID("!two:words.test")

private func invitation(from person: UserID, isDirect: Bool = true, next: String = "s2") -> String {
    """
    {"next_batch":"\(next)","rooms":{"invite":{"\(two)":{"invite_state":{"events":[
    {"type":"m.room.member","state_key":"\(person)","sender":"\(person)","content":{"membership":"join","displayname":"Bob"}},
    {"type":"m.room.member","state_key":"@alice:words.test","sender":"\(person)",
    "content":{"membership":"invite","is_direct":\(isDirect)}}]}}}}}
    """
}

@Suite("Direct chats on a plain homeserver")
struct DirectChatsTests {
    private func worker(kind: SessionKey.Kind = .matrix) async throws -> ConnectedWorker {
        try await ConnectedWorker(facts: ServerFacts { kind })
    }

    private let entered: [StubChatService.Call] = [
        .accountData("m.ignored_user_list"), .join(two), .accountData("m.direct"),
        .setAccountData("m.direct", ["@cy:words.test": ["!old:words.test"], "@bob:words.test": ["!two:words.test"]]),
    ]

    @Test("whoever is invited to a chat of two by somebody of their server joins and lists it, once")
    func enters() async throws {
        let client = try await worker()

        try await client.news(invitation(from: bob))
        try await client.news(batch("s3", room: two, timeline: [member("$1", alice, "join", before: "invite")]))
        try await client.news(
            #"{"next_batch":"s4","account_data":{"events":[{"type":"m.direct","content":{"@bob:words.test":["!two:words.test"]}}]}}"#
        )
        try await client.news(batch("s5", room: two, timeline: [event("$2", "hi")]))

        #expect(client.service.actions == entered + [.markReadPrivately(EventID("$1"), two)])
    }

    @Test("people of other servers, other rooms, and a Words server's own chats are left alone")
    func leavesAlone() async throws {
        let (client, other, words) = (try await worker(), try await worker(), try await worker(kind: .words))

        try await client.news(invitation(from: UserID("@bob:elsewhere.test")))
        try await other.news(invitation(from: bob, isDirect: false))
        try await words.news(invitation(from: bob))

        #expect(client.service.actions == [])
        #expect(other.service.actions == [])
        #expect(!words.service.actions.contains(.join(two)))
        #expect(await client.worker.currentState()?.rooms[two]?.membership == .invite)
    }

    @Test("an invitation that was accepted counts as read, and joining otherwise says nothing of what was read")
    func acknowledged() async throws {
        let (client, words) = (try await worker(), try await worker(kind: .words))
        for client in [client, words] {
            try await client.news(invitation(from: UserID("@bob:elsewhere.test")))
            try await client.news(
                batch(
                    "s3", room: two,
                    timeline: [
                        member("$1", bob, "join"), member("$2", alice, "join", before: "invite"), event("$3", "hi"),
                    ]))
            try await client.news(
                batch("s4", room: RoomID("!open:words.test"), timeline: [member("$4", alice, "join")]))
        }

        func receipts(_ client: ConnectedWorker) -> [StubChatService.Call] {
            client.service.actions.filter { if case .markReadPrivately = $0 { true } else { false } }
        }
        #expect(receipts(client) == [.markReadPrivately(EventID("$2"), two)])
        #expect(receipts(words) == [])
    }

    @Test("an invitation from another server is accepted by way of that server")
    func via() async throws {
        let client = try await worker()
        try await client.news(invitation(from: UserID("@bob:elsewhere.test")))

        try await client.worker.join(two)

        #expect(client.service.actions.starts(with: [.joinVia(["elsewhere.test"]), .join(two)]))
    }

    @Test("whoever has left is not taken back in by an invitation, also when it is told again")
    func staysOut() async throws {
        let client = try await worker()
        try await client.news(batch("s2", room: two, timeline: [member("$1", alice, "join")]))
        try await client.news(
            #"{"next_batch":"s3","rooms":{"leave":{"!two:words.test":{"timeline":{"events":[\#(member("$2", alice, "leave"))]}}}}}"#
        )

        try await client.news(invitation(from: bob, next: "s4"))
        try await client.news(invitation(from: bob, next: "s5"))

        #expect(client.service.actions == [])
        try await client.worker.join(two)
        #expect(client.service.actions == Array(entered.dropFirst()))
    }

    @Test("whoever is asked back into a chat of two has it as one again, though the invitation does not say so")
    func askedBack() async throws {
        let client = try await worker()
        try await client.news(invitation(from: bob))
        try await client.news(batch("s3", room: two, timeline: [member("$1", alice, "join", before: "invite")]))
        try await client.news(
            #"{"next_batch":"s4","rooms":{"leave":{"!two:words.test":{"timeline":{"events":[\#(member("$2", alice, "leave"))]}}}}}"#
        )
        let before = client.service.actions.count

        try await client.news(invitation(from: bob, isDirect: false, next: "s5"))
        try await client.worker.join(two)

        #expect(Array(client.service.actions.dropFirst(before)) == Array(entered.dropFirst()))
    }

    @Test("what fails by the network is tried again; what is refused is not")
    func retries() async throws {
        let client = try await worker()
        client.service.fail(.join(two), .network(.timedOut))

        try await client.news(invitation(from: bob))
        client.service.fail(.join(two), .forbidden("No."))
        await client.advance(.seconds(5))
        client.service.fail(.join(two), nil)
        await client.advance(.seconds(600))

        #expect(client.service.actions.count { $0 == .join(two) } == 2)
    }

    @Test("what an invitation told of people does not hide that they came before one did")
    func joined() async throws {
        let client = try await worker(kind: .words)
        try await client.news(invitation(from: bob))

        try await client.news(
            batch(
                "s3", room: two,
                timeline: [member("$1", bob, "join", name: "Bob"), member("$2", alice, "join", before: "invite")]))

        let items = await client.worker.currentState()?.rooms[two]?.timeline.items
        #expect(items?.map(\.content) == [.joined(bob), .joined(alice)])
    }

    @Test("a name that only the invitation told is kept")
    func names() async throws {
        let client = try await worker(kind: .words)
        try await client.news(invitation(from: bob))

        try await client.news(batch("s3", room: two, timeline: [member("$2", alice, "join", before: "invite")]))

        #expect(await client.worker.currentState()?.rooms[two]?.members[bob]?.displayName == "Bob")
    }

    @Test("whoever invites to a chat of two has it as one at once")
    func inviter() async throws {
        let client = try await worker()
        let invite = """
            {"event_id":"$i","type":"m.room.member","state_key":"@bob:words.test","sender":"@alice:words.test",\
            "origin_server_ts":1,"content":{"membership":"invite","is_direct":true}}
            """

        try await client.news(batch("s2", room: two, timeline: [member("$1", alice, "join"), invite]))

        #expect(await client.worker.currentState()?.rooms[two]?.isDirect == true)
    }
}

@Suite("DirectRooms")
struct DirectRoomsTests {
    @Test("what cannot be read of the map stays, and nothing is added twice")
    func merges() {
        var direct = DirectRooms(["@bob:words.test": ["!a:w", 7], "odd": "text"])

        #expect(direct.rooms(with: bob) == [RoomID("!a:w")])
        let added = [direct.add(RoomID("!a:w"), with: bob), direct.add(RoomID("!b:w"), with: bob)]
        #expect(added == [false, true])
        #expect(direct.content == ["@bob:words.test": ["!a:w", 7, "!b:w"], "odd": "text"])
        let removed = [direct.remove(bob), direct.remove(bob)]
        #expect(removed == [true, false])
        #expect(DirectRooms(nil).content == .object([:]))
    }
}

@Suite("Turn")
struct TurnTests {
    @Test("one at a time is in, and each gets a turn")
    func turns() async {
        let turn = Turn()
        let (inside, most, done) = (Locked(0), Locked(0), Locked(0))

        await withTaskGroup { group in
            for _ in 0..<50 {
                group.addTask {
                    await turn.enter()
                    let now = inside.withLock {
                        $0 += 1; return $0
                    }
                    most.withLock { $0 = max($0, now) }
                    await Task.yield()
                    inside.withLock { $0 -= 1 }
                    done.withLock { $0 += 1 }
                    turn.leave()
                }
            }
        }

        #expect(most.withLock { $0 } == 1)
        #expect(done.withLock { $0 } == 50)
    }
}
