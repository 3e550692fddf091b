import Foundation
import Models

@testable import Workers

/// Answers from a closure, and remembers what was asked.
final class StubTransport: Transport {
    struct Call: Equatable {
        var operation: Workers.Operation
        /// Method, path and query, as they would stand on the wire.
        var line: String
        var body: String
        var authorization: String?
    }

    typealias Answer = @Sendable (TransportRequest, _ number: Int) async -> Result<TransportResponse, NetworkFault>

    private let recorded = Locked<[Call]>([])
    private let answer: Answer

    init(_ answer: @escaping Answer) { self.answer = answer }

    var calls: [Call] { recorded.withLock { $0 } }
    var lines: [String] { calls.map(\.line) }

    func perform(_ request: TransportRequest) async throws(NetworkFault) -> TransportResponse {
        let address = request.url.absoluteString.replacingOccurrences(of: "http://127.0.0.1:1", with: "")
        let call = Call(
            operation: request.operation, line: "\(request.method) \(address)",
            body: request.body.map { String(decoding: $0, as: UTF8.self) } ?? "",
            authorization: request.header("authorization"))
        let number = recorded.withLock { calls in
            calls.append(call)
            return calls.count
        }
        return try await answer(request, number).get()
    }
}

extension TransportResponse {
    static func json(_ status: Int, _ text: String, headers: [(name: String, value: String)] = []) -> Self {
        TransportResponse(status: status, headers: headers, body: Data(text.utf8))
    }
}

/// Canned answers of a Words server for one person; tokens are numbered in the order of their giving.
final class StubWordsServer: Sendable {
    struct Rules: Sendable {
        /// Access tokens that are honoured; nil takes any.
        var honoured: Set<String>?
        var refreshStatus = 200
        /// Whether a refused refresh token has only run out.
        var refusesSoftly = false
        /// How many refresh answers get lost on the way back.
        var lostRefreshes = 0
        var isDown = false
        var lifetime: Int64 = 3_600
        /// Refresh tokens that have been used up.
        var refreshes = 0
    }

    let rules = Locked(Rules())

    var transport: StubTransport {
        StubTransport { [self] request, _ in rules.withLock { answer(request, &$0) } }
    }

    private func answer(
        _ request: TransportRequest, _ rules: inout Rules
    ) -> Result<TransportResponse, NetworkFault> {
        if rules.isDown { return .failure(.unreachable) }
        switch request.operation {
        case .login: return .success(token(rules.refreshes, rules))
        case .refresh:
            guard rules.refreshStatus == 200 else {
                let flag = rules.refusesSoftly ? #","soft_logout":true"# : ""
                return .success(
                    .json(rules.refreshStatus, #"{"error":"invalid_grant","message":"The session is over."\#(flag)}"#))
            }
            rules.refreshes += 1
            if rules.lostRefreshes > 0 {
                rules.lostRefreshes -= 1
                return .failure(.interrupted)
            }
            return .success(token(rules.refreshes, rules))
        default: break
        }
        let bearer = request.header("Authorization")?.replacingOccurrences(of: "Bearer ", with: "") ?? ""
        if let honoured = rules.honoured, !honoured.contains(bearer) {
            return .success(.json(401, #"{"message":"Unauthenticated."}"#))
        }
        switch request.operation {
        case .chatToken:
            return .success(
                .json(
                    200,
                    """
                    {"access_token":"chat-of-\(bearer)","token_type":"Bearer","expires_in":\(rules.lifetime),\
                    "user_id":"@alice:words.test"}
                    """))
        case .user, .signup:
            return .success(
                .json(200, #"{"id":1,"name":"Alice","email":"alice@words.test","chatkit_id":"@alice:words.test"}"#))
        case .contacts: return .success(.json(200, "[]"))
        default: return .success(.json(204, ""))
        }
    }

    private func token(_ number: Int, _ rules: Rules) -> TransportResponse {
        .json(
            200,
            """
            {"token_type":"Bearer","expires_in":\(rules.lifetime),"access_token":"access-\(number)",\
            "refresh_token":"refresh-\(number)","device_id":"DEVICE"}
            """)
    }
}
