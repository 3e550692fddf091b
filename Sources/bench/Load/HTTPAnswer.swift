import Foundation

/// One answer, whole, and when it was asked for and had come.
struct HTTPAnswer {
    var status: Int
    var body: [UInt8]
    var sentAt: ContinuousClock.Instant
    var arrivedAt: ContinuousClock.Instant

    var latency: Duration { sentAt.duration(to: arrivedAt) }

    func decoded<Value: Decodable>(_: Value.Type = Value.self) throws -> Value {
        guard status == 200 else {
            throw BenchError("an answer with status \(status): \(String(decoding: body.prefix(200), as: UTF8.self))")
        }
        return try JSONDecoder().decode(Value.self, from: Data(body))
    }
}

/// What one connection asks for.
struct HTTPCall {
    var method: String
    /// With the query, encoded.
    var target: String
    var token: String?
    var body: String?

    static func get(_ target: String, _ token: String? = nil) -> HTTPCall {
        HTTPCall(method: "GET", target: target, token: token, body: nil)
    }

    static func post(_ target: String, _ token: String? = nil, _ body: String = "{}") -> HTTPCall {
        HTTPCall(method: "POST", target: target, token: token, body: body)
    }

    static func put(_ target: String, _ token: String?, _ body: String) -> HTTPCall {
        HTTPCall(method: "PUT", target: target, token: token, body: body)
    }

    func bytes(host: String) -> [UInt8] {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\n"
        if let token { head += "Authorization: Bearer \(token)\r\n" }
        if let body { head += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n" }
        return Array((head + "\r\n" + (body ?? "")).utf8)
    }
}
