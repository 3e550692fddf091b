import Foundation
import Models

/// A listening socket that answers every request with bytes of the test's choice: what no decent server would send.
final class WireServer: Sendable {
    /// What follows the answer.
    enum Ending: Sendable {
        case close, keepOpen
        /// One more byte every 20 ms, until nobody takes it.
        case drip
    }

    let port: UInt16
    private let descriptor: Int32
    private let seen = Locked<[String]>([])
    private let isOver = Locked(false)

    /// The heads of the requests so far.
    var requests: [String] { seen.withLock { $0 } }

    var url: String { "http://127.0.0.1:\(port)" }

    init?(_ answer: @escaping @Sendable (_ head: String) -> (String, Ending)) {
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        let listening = socket(AF_INET, kind, 0)
        descriptor = listening
        guard listening >= 0 else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(listening, generic, length) == 0 && listen(listening, 1_024) == 0
                    && getsockname(listening, generic, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isBound else { return nil }
        let (seen, isOver) = (seen, isOver)
        Thread.detachNewThread {
            // Closed by the one who accepts: closed elsewhere, its number would soon be another test's socket, and what
            // comes to that would be accepted here.
            defer { close(listening) }
            while !isOver.withLock({ $0 }) {
                let peer = accept(listening, nil, nil)
                if peer >= 0 { Thread.detachNewThread { Self.serve(peer, seen, answer) } }
            }
        }
    }

    deinit {
        isOver.withLock { isOver in
            isOver = true
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
    }

    private static func serve(
        _ peer: Int32, _ seen: Locked<[String]>, _ answer: (_ head: String) -> (String, Ending)
    ) {
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(peer, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            text += String(decoding: buffer[0..<count], as: UTF8.self)
            guard let end = text.range(of: "\r\n\r\n") else { continue }
            let head = String(text[..<end.lowerBound])
            text = ""
            seen.withLock { $0.append(head) }
            let (bytes, ending) = answer(head)
            _ = Array(bytes.utf8).withUnsafeBytes { send(peer, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if ending == .close { break }
            if ending == .drip {
                while Array("x".utf8).withUnsafeBytes({ send(peer, $0.baseAddress, 1, Int32(MSG_NOSIGNAL)) }) == 1 {
                    _ = poll(nil, 0, 20)
                }
                break
            }
        }
        close(peer)
    }
}
