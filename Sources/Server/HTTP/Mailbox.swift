import CMicrohttpd
import Foundation
import Models

/// How other threads reach the event loop: letters, and a descriptor that becomes readable when there are any.
final class Mailbox: Sendable {
    enum Letter: Sendable {
        case answer(exchange: Int, HTTPResponse)
        /// Take no new requests, finish those under way, end.
        case stop
    }

    /// An eventfd.
    let descriptor: Int32
    private let letters = Locked<[Letter]>([])

    /// Nil where the process has no descriptors left.
    init?() {
        descriptor = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    func post(_ letter: Letter) {
        let wasEmpty = letters.withLock { letters in
            defer { letters.append(letter) }
            return letters.isEmpty
        }
        guard wasEmpty else { return }
        var one: UInt64 = 1
        write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    func take() -> [Letter] {
        var count: UInt64 = 0
        read(descriptor, &count, MemoryLayout<UInt64>.size)
        return letters.withLock { letters in
            defer { letters = [] }
            return letters
        }
    }
}
