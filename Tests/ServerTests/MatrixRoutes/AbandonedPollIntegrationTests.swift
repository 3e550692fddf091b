import Models
import Testing

@testable import Server

@Suite struct AbandonedPollIntegrationTests {
    @Test("a poll whose client has gone waits no longer")
    func cancelled() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann")
        let since = await fixture.sync("ann").next
        fixture.activity.beginPoll("p")
        let poll = Task {
            await fixture.sync("ann", "since=\(since)&timeout=30000", headers: [("X-Words-Poll", "p")])
        }
        await fixture.activity.idle()

        poll.cancel()

        #expect(await poll.value.isEmpty)
        await fixture.close()
    }
}
