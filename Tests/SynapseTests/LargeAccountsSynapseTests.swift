import Models
import Testing
import Workers

/// An account as large as accounts get.
@Suite("A large account on Synapse", .enabled(if: Synapse.isThere))
struct LargeAccountsSynapseTests {
    @Test(
        "an account with 2,000 rooms has them all, and of 10,000 people those that are wanted", .timeLimit(.minutes(4)))
    func large() async throws {
        let host = try Person.make("Host", at: Synapse.largeURL, userName: "host")
        await host.chat.connect(try await host.login())
        await host.settle()

        let rooms = try await host.state.rooms
        let hall = try #require(rooms.values.first { $0.name == "Hall" })
        let one = try #require(rooms.values.first { $0.name == "Room 1234" })
        await host.chat.markRead(hall.id)
        try await host.chat.send("anybody here?", to: hall.id)
        try await host.chat.send("into one of many", to: one.id)
        await host.settle()

        #expect(rooms.count == 2_002)
        #expect(hall.joinedCount == 10_001)
        #expect(hall.members.count < 100)
        #expect(try await host.room(hall.id).members.count == 10_001)
        #expect(try await host.bodies(hall.id).last == "anybody here?")
        #expect(try await host.bodies(one.id).last == "into one of many")
        Interoperability.note(
            "an account with 2,002 rooms, one of them with 10,001 people (written into Synapse's database)",
            "all rooms with the first sync; people lazily, all of them once the room is looked at")
    }
}
