import Foundation
import Models
import Testing

@testable import Workers

private func enterGeneral(_ worker: ConnectedWorker) async -> Result<RoomID?, ChatError> {
    do throws(ChatError) { return .success(try await worker.worker.joinGeneral()) } catch { return .failure(error) }
}

@Suite("Channels") struct ChannelsTests {
    /// Connected to a server of Words, whose answers are `prepare`d; by default Alice is in General.
    private func connected(
        _ rooms: [RoomID: [String]] = [general: generalEvents()], _ prepare: (StubChatService) -> Void = { _ in }
    ) async throws -> ConnectedWorker {
        let worker = await ConnectedWorker(
            unconnected: (), options: ClientOptions(polls: .counted, generalChannel: true))
        prepare(worker.service)
        try worker.service.answer(joined("s1", rooms))
        await worker.worker.connect(session())
        await worker.activity.idle()
        return worker
    }

    @Test("General is joined right after the first sync where there is one, and asked for no more after that")
    func joinsGeneral() async throws {
        let worker = try await connected([:]) { $0.answerAliases(general) }

        let result = await enterGeneral(worker)

        #expect(result == .success(general))
        #expect(worker.service.actions == [.room("#general:words.test"), .join(general)])
        #expect(await worker.worker.currentState()?.general == general)
    }

    @Test("General is joined by way of the servers that know it")
    func joinsGeneralElsewhere() async throws {
        let worker = try await connected([:]) { $0.answerAliases(general, servers: ["words.test", "far.test"]) }

        _ = await enterGeneral(worker)

        #expect(worker.service.actions == [.room("#general:words.test"), .joinVia(["far.test"]), .join(general)])
    }

