import Foundation
import Models
import SQLite
import Testing

@testable import Server

/// Promise 7 at every route that writes: SQLite is not given another page.
@Suite("A full disk, at every route that writes")
struct FullDiskIntegrationTests {
    private static let long = String(repeating: "x", count: 12_000)

    /// Those without `long` may fit into pages that are not full yet: they are repeated, with another `NUMBER`.
    private static let writes: [(method: String, path: String, body: String)] = [
        ("POST", "/createRoom", #"{"name":"\#(long)"}"#),
        ("PUT", "/rooms/ROOM/send/m.room.message/full", #"{"body":"\#(long)"}"#),
        ("PUT", "/rooms/ROOM/state/org.words.test/key", #"{"body":"\#(long)"}"#),
        ("PUT", "/rooms/ROOM/redact/EVENT/full", #"{"reason":"\#(long)"}"#),
        ("PUT", "/directory/room/%23\(String(repeating: "a", count: 200))NUMBER:ex.org", #"{"room_id":"ROOM"}"#),
        ("PUT", "/user/@ann:ex.org/account_data/org.words.test", #"{"body":"\#(long)"}"#),
        ("PUT", "/user/@ann:ex.org/rooms/ROOM/account_data/org.words.test", #"{"body":"\#(long)"}"#),
        ("POST", "/user/@ann:ex.org/filter", #"{"x":"\#(long)"}"#),
        ("PUT", "/profile/@ann:ex.org/displayname", #"{"displayname":"\#(String(repeating: "n", count: 240))NUMBER"}"#),
        ("POST", "/rooms/ROOM/invite", #"{"user_id":"@bob:ex.org","reason":"\#(long)"}"#),
        ("POST", "/rooms/ROOM/leave", #"{"reason":"\#(long)"}"#),
    ]

    @Test("each is refused with the reason and changes nothing, and succeeds once there is room", arguments: 0..<11)
    func routes(_ number: Int) async throws {
        let write = Self.writes[number]
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann", "bob")
        let room = try await fixture.room("ann")
        let event = try await fixture.say("ann", room, "to be taken back")
        func ask(_ number: Int) async -> ChatFixture.Answer {
            func place(_ text: String) -> String {
                text.replacing("ROOM", with: room).replacing("EVENT", with: event).replacing(
                    "NUMBER", with: "\(number)")
            }
            return await fixture.ask("ann", write.method, place(write.path), place(write.body))
        }
        try await setRoom(false, fixture)

        var attempt = 1
        var before = try await contents(of: fixture)
        var refused = await ask(attempt)
        while refused.status == 200, !write.body.contains(Self.long), attempt < 200 {
            #expect(try await contents(of: fixture) != before, "acknowledged, and not stored")
            attempt += 1
            before = try await contents(of: fixture)
            refused = await ask(attempt)
        }
        let during = try await contents(of: fixture)
        try await setRoom(true, fixture)
        let accepted = await ask(attempt)

        #expect(refused.status == 500, "\(write.path)")
        #expect(refused.code == "M_UNKNOWN")
        #expect(refused.error == DatabaseError.diskFull.description)
        #expect(during == before, "half of it is stored")
        #expect(accepted.status == 200, "\(write.path) \(accepted.body)")
        #expect(try await contents(of: fixture) != before)
    }

    private func setRoom(_ isThere: Bool, _ fixture: ChatFixture) async throws {
        try await fixture.chat.database.write { connection in
            let pages = try connection.first("PRAGMA page_count") { $0.integer(0) } ?? 0
            try connection.execute("PRAGMA max_page_count = \(isThere ? 100_000 : pages)")
        }
    }

    /// How much there is of everything that these routes write.
    private func contents(of fixture: ChatFixture) async throws -> [Int64] {
        try await fixture.chat.database.read { connection in
            try connection.first(
                """
                SELECT (SELECT count(*) FROM events), (SELECT count(*) FROM rooms), (SELECT count(*) FROM memberships),
                    (SELECT count(*) FROM account_data), (SELECT count(*) FROM filters), (SELECT count(*) FROM aliases),
                    (SELECT count(*) FROM transactions), (SELECT sum(length(name)) FROM accounts),
                    (SELECT position FROM stream)
                """
            ) { row in (0..<9).map { row.integer(Int32($0)) } } ?? []
        }
    }
}
