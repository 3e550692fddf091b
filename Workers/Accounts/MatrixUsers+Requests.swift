import Foundation
import Models

/// One request each, and what its failure means.
extension MatrixUsers {
    func call(
        _ operation: Operation, _ method: String, _ segments: [String], _ body: JSONValue? = nil,
        _ token: UserToken? = nil
    ) -> ServerCall {
        ServerCall(
            operation: operation, method: method, segments: MatrixChatService.root + segments,
            body: body?.serialized(), token: token?.accessToken)
    }

    func answer(_ call: ServerCall) async throws(UsersError) -> TransportResponse {
        do { return try await connection.answer(to: call) } catch { throw .network(error) }
    }

    func tell(_ call: ServerCall) async throws(UsersError) {
        let response = try await answer(call)
        guard (200..<300).contains(response.status) else { throw error(for: response) }
    }

    func ask<Value: Decodable>(_ call: ServerCall) async throws(UsersError) -> Value {
        try read(try await answer(call))
    }

    /// An answer of another shape is a fault of the server.
    func read<Value: Decodable>(
        _ response: TransportResponse, expecting status: Int? = nil
    ) throws(UsersError) -> Value {
        guard status.map({ $0 == response.status }) ?? (200..<300).contains(response.status) else {
            throw error(for: response)
        }
        guard let value = Body.decode(Value.self, from: response.body) else {
            throw .network(.serverFault(status: response.status))
        }
        return value
    }

    func failure(of response: TransportResponse) -> MatrixShapes.Failure? {
        guard !(200..<300).contains(response.status) else { return nil }
        return Body.decode(MatrixShapes.Failure.self, from: response.body)
    }

    /// By its `errcode`, for a status without one comes from something on the way, and must not log anyone out.
    func error(for response: TransportResponse) -> UsersError {
        switch MatrixChatService.error(for: response, now: clock.now) {
        case .network(.limited(let wait)): .limited(retryAfter: wait)
        case .network(let fault): .network(fault)
        case .sessionEnded: .unauthenticated
        case .sessionExpired: .expired
        case .forbidden(let words), .notFound(let words), .taken(let words), .refused(let words): .refused(words)
        case .tooLarge: .refused("It is larger than the server takes.")
        }
    }

    /// One's own account data; nil where nothing is set.
    func accountData(_ type: String, _ token: UserToken) async throws(UsersError) -> JSONValue? {
        let segments = ["user", try await ownID(token).raw, "account_data", type]
        let response = try await answer(call(.accountData, "GET", segments, nil, token))
        if failure(of: response)?.errcode == "M_NOT_FOUND" { return nil }
        return try read(response)
    }

    func setAccountData(_ type: String, _ content: JSONValue, _ token: UserToken) async throws(UsersError) {
        let segments = ["user", try await ownID(token).raw, "account_data", type]
        try await tell(call(.accountData, "PUT", segments, content, token))
    }
}
