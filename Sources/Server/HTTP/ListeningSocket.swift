import CMicrohttpd
import Foundation

/// A bound, listening, non-blocking socket. Whoever takes `descriptor` closes it.
struct ListeningSocket: Sendable {
    var descriptor: Int32
    var port: UInt16

    /// Port 0 takes any free one. Throws `ServerError.cannotListen` with the system's words.
    init(host: String, port: UInt16) throws(ServerError) {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        let problem = getaddrinfo(host, String(port), &hints, &found)
        defer { if let found { freeaddrinfo(found) } }
        guard problem == 0, let address = found?.pointee else {
            throw .cannotListen(host: host, port: port, reason: String(cString: gai_strerror(problem)))
        }
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.ai_family, type, 0)
        guard descriptor >= 0 else { throw Self.failure(host, port) }
        var one: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, address.ai_addr, address.ai_addrlen) == 0, listen(descriptor, 1_024) == 0 else {
            defer { close(descriptor) }
            throw Self.failure(host, port)
        }
        self.descriptor = descriptor
        self.port = Self.port(of: descriptor) ?? port
    }

    private static func failure(_ host: String, _ port: UInt16) -> ServerError {
        .cannotListen(host: host, port: port, reason: String(cString: strerror(errno)))
    }

    private static func port(of descriptor: Int32) -> UInt16? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard result == 0 else { return nil }
        return withUnsafePointer(to: &storage) { SocketAddress.port(of: UnsafeRawPointer($0)) }
    }
}

/// Reading of the system's socket addresses.
enum SocketAddress {
    /// `127.0.0.1`, `::1`; `unknown` for what has no number.
    static func text(of address: UnsafePointer<sockaddr>?) -> String {
        guard let address else { return "unknown" }
        let raw = UnsafeRawPointer(address)
        var buffer = [UInt8](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let isWritten = buffer.withUnsafeMutableBytes { bytes in
            guard let target = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return false }
            switch Int32(address.pointee.sa_family) {
            case AF_INET:
                var number = raw.loadUnaligned(as: sockaddr_in.self).sin_addr
                return inet_ntop(AF_INET, &number, target, socklen_t(bytes.count)) != nil
            case AF_INET6:
                var number = raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
                return inet_ntop(AF_INET6, &number, target, socklen_t(bytes.count)) != nil
            default: return false
            }
        }
        return isWritten ? String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self) : "unknown"
    }

    static func port(of address: UnsafeRawPointer) -> UInt16? {
        switch Int32(address.loadUnaligned(as: sockaddr.self).sa_family) {
        case AF_INET: UInt16(bigEndian: address.loadUnaligned(as: sockaddr_in.self).sin_port)
        case AF_INET6: UInt16(bigEndian: address.loadUnaligned(as: sockaddr_in6.self).sin6_port)
        default: nil
        }
    }
}
