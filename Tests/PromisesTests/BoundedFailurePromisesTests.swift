import Foundation
import Models
import Testing

@testable import Workers

/// Promise 13: whatever goes wrong, the requests of a minute can be counted on the fingers.
@Suite("Bounded failure PromisesTests")
struct BoundedFailurePromisesTests {
    /// How everything goes wrong.
    enum Trouble: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case limited, limitedFor20Seconds, unauthorized, unknownToken, forbidden, serverFault, page, refused, reset,
            late
        case empty, notJSON

        var testDescription: String { rawValue }

        var result: Result<TransportResponse, NetworkFault> {
            switch self {
            case .limited: .success(.with(429, #"{"errcode":"M_LIMIT_EXCEEDED","error":"Slow down."}"#))
            case .limitedFor20Seconds:
                .success(.with(429, #"{"errcode":"M_LIMIT_EXCEEDED","error":"Slow down."}"#, ("Retry-After", "20")))
            case .unauthorized: .success(.with(401, #"{"message":"Unauthenticated."}"#))
            case .unknownToken: .success(.with(401, #"{"errcode":"M_UNKNOWN_TOKEN","error":"Who?","message":"Who?"}"#))
            case .forbidden: .success(.with(403, #"{"errcode":"M_FORBIDDEN","error":"No.","message":"No."}"#))
            case .serverFault: .success(.with(500, #"{"errcode":"M_UNKNOWN","error":"Oh."}"#))
            case .page: .success(.with(502, "<html><body>Bad gateway</body></html>"))
            case .refused: .failure(.unreachable)
            case .reset: .failure(.interrupted)
            case .late: .failure(.timedOut)
            case .empty: .success(.with(200, ""))
            case .notJSON: .success(.with(200, "<html>Welcome to the hotel</html>"))
            }
        }
    }

    @Test("a minute of any trouble is few requests, and all is well when it is over", arguments: Trouble.allCases)
    func minute(_ trouble: Trouble) async throws {
        try await VirtualHouse.open { house in
            let (alice, bob, room) = try await house.pair()
            let token = house.takeRequests().last { $0.operation == .sync }?.header("Authorization")

            // A message wakes the polls, so that every part meets the trouble: from now on it is all there is.
            house.answer { _ in trouble.result }
            let path = "/_matrix/client/v3/rooms/\(RequestAddress.encoded(room.raw))/send/m.room.message/t"
            let content = Data(#"{"msgtype":"m.text","body":"wakes"}"#.utf8)
            #expect(try await house.status("PUT", path, content, authorization: token) == 200)
            house.activity.run("in trouble") {
                try? await alice.chat.send("in trouble", to: room)
                try? await bob.chat.send("in trouble too", to: room)
                _ = try? await alice.users.contacts()
            }
            await house.advance(.seconds(60))
            let counts = Dictionary(grouping: house.takeRequests(), by: \.operation).mapValues(\.count)

            // Of two people, of whom each polls and each has a message on its way.
            #expect(counts[.sync, default: 0] <= 16, "\(counts)")
            #expect(counts[.send, default: 0] <= 20, "\(counts)")
            #expect(counts[.refresh, default: 0] <= 4, "\(counts)")
            #expect(counts.values.reduce(0, +) <= 60, "\(counts)")
        }
    }

    @Test("a wait of up to thirty seconds that the server asks for is kept to; a longer one is told")
    func retryAfter() async throws {
        try await VirtualHouse.open { house in
            let (alice, bob, room) = try await house.pair()
            defer { withExtendedLifetime(bob) {} }
            func limit(_ seconds: Int) {
                house.answer { request in
                    request.operation == .send ? .success(.with(429, "{}", ("Retry-After", "\(seconds)"))) : nil
                }
            }
            limit(30)
            _ = house.takeRequests()

            try await alice.chat.send("patient", to: room)
            await house.advance(.milliseconds(29_999))
            let early = house.takeRequests().count { $0.operation == .send }
            house.answer(nil)
            await house.advance(.milliseconds(1))
            let inTime = house.takeRequests().count { $0.operation == .send }
            limit(31)
            try await alice.chat.send("impatient", to: room)
            await house.advance(.seconds(60))
            let told = house.takeRequests().count { $0.operation == .send }
            let outgoing = await alice.chat.currentState()?.rooms[room]?.timeline.outgoing.map(\.state)

            #expect(early == 1)
            #expect(inTime == 1)
            #expect(told == 1)
            #expect(
                outgoing == [.failed(.refused("the server asks to wait 31 s before the next message"))])
        }
    }
}

extension TransportResponse {
    static func with(_ status: Int, _ text: String, _ headers: (name: String, value: String)...) -> Self {
        TransportResponse(
            status: status, headers: headers + [(name: "Content-Type", value: "application/json")],
            body: Data(text.utf8))
    }
}
