import Foundation
import Models
import Testing
import Workers

/// A Synapse as it comes: it asks to wait after a few requests, and lists no channels.
@Suite("Synapse's own limits", .enabled(if: Synapse.isThere))
struct LimitsSynapseTests {
    @Test("who is asked to wait waits as long, and everything arrives once and in order", .timeLimit(.minutes(3)))
    func limited() async throws {
        let alice = try await Person.newcomer("Alice", at: Synapse.limitedURL)
        let bob = try await Person.newcomer("Bob", at: Synapse.limitedURL)
        let contact = try await alice.users.addContact(bob.userName)
        let wanted = (1...14).map { "message \($0)" }
        let clock = ContinuousClock()
        let start = clock.now

        for body in wanted { try await alice.chat.send(body, to: contact.room.id) }
        let (news, continuation) = AsyncStream<[String]>.makeStream()
        let subscription = await bob.chat.subscribe { update in
            let items = update.state.rooms[contact.room.id]?.timeline.items ?? []
            continuation.yield(
                items.compactMap {
                    if case .message(let message) = $0.content { message.body.unsanitised } else { nil }
                })
        }
        if let state = await bob.chat.currentState() {
            let items = state.rooms[contact.room.id]?.timeline.items ?? []
            continuation.yield(
                items.compactMap {
                    if case .message(let message) = $0.content { message.body.unsanitised } else { nil }
                })
        }
        var seen: [String] = []
        for await bodies in news {
            seen = bodies
            if bodies.count >= wanted.count { break }
        }
        subscription.cancel()

        #expect(seen == wanted)
        let seconds = Int((clock.now - start) / .seconds(1))
        #expect(seconds >= 5, "14 messages in \(seconds) s: nobody was asked to wait")
        Interoperability.note(
            "the default rate limits: 14 messages in a row (10 at once are allowed)",
            "the server's waits are kept to; all arrived, once and in order, within \(seconds) s")
    }
}
