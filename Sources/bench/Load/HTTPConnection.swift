import Foundation

/// One connection that is kept: a call at a time.
final class HTTPConnection {
    let descriptor: Int32
    private let host: String
    private var parser = AnswerParser()
    private var outgoing: [UInt8] = []
    private var written = 0
    private var sentAt = ContinuousClock.now

    /// Whether some of a call is still to be written.
    var isWriting: Bool { written < outgoing.count }
    private(set) var isWaiting = false

    init(_ target: Target) throws {
        host = "\(target.host):\(target.port)"
        descriptor = socket(AF_INET, SocketKind.stream, 0)
        guard descriptor >= 0 else { throw BenchError("no more sockets: \(String(cString: strerror(errno)))") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = target.port.bigEndian
        inet_pton(AF_INET, target.host, &address.sin_addr)
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, length) == 0 }
        }
        guard isConnected else { throw BenchError("nobody answers at \(host)") }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit { close(descriptor) }

    func send(_ call: HTTPCall) throws {
        outgoing = call.bytes(host: host)
        written = 0
        isWaiting = true
        sentAt = .now
        try write()
    }

    func write() throws {
        while isWriting {
            let count = outgoing.withUnsafeBytes { bytes in
                Foundation.send(
                    descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written, Int32(MSG_NOSIGNAL))
            }
            if count < 0 {
                if errno == EAGAIN { return }
                throw BenchError("the connection to \(host) broke: \(String(cString: strerror(errno)))")
            }
            written += count
        }
    }

    /// Reads what has come into `buffer` and from it; an answer once it is whole.
    func read(_ buffer: UnsafeMutableRawBufferPointer) throws -> HTTPAnswer? {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count < 0, errno == EAGAIN { return nil }
            guard count > 0 else { throw BenchError("the server at \(host) closed a connection") }
            if let (status, body) = try parser.add(UnsafeRawBufferPointer(rebasing: buffer[0..<count])) {
                isWaiting = false
                return HTTPAnswer(status: status, body: body, sentAt: sentAt, arrivedAt: .now)
            }
        }
    }
}

/// Where the load goes.
struct Target {
    /// A numeric IPv4 address.
    var host: String
    var port: UInt16

    /// From `http://127.0.0.1:8008`.
    init(url text: String) throws {
        guard let url = URL(string: text), url.scheme == "http", let host = url.host, let port = url.port,
            let port = UInt16(exactly: port)
        else { throw BenchError("\(text) is no address of the form http://127.0.0.1:8008") }
        self.host = host == "localhost" ? "127.0.0.1" : host
        self.port = port
    }
}

private enum SocketKind {
    #if canImport(Glibc)
        static let stream = Int32(SOCK_STREAM.rawValue)
    #else
        static let stream = SOCK_STREAM
    #endif
}
