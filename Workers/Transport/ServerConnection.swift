import Foundation
import Models

/// One request to the server, wherever that is now.
struct ServerCall: Sendable {
    var operation: Operation
    var method = "GET"
    var segments: [String]
    var query: [(name: String, value: String)] = []
    var headers: [(name: String, value: String)] = []
    /// JSON.
    var body: Data?
    var token: Secret?
    var deadline: Duration = .seconds(30)
}

/// Sends calls to an endpoint that may move.
struct ServerConnection: Sendable {
    let endpoint: any ServerEndpoint
    let transport: any Transport

    /// Sends `call`; once more where nobody was there and the endpoint then names another address. A request that
    /// reached nobody was not delivered, so this never does anything twice.
    func answer(to call: ServerCall) async throws(NetworkFault) -> TransportResponse {
        let url = try await endpoint.baseURL()
        do { return try await send(call, to: url) } catch {
            guard error == .unreachable else { throw error }
            await endpoint.lost(url)
            let next = try await endpoint.baseURL()
            guard next != url else { throw error }
            return try await send(call, to: next)
        }
    }

    private func send(_ call: ServerCall, to base: URL) async throws(NetworkFault) -> TransportResponse {
        guard let url = RequestAddress.url(base: base, segments: call.segments, query: call.query) else {
            throw .unreachable
        }
        var headers = call.headers
        headers.append(("Accept", "application/json"))
        if call.body != nil { headers.append(("Content-Type", "application/json")) }
        if let token = call.token { headers.append(("Authorization", "Bearer \(token.reveal())")) }
        return try await transport.perform(
            TransportRequest(
                operation: call.operation, method: call.method, url: url, headers: headers, body: call.body,
                deadline: call.deadline))
    }
}

/// Bodies, in and out.
enum Body {
    /// Nil for what is not JSON in UTF-8, nests too deep, or has another shape.
    static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) -> Value? {
        guard JSONDepth.isWithin(JSONValue.depthLimit, data) else { return nil }
        return try? JSONDecoder().decode(type, from: data)
    }

    /// The same, for what is read without `Decodable`.
    static func decode<Value: JSONReadable>(_ type: Value.Type, from data: Data) -> Value? {
        JSONReader.read(data) { $0.read() }
    }

    static func encode(_ value: some Encodable) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Only a number that JSON cannot write makes encoding fail, and no body of ours bears one.
        return (try? encoder.encode(value)) ?? Data("{}".utf8)
    }
}
