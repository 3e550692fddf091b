import Foundation
import Models

/// One connection, written and read as bytes. Blocking, so it is only used on threads of its own.
final class WireConnection {
    private let descriptor: Int32

    var socket: Int32 { descriptor }

    /// Nil where nobody answers. Whatever blocks for longer than `patience` seconds fails.
    init?(port: UInt16, from source: String? = nil, patience: Int = 10) {
        descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var limit = timeval(tv_sec: patience, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        if let source { _ = Self.withAddress(source, 0) { bind(descriptor, $0, $1) } }
        let result = Self.withAddress("127.0.0.1", port) { connect(descriptor, $0, $1) }
        guard result == 0 else { return nil }
    }

    deinit { close(descriptor) }

    private static func withAddress(
        _ host: String, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }

    /// False where the peer has hung up.
    @discardableResult
    func write(_ text: String) -> Bool { write(Data(text.utf8)) }

    @discardableResult
    func write(_ data: Data) -> Bool {
        var rest = data
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Says that nothing more will be written.
    func finishWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// What there is to read now, waiting for it; nil at the end, empty past the patience.
    func read() -> Data? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count == 0 { return nil }
        if count < 0 { return errno == EAGAIN ? Data() : nil }
        return Data(buffer.prefix(count))
    }

    /// All until the peer hangs up.
    func readToEnd() -> Data {
        var all = Data()
        while let part = read(), !part.isEmpty { all.append(part) }
        return all
    }

    /// One answer with a Content-Length, or without a body; nil where the peer hangs up before its end.
    func readAnswer(isHead: Bool = false) -> Answer? {
        var all = Data()
        while true {
            if let answer = Answer(all, isHead: isHead) { return answer }
            guard let part = read(), !part.isEmpty else { return nil }
            all.append(part)
        }
    }
}

/// An answer as it came over the wire.
struct Answer: Sendable {
    var status: Int
    var headers: [(name: String, value: String)]
    var body: Data

    /// Nil where it is not whole yet.
    init?(_ data: Data, isHead: Bool = false) {
        guard let end = data.range(of: Data("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: data[..<end.lowerBound], as: UTF8.self)
            .split(separator: "\r\n", omittingEmptySubsequences: false)
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count >= 2, let status = Int(words[1]) else { return nil }
        self.status = status
        headers = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (
                name: String(parts.first ?? ""),
                value: parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
            )
        }
        let length = headers.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) } ?? 0
        body = Data(data[end.upperBound...])
        guard isHead || body.count >= length else { return nil }
    }

    subscript(name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }

    var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
}

/// Does `work` on a thread of its own: blocking calls on the threads of tasks would starve the server under test.
func onOwnThread<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread { continuation.resume(returning: work()) }.start()
    }
}

/// Sends whole requests, each on a connection of its own.
struct WireClient: Sendable {
    enum Failure: Error { case noAnswer }

    let port: UInt16

    func send(
        _ method: String, _ path: String, headers: [(String, String)] = [], body: Data? = nil
    ) async throws -> Answer {
        var head = "\(method) \(path) HTTP/1.1\r\n"
        let own = [("Host", "127.0.0.1:\(port)"), ("Connection", "close")]
        let names = Set(headers.map { $0.0.lowercased() })
        for (name, value) in own.filter({ !names.contains($0.0.lowercased()) }) + headers {
            head += "\(name): \(value)\r\n"
        }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        let bytes = Data((head + "\r\n").utf8) + (body ?? Data())
        let port = port
        let answer = await onOwnThread { () -> Answer? in
            guard let connection = WireConnection(port: port) else { return nil }
            connection.write(bytes)
            return connection.readAnswer(isHead: method == "HEAD")
        }
        guard let answer else { throw Failure.noAnswer }
        return answer
    }

    /// Sends JSON, and a token where there is one.
    func send(
        _ method: String, _ path: String, _ json: JSONValue? = nil, token: String? = nil,
        headers: [(String, String)] = []
    ) async throws -> Answer {
        var headers = headers
        if json != nil { headers.append(("Content-Type", "application/json")) }
        if let token { headers.append(("Authorization", "Bearer \(token)")) }
        return try await send(method, path, headers: headers, body: json?.serialized())
    }
}