    @Test("General is made where there is none")
    func makesGeneral() async throws {
        let worker = try await connected([:]) { $0.answerAliases(nil) }

        let result = await enterGeneral(worker)

        #expect(result == .success(RoomID("!made:words.test")))
        #expect(
            worker.service.actions == [
                .room("#general:words.test"), .createRoom(NewRoom(name: "General Channel", alias: "general")),
            ])
    }

    @Test("whoever comes second joins what the first has made meanwhile")
    func race() async throws {
        let worker = try await connected([:]) { service in
            service.answerAliases(nil, general)
            service.answerCreations(.failure(.taken("taken")))
        }

        let result = await enterGeneral(worker)

        #expect(result == .success(general))
        #expect(worker.service.actions.last == .join(general))
    }

    @Test("two who ask at once ask the server once")
    func shared() async throws {
        let worker = try await connected([:]) { service in
            service.answerAliases(general)
            service.fail(.join(general), .network(.timedOut))
        }
        worker.service.fail(.join(general), nil)
        worker.service.answerAliases(general)

        async let first = enterGeneral(worker)
        async let second = enterGeneral(worker)
        let both = await [first, second]

        #expect(both == [.success(general), .success(general)])
        #expect(worker.service.actions.filter { $0 == .join(general) }.count == 2)
    }

    @Test("a failure is told to whoever asks, and the next try may do")
    func failure() async throws {
        let worker = try await connected([:]) { service in
            service.answerAliases(general, general)
            service.fail(.join(general), .network(.timedOut))
        }

        let first = await enterGeneral(worker)
        worker.service.fail(.join(general), nil)
        worker.service.answerAliases(general)
        let second = await enterGeneral(worker)

        #expect(first == .failure(.network(.timedOut)))
        #expect(second == .success(general))
    }

    @Test("what failed is tried again with the next connection, unasked")
    func nextConnection() async throws {
        let worker = try await connected([:]) { service in
            service.answerAliases(general)
            service.fail(.join(general), .forbidden("No."))
        }
        worker.service.fail(.join(general), nil)
        worker.service.answerAliases(general)
        let before = worker.service.actions.count

        try await worker.news(joined("s2", [:]))
        let steady = worker.service.actions.count
        worker.service.answer(.failure(.network(.unreachable)))
        await worker.activity.idle()
        try worker.service.answer(joined("s3", [:]))
        await worker.advance(.seconds(2))

        #expect(steady == before)
        #expect(worker.service.actions.count == before + 2)
        #expect(await worker.worker.currentState()?.general == general)
    }

    @Test("what a fault kept from happening is tried again over the same connection, unasked")
    func sameConnection() async throws {
        let worker = try await connected([:]) { service in
            service.answerAliases(general, general)
            service.fail(.join(general), .network(.serverFault(status: 500)))
        }
        let before = worker.service.actions.count
        worker.service.fail(.join(general), nil)

        await worker.advance(.seconds(1))

        #expect(before == 2)
        #expect(worker.service.actions.count == 4)
        #expect(await worker.worker.currentState()?.general == general)
    }

    @Test("where one is in General nothing is asked")
    func isInGeneral() async throws {
        let worker = try await connected()

        #expect(await enterGeneral(worker) == .success(general))
        #expect(worker.service.actions.isEmpty)
    }

    @Test("who has left General by another client joins it again")
    func leftGeneral() async throws {
        let worker = try await connected()
        try await worker.news(
            """
            {"next_batch":"s2","rooms":{"leave":{"\(general)":{"timeline":{"events":[]}}}}}
            """)
        worker.service.answerAliases(general)

        #expect(await enterGeneral(worker) == .success(general))
        #expect(worker.service.actions == [.room("#general:words.test"), .join(general)])
    }

    @Test("an invitation is one request, and a refusal comes in the server's words")
    func invite() async throws {
        let worker = try await connected()
        worker.service.fail(.invite(alice, general), .forbidden("You are in it."))

        try await worker.worker.invite(bob, to: general)
        await #expect(throws: ChatError.refused("You are in it.")) {
            try await worker.worker.invite(alice, to: general)
        }

        #expect(worker.service.actions == [.invite(bob, general), .invite(alice, general)])
    }

    @Test("without a connection nothing is asked")
    func unconnected() async {
        let worker = await ConnectedWorker(unconnected: ())

        await #expect(throws: ChatError.notConnected) { try await worker.worker.publicRooms() }
        await #expect(throws: ChatError.notConnected) { try await worker.worker.createChannel("Tea", isPrivate: false) }
        await #expect(throws: ChatError.notConnected) { try await worker.worker.deleteChannel(tea) }
        await #expect(throws: ChatError.notConnected) { try await worker.worker.invite(bob, to: tea) }
        #expect(worker.service.actions.isEmpty)
    }

    @Test("a homeserver of somebody else's has none unless asked for")
    func off() async throws {
        let worker = try await ConnectedWorker(first: joined("s1", [:]))

        #expect(await enterGeneral(worker) == .success(nil))
        #expect(worker.service.actions.isEmpty)
    }

    @Test("the public list is read page by page")
    func pages() async throws {
        let worker = try await connected()
        worker.service.answerLists(
            try decoded(#"{"chunk":[{"room_id":"!a:x","name":"A"},{"name":"nobody"}],"next_batch":"n1"}"#),
            try decoded(#"{"chunk":[{"room_id":"!b:x","org.words.creator":"@bob:x","num_joined_members":3}]}"#))

        let rooms = try await worker.worker.publicRooms()

        #expect(
            rooms == [
                PublicRoom(id: RoomID("!a:x"), name: "A"),
                PublicRoom(id: RoomID("!b:x"), joinedCount: 3, creator: UserID("@bob:x")),
            ])
        #expect(worker.service.actions == [.publicRooms(nil), .publicRooms("n1")])
    }

    @Test("a public channel has an alias and is announced, a private one has and is neither")
    func create() async throws {
        let worker = try await connected()

        _ = try await worker.worker.createChannel("Tea  Time", isPrivate: false)
        await worker.activity.idle()
        _ = try await worker.worker.createChannel("Plans", isPrivate: true)
        await worker.activity.idle()

        #expect(
            worker.service.actions == [
                .createRoom(NewRoom(name: "Tea  Time", alias: "tea-time")),
                .announce("org.words.channels", [:], general), .createRoom(NewRoom(name: "Plans", isPrivate: true)),
            ])
    }

    @Test(
        "an alias is the name without its case and blanks, and never General's",
        arguments: [("Tea Time", "tea-time"), ("general", "general-channel"), ("a:b/c#d", "a-b-c-d"), ("Ünï", "ünï")])
    func alias(_ name: String, _ alias: String) {
        #expect(ChannelAlias.localPart(for: name) == alias)
    }

    private func announcement(_ id: String, by sender: UserID, deleted room: RoomID? = nil) -> String {
        let content = room.map { "{\"org.words.deleted_room\":\"\($0)\"}" } ?? "{}"
        return """
            {"type":"org.words.channels","event_id":"\(id)","sender":"\(sender)","content":\(content)}
            """
    }

    private func isToldOfChannels(_ worker: ConnectedWorker) async -> Bool {
        await worker.heard.updates.contains { $0.changes.contains(.channels) }
    }

    @Test("others' announcements are told, one's own are not")
    func announcements() async throws {
        let worker = try await connected()

        try await worker.news(joined("s2", [general: [announcement("$a", by: alice)]]))
        let own = await isToldOfChannels(worker)
        try await worker.news(joined("s3", [general: [announcement("$b", by: bob)]]))

        #expect(!own)
        #expect(await isToldOfChannels(worker))
    }

    @Test("who says which channel is deleted is kept; it shows as no message")
    func deletionAnnounced() async throws {
        let worker = try await connected()

        try await worker.news(joined("s2", [general: [announcement("$a", by: bob, deleted: tea)]]))

        #expect(await worker.worker.currentState()?.deletionsAnnounced == [tea: bob])
        #expect(await worker.worker.currentState()?.rooms[general]?.timeline.items.isEmpty == true)
    }

    @Test("announced is what is announced in General: elsewhere anybody could")
    func announcedElsewhere() async throws {
        let worker = try await connected([general: generalEvents(), tea: teaEvents()])

        try await worker.news(joined("s2", [tea: [announcement("$a", by: bob, deleted: tea)]]))

        #expect(!(await isToldOfChannels(worker)))
        #expect(await worker.worker.currentState()?.deletionsAnnounced == [:])
    }

    @Test("of deletions that are announced without end the newest are kept, and none whose id is no id")
    func announcedWithoutEnd() async throws {
        let worker = try await connected()
        let limit = ChatLedger.announcedDeletionsKept
        let rooms = (0...limit).map { RoomID("!r\($0):words.test") }
        let tooLong = RoomID("!" + String(repeating: "r", count: ChatLedger.longestID))

        try await worker.news(
            joined(
                "s2",
                [
                    general: (rooms + [tooLong]).enumerated().map { number, room in
                        announcement("$a\(number)", by: bob, deleted: room)
                    }
                ]))

        let kept = await worker.worker.currentState()?.deletionsAnnounced ?? [:]
        #expect(Set(kept.keys) == Set(rooms.dropFirst()))
    }

    @Test(
        "an announcement in what was missed is told, and where not all is known there may have been one",
        arguments: [true, false])
    func announcedInAGap(_ isKnown: Bool) async throws {
        let worker = try await connected()
        worker.service.answerMessages(
            from: "p1",
            isKnown
                ? .success(try decoded("{\"chunk\":[\(announcement("$a", by: bob))]}")) : .failure(.network(.timedOut)))

        try await worker.news(
            batch("s2", room: general, timeline: [event("$z", "hello")], limited: true, previous: "p1"))

        #expect(await isToldOfChannels(worker))
    }

    @Test("a gap in another room is none of the list's business")
    func gapElsewhere() async throws {
        let worker = try await connected([general: generalEvents(), tea: teaEvents()])

        try await worker.news(batch("s2", room: tea, timeline: [event("$z", "hello")], limited: true, previous: "p1"))

        #expect(!(await isToldOfChannels(worker)))
    }
}
