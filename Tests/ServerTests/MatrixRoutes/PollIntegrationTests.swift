import Models
import Testing

@testable import Server

@Suite("Long polls")
struct PollIntegrationTests {
    /// A poll under way, as an in-process client counts it.
    private struct Poll {
        let id: String
        let answer: Task<Synced, Never>

        init(_ fixture: ChatFixture, _ token: String, since: Synced, query: String = "&timeout=600000") {
            let id = "poll-\(fixture.tokens.next())"
            fixture.activity.beginPoll(id)
            self.id = id
            answer = Task {
                await fixture.sync(token, "since=\(since.next)\(query)", headers: [("X-Words-Poll", id)])
            }
        }

        func end(_ fixture: ChatFixture) async -> Synced {
            let answer = await answer.value
            fixture.activity.endPoll(id)
            return answer
        }
    }

    private func chat() async throws -> (ChatFixture, String) {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann", "bob", "cy")
        return (fixture, try await fixture.room("ann", ["bob"]))
    }

    @Test("activity is idle exactly when the poll is parked, from the news on it is not")
    func accounting() async throws {
        let (fixture, room) = try await chat()
        let first = await fixture.sync("bob")
        let poll = Poll(fixture, "bob", since: first)
        await fixture.activity.idle()

        try await fixture.say("ann", room, "news")
        #expect(!fixture.activity.isIdle)
        let answer = await poll.answer.value
        #expect(fixture.activity.outstanding.contains("poll"))
        fixture.activity.endPoll(poll.id)
        await fixture.activity.idle()

        #expect(answer.texts(room) == ["news"])
        #expect(fixture.activity.outstanding == [])
    }

