import Foundation
import Models
import Testing

@testable import Workers

/// Canned answers of the size of large homeservers, through the real decoding.
@Suite("Large accounts, at length")
struct LargeAccountsSoakTests {
    private func service(_ transport: StubTransport) -> MatrixChatService {
        struct Tokens: ChatTokenSource {
            func chatToken() async throws(UsersError) -> Secret { Secret("t") }
            func chatToken(insteadOf refused: Secret) async throws(UsersError) -> Secret { throw .unauthenticated }
            func chatToken(afterEndOf refused: Secret) async throws(UsersError) -> Secret { throw .unauthenticated }
        }
        return MatrixChatService(
            connection: ServerConnection(endpoint: stubEndpoint, transport: transport), tokens: Tokens(),
            clock: VirtualClock(now: start), ownID: alice)
    }

    @Test("a first answer with 2,000 rooms makes 2,000 rooms")
    func rooms() async throws {
        let rooms = (0..<2_000).map { number in
            #""!r\#(number):words.test":{"timeline":{"events":[\#(event("$\(number)", "hello"))],"limited":true,"prev_batch":"p"}}"#
        }
        let body = #"{"next_batch":"s1","rooms":{"join":{\#(rooms.joined(separator: ","))}}}"#
        let service = service(StubTransport { _, _ in .success(.json(200, body)) })
        var ledger = ChatLedger(ownID: alice)

        let sync = try await service.sync(SyncRequest(since: nil, hold: .zero, deadline: .seconds(60)))
        _ = ledger.apply(sync, now: start)

        #expect(ledger.state.rooms.count == 2_000)
        #expect(ledger.state.rooms.values.allSatisfy { $0.timeline.items.count == 1 && $0.timeline.hasOlder })
    }

    @Test("a room of 10,000 people comes with those who spoke, and with all once it is looked at")
    func members() async throws {
        let everybody = (0..<10_000).map { #""@p\#($0):words.test":{"display_name":"P\#($0)"}"# }
        let joined = #"{"joined":{\#(everybody.joined(separator: ","))}}"#
        let service = service(StubTransport { _, _ in .success(.json(200, joined)) })
        var ledger = ChatLedger(ownID: alice)
        let first: MatrixShapes.Sync = try decoded(
            batch(
                "s1", timeline: [event("$1", "hi")], limited: true, previous: "p",
                state: [member("$m", bob, "join", name: "Bob")],
                more: #","summary":{"m.joined_member_count":10000,"m.heroes":["@p1:words.test"]}"#))

        _ = ledger.apply(first, now: start)
        let members = try await service.joinedMembers(of: lobby)

        #expect(ledger.state.rooms[lobby]?.joinedCount == 10_000)
        #expect(ledger.state.rooms[lobby]?.members.count == 1)
        #expect(members.count == 10_000)
    }
}
