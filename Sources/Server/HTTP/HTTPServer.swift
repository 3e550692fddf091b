import Foundation
import Models

/// An HTTP/1.1 server on one socket. `start` and `stop` once each.
package final class HTTPServer: Sendable {
    private enum State: Sendable {
        case fresh
        case running
        case stopping([CheckedContinuation<Void, Never>])
        case stopped
    }

    private let host: String
    private let socket: ListeningSocket
    private let mailbox: Mailbox
    private let state = Locked(State.fresh)

    /// The port it listens on, also where any free one was asked for.
    package var port: UInt16 { socket.port }

    /// Binds; serves from `start` on. Connections made in between wait.
    package init(host: String, port: UInt16) throws(ServerError) {
        guard let mailbox = Mailbox() else {
            throw .cannotListen(host: host, port: port, reason: "the process has too many files open")
        }
        self.host = host
        self.mailbox = mailbox
        socket = try ListeningSocket(host: host, port: port)
    }

    /// A server that nobody holds any more stops, without anybody waiting for it.
    deinit {
        switch state.withLock({ $0 }) {
        case .fresh: close(socket.descriptor)
        case .running: mailbox.post(.stop)
        case .stopping, .stopped: break
        }
    }

    package func start(
        gate: RequestGuard, handler: any HTTPHandler, activity: Activity
    ) async throws(ServerError) {
        let isFresh = state.withLock { state in
            guard case .fresh = state else { return false }
            state = .running
            return true
        }
        // Stopped before it could begin: its socket is closed, and the number of it may be another's by now.
        guard isFresh else { throw .stopped }
        let hasStarted = await withCheckedContinuation { continuation in
            let thread = Thread { [socket, mailbox, state] in
                let loop = EventLoop(
                    socket: socket, mailbox: mailbox, gate: gate, handler: handler, activity: activity)
                loop.run { continuation.resume(returning: $0) }
                Self.end(state)
            }
            thread.name = "words-http"
            thread.stackSize = 1 << 20
            thread.start()
        }
        guard hasStarted else {
            throw .cannotListen(host: host, port: port, reason: "the HTTP library would not start")
        }
    }

    /// Takes no new requests at once; returns when those under way have been answered. `release` is called in between:
    /// it ends what would otherwise wait for news, such as long polls.
    package func stop(release: () async -> Void = {}) async {
        let before = state.withLock { state in
            defer { if case .fresh = state { state = .stopped } }
            return state
        }
        switch before {
        case .fresh: close(socket.descriptor)
        case .stopped: return
        case .running, .stopping:
            mailbox.post(.stop)
            await release()
            await ended()
        }
    }

    private func ended() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                switch state {
                case .stopped, .fresh: return true
                case .running: state = .stopping([continuation])
                case .stopping(let waiting): state = .stopping(waiting + [continuation])
                }
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    private static func end(_ state: Locked<State>) {
        let waiting = state.withLock { state in
            defer { state = .stopped }
            if case .stopping(let waiting) = state { return waiting }
            return []
        }
        for continuation in waiting { continuation.resume() }
    }
}