    @Test("each kind of news wakes the poll that it is for")
    func kinds() async throws {
        let (fixture, room) = try await chat()
        let event = try await fixture.say("ann", room, "old")
        var last = await fixture.sync("bob")
        let causes: [(String, String, String, String)] = [
            ("ann", "PUT", "/rooms/\(room)/typing/@ann:ex.org", #"{"typing":true}"#),
            ("ann", "POST", "/rooms/\(room)/receipt/m.read/\(event)", "{}"),
            ("ann", "PUT", "/rooms/\(room)/state/m.room.topic", #"{"topic":"x"}"#),
            ("bob", "PUT", "/user/@bob:ex.org/account_data/org.words.nonce", #"{"nonce":"1"}"#),
            ("bob", "PUT", "/user/@bob:ex.org/rooms/\(room)/account_data/m.tag", #"{"tags":{"u.x":{"order":0.5}}}"#),
            ("ann", "PUT", "/presence/@ann:ex.org/status", #"{"presence":"unavailable"}"#),
            ("cy", "POST", "/createRoom", #"{"invite":["@bob:ex.org"]}"#),
            ("cy", "POST", "/join/\(room)", "{}"),
        ]

        for (who, method, path, body) in causes {
            let poll = Poll(fixture, "bob", since: last)
            await fixture.activity.idle()
            #expect(await fixture.ask(who, method, path, body).status == 200, "\(path)")
            last = await poll.end(fixture)
            #expect(!last.isEmpty, "\(path)")
        }
    }

    @Test("news that the filter keeps out leaves the poll parked, and is not told later either")
    func filtered() async throws {
        let (fixture, room) = try await chat()
        let first = await fixture.sync("bob")
        let filter = #"{"presence":{"types":[]},"room":{"timeline":{"types":["m.room.message"]},"state":{"types":[]}}}"#
        let poll = Poll(fixture, "bob", since: first, query: "&timeout=600000&filter=\(filter)")
        await fixture.activity.idle()

        await fixture.ask("ann", "PUT", "/rooms/\(room)/send/org.words.note/n1", "{}")
        await fixture.activity.idle()
        try await fixture.say("ann", room, "hi")
        let answer = await poll.end(fixture)

        #expect(answer.types(room) == ["m.room.message"])
    }

    @Test("news of others' rooms does not wake a poll")
    func others() async throws {
        let (fixture, _) = try await chat()
        let first = await fixture.sync("bob")
        let poll = Poll(fixture, "bob", since: first)
        await fixture.activity.idle()

        let elsewhere = try await fixture.room("cy")
        try await fixture.say("cy", elsewhere, "alone")
        await fixture.activity.idle()
        fixture.chat.stop()

        #expect(await poll.end(fixture).isEmpty)
    }

    @Test("a poll is answered empty when its time is over, and the server's limit holds")
    func timeout() async throws {
        let (fixture, _) = try await chat()
        let first = await fixture.sync("bob")
        let short = Poll(fixture, "bob", since: first, query: "&timeout=5000")
        let long = Poll(fixture, "cy", since: await fixture.sync("cy"), query: "&timeout=600000")
        await fixture.activity.idle()
        let start = fixture.clock.now

        #expect(fixture.clock.nextDeadline == start + .seconds(5))
        let ended = Task { (await short.end(fixture), fixture.clock.now) }
        await fixture.advance(by: .seconds(5))
        let (answer, time) = await ended.value

        #expect(answer.isEmpty)
        #expect(time == start + .seconds(5))
        let endedLater = Task { (await long.end(fixture), fixture.clock.now) }
        await fixture.advance(by: .seconds(25))
        #expect(await endedLater.value.1 == start + .seconds(30))
    }

    @Test("a session that ends has its polls answered with an unknown token, others go on")
    func dropped() async throws {
        let (fixture, room) = try await chat()
        let first = await fixture.sync("bob")
        let dead = Poll(fixture, "bob/phone", since: first)
        let alive = Poll(fixture, "bob/laptop", since: first)
        await fixture.activity.idle()

        fixture.tokens.revoke("bob/phone")
        fixture.chat.dropSession(of: UserID("@bob:ex.org"), device: DeviceID("phone"))
        let answer = await dead.end(fixture)
        await fixture.activity.idle()
        try await fixture.say("ann", room, "hi")

        #expect(answer.answer.status == 401)
        #expect(answer.answer.code == "M_UNKNOWN_TOKEN")
        #expect(await alive.end(fixture).texts(room) == ["hi"])
    }

    @Test("a poll whose session ended before it was parked is not held")
    func droppedBefore() async throws {
        let (fixture, _) = try await chat()
        let first = await fixture.sync("bob")
        let doubts = fixture.chat.waitingRoom.doubts
        fixture.chat.dropSession(of: UserID("@bob:ex.org"), device: DeviceID("bob"))
        var request = SyncRequest(user: UserID("@bob:ex.org"), device: DeviceID("bob"))
        request.since = SyncToken(first.next)
        request.timeout = .seconds(600)

        await #expect(throws: MatrixError.unknownToken) {
            _ = try await fixture.chat.sync(request, doubts: doubts) { throw MatrixError.unknownToken }
        }
    }

    @Test("stopping answers every poll, and none is held after it")
    func stop() async throws {
        let (fixture, _) = try await chat()
        let first = await fixture.sync("bob")
        let polls = (0..<5).map { _ in Poll(fixture, "bob", since: first) }
        await fixture.activity.idle()

        fixture.chat.stop()

        for poll in polls { #expect(await poll.end(fixture).isEmpty) }
        #expect(await fixture.sync("bob", "since=\(first.next)&timeout=600000").isEmpty)
        #expect(fixture.activity.isIdle)
    }

    @Test("one person's polls are capped: the oldest gives way")
    func capped() async throws {
        let (fixture, _) = try await chat()
        let first = await fixture.sync("bob")
        let oldest = Poll(fixture, "bob", since: first)
        await fixture.activity.idle()
        for _ in 1..<WaitingRoom.limitPerUser {
            _ = Poll(fixture, "bob", since: first)
            await fixture.activity.idle()
        }

        _ = Poll(fixture, "bob", since: first)

        #expect(await oldest.end(fixture).isEmpty)
        await fixture.activity.idle()
        fixture.chat.stop()
    }

    @Test("many receivers hear of one message each")
    func many() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann")
        let names = (0..<40).map { "p\($0)" }
        try await fixture.addPeople(names)
        let room = try await fixture.room("ann", names)
        let filter = #"&filter={"presence":{"types":[]}}"#
        var polls: [Poll] = []
        for name in names {
            let first = await fixture.sync(name, "set_presence=offline")
            polls.append(Poll(fixture, name, since: first, query: "&set_presence=offline&timeout=600000\(filter)"))
        }
        await fixture.activity.idle()

        try await fixture.say("ann", room, "all")

        for poll in polls { #expect(await poll.end(fixture).texts(room) == ["all"]) }
    }
}
