import Models
import Testing

@testable import Server

@Suite struct UnreadIntegrationTests {
    @Test("what was counted before a redaction is not kept after it")
    func redactionMeanwhile() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann", "bob")
        let room = try await fixture.room("ann", ["bob"])
        try await fixture.say("ann", room, "hi")
        let chat = fixture.chat
        let end = chat.waitingRoom.look { $0.position }
        @Sendable func count(_ events: EventReader) throws -> Int {
            try chat.unread.counts(
                in: RoomID(room), of: UserID("@bob:ex.org"), name: "Bob", joinedAt: 0, upTo: end, events
            ).notifications
        }

        let before = try await chat.read { events in
            // As a redaction does that is committed while this read goes on.
            chat.events.forgetAll()
            chat.unread.forgetAll()
            return try count(events)
        }
        try await chat.database.write { try $0.run("UPDATE events SET notifies = 0") }

        #expect(before == 1)
        #expect(try await chat.read(count) == 0)
    }
}
