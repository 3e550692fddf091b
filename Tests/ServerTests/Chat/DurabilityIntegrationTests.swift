import Foundation
import Models
import SQLite
import Testing

@testable import Server

@Suite("Durability of the chat")
struct DurabilityIntegrationTests {
    @Test("what was acknowledged is in the files at any moment, each message once")
    func crash() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann", "bob")
        let room = try await fixture.room("ann", ["bob"])
        let acknowledged = Locked<[String]>([])
        let copy = ScratchFolder()

        let seen = try await withThrowingTaskGroup(of: Void.self) { group in
            for sender in ["ann", "bob"] {
                group.addTask {
                    for number in 1...40 {
                        let id = try await fixture.say(sender, room, "\(number)", transaction: "t\(number)")
                        acknowledged.withLock { $0.append(id) }
                    }
                }
            }
            while acknowledged.withLock({ $0.count }) < 20 { await Task.yield() }
            // Nobody writes while the files are copied, as nobody would after a crash.
            let seen = try await fixture.chat.database.write { _ in
                let seen = acknowledged.withLock { $0 }
                for name in ["words.db", "words.db-wal"] {
                    try FileManager.default.copyItem(
                        at: fixture.folder.appending(path: name), to: copy.url.appending(path: name))
                }
                return seen
            }
            try await group.waitForAll()
            return seen
        }

        let reopened = try ChatFixture(folder: copy.url, clock: fixture.clock)
        let page = await reopened.ask("ann", "GET", "/rooms/\(room)/messages?dir=b&limit=1000")
        let stored = page.body["chunk"]?.array?.compactMap { $0["event_id"]?.string } ?? []
        #expect(seen.count >= 20)
        #expect(Set(seen).isSubset(of: Set(stored)))
        #expect(Set(stored).count == stored.count)
        let again = try await reopened.say("ann", room, "1", transaction: "t1")
        #expect(stored.contains(again))
    }

    @Test("a full disk is told, makes no half message, and the same send succeeds once there is room")
    func fullDisk() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann")
        let room = try await fixture.room("ann")
        try await fixture.chat.database.write { connection in
            let pages = try connection.first("PRAGMA page_count") { $0.integer(0) } ?? 0
            try connection.execute("PRAGMA max_page_count = \(pages)")
        }
        let path = "/rooms/\(room)/send/m.room.message/t1"
        let body = #"{"body":"\#(String(repeating: "x", count: 50_000))"}"#

        let refused = await fixture.ask("ann", "PUT", path, body)
        try await fixture.chat.database.write { try $0.execute("PRAGMA max_page_count = 100000") }
        let between = await fixture.sync("ann").types(room)
        let accepted = await fixture.ask("ann", "PUT", path, body)

        #expect(refused.status == 500)
        #expect(refused.code == "M_UNKNOWN")
        #expect(refused.error == DatabaseError.diskFull.description)
        #expect(!between.contains("m.room.message"))
        #expect(accepted.status == 200)
        #expect(await fixture.sync("ann").types(room).last == "m.room.message")
    }

    @Test("many senders at once: everybody reads every message once, in one order, each sender's own kept")
    func order() async throws {
        let fixture = try ChatFixture()
        let senders = ["ann", "bob", "cy"]
        try await fixture.addPeople(senders)
        let room = try await fixture.room("ann", ["bob", "cy"])
        let first = await fixture.sync("ann")
        let total = senders.count * 25

        async let heard = Self.listen(fixture, "ann", room, since: first.next, until: total)
        async let other = Self.listen(fixture, "bob", room, since: first.next, until: total)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for sender in senders {
                group.addTask {
                    for number in 1...25 { try await fixture.say(sender, room, "\(sender) \(number)") }
                }
            }
            try await group.waitForAll()
        }

        let (one, two) = (await heard, await other)
        #expect(one.count == total)
        #expect(one == two)
        for sender in senders {
            #expect(one.filter { $0.hasPrefix(sender) } == (1...25).map { "\(sender) \($0)" })
        }
    }

    @Test("a redacted power event loses what a redaction takes, at once")
    func redactedPower() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann", "bob", "cy")
        let room = try await fixture.room("ann", ["bob"])
        let answer = await fixture.ask(
            "ann", "PUT", "/rooms/\(room)/state/m.room.power_levels", #"{"users":{"@ann:ex.org":100},"invite":50}"#)
        let event = try #require(answer.body["event_id"]?.string)
        func invite() async -> Int {
            await fixture.ask("bob", "POST", "/rooms/\(room)/invite", #"{"user_id":"@cy:ex.org"}"#).status
        }
        #expect(await invite() == 403)

        await fixture.ask("ann", "PUT", "/rooms/\(room)/redact/\(event)/t1", "{}")

        #expect(await invite() == 200)
    }

    private static func listen(
        _ fixture: ChatFixture, _ token: String, _ room: String, since start: String, until count: Int
    ) async -> [String] {
        var (texts, since) = ([String](), start)
        while texts.count < count {
            let sync = await fixture.sync(
                token, #"since=\#(since)&timeout=600000&filter={"room":{"timeline":{"limit":1000}}}"#)
            guard sync.answer.status == 200 else { return texts }
            texts += sync.texts(room)
            since = sync.next
        }
        return texts
    }
}
