import CMicrohttpd
import Foundation
import Models

/// Serves one listening socket on the thread that calls `run`; all of it, and all of the library, lives on that thread.
///
/// The library's own epoll thread stalls when the number of ready events is a multiple of 128, so it is driven from
/// here: wait for its epoll descriptor or the mailbox, run it once, see what is overdue. Handlers run elsewhere, as tasks,
/// while their connections are suspended.
final class EventLoop {
    private let socket: ListeningSocket
    let mailbox: Mailbox
    let gate: RequestGuard
    let handler: any HTTPHandler
    let activity: Activity
    private var daemon: OpaquePointer?
    var connections: [OpaquePointer: Connection] = [:]
    private var connectionsByAddress: [String: Int] = [:]
    var exchanges: [Int: Exchange] = [:]
    var nextExchange = 0
    private(set) var stoppingSince: Timepoint?
    private var hasGivenUp = false
    private var watchedAt = Timepoint.now()
    private lazy var connectionLimit = FileDescriptors.connections(wanted: limits.connections)
    /// No more could be let in. The library listens again only when it is run after somebody has gone.
    private var isFull = false

    init(
        socket: ListeningSocket, mailbox: Mailbox, gate: RequestGuard, handler: any HTTPHandler,
        activity: Activity
    ) {
        self.socket = socket
        self.mailbox = mailbox
        self.gate = gate
        self.handler = handler
        self.activity = activity
    }

    var limits: HTTPLimits { gate.limits }

    /// Returns once `stop` has been asked for and all that was under way has been answered. False where the library
    /// would not start. The listening socket is closed in any case.
    func run(_ started: (Bool) -> Void) {
        daemon = start()
        started(daemon != nil)
        guard let daemon else {
            close(socket.descriptor)
            return
        }
        let epoll = words_epoll_descriptor(daemon)
        while !isDone {
            var descriptors = [
                pollfd(fd: epoll, events: Int16(POLLIN), revents: 0),
                pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            poll(&descriptors, 2, timeout(daemon))
            if descriptors[1].revents != 0 { readMail() }
            MHD_run(daemon)
            watch()
        }
        MHD_stop_daemon(daemon)
        self.daemon = nil
    }

    private func start() -> OpaquePointer? {
        let flags =
            MHD_USE_EPOLL.rawValue | MHD_USE_ITC.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
            | MHD_USE_ERROR_LOG.rawValue
        let context = Unmanaged.passUnretained(self).toOpaque()
        func option(_ name: MHD_OPTION, _ value: Int, _ pointer: UnsafeMutableRawPointer? = nil) -> MHD_OptionItem {
            MHD_OptionItem(option: name, value: value, ptr_value: pointer)
        }
        var options = [
            option(.EXTERNAL_LOGGER, words_logger(microhttpdLogs)),
            option(.LISTEN_SOCKET, Int(socket.descriptor)),
            option(.CONNECTION_LIMIT, connectionLimit),
            option(.CONNECTION_MEMORY_LIMIT, limits.connectionMemory),
            option(.CONNECTION_TIMEOUT, Int(limits.answering.milliseconds / 1_000) + 1),
            option(.STRICT_FOR_CLIENT, 1),
            option(.UNESCAPE_CALLBACK, words_unescape_callback(microhttpdKeepsEscapes)),
            option(.URI_LOG_CALLBACK, words_uri_callback(microhttpdBegins), context),
            option(.NOTIFY_COMPLETED, words_completed_callback(microhttpdCompletes), context),
            option(
                .NOTIFY_CONNECTION, words_connection_callback(microhttpdNotifiesConnection), context),
            option(.END, 0),
        ]
        return options.withUnsafeMutableBufferPointer { options in
            guard let base = options.baseAddress else { return nil }
            let arguments: [any CVarArg] = [MHD_OPTION.ARRAY.rawValue, base, MHD_OPTION.END.rawValue]
            return withVaList(arguments) {
                MHD_start_daemon_va(flags, 0, microhttpdAccepts, context, microhttpdHandles, context, $0)
            }
        }
    }

    /// Milliseconds until something is due; −1 for never.
    private func timeout(_ daemon: OpaquePointer) -> Int32 {
        let wasFull = isFull
        isFull = connections.count >= connectionLimit
        if wasFull, !isFull { return 0 }
        var timeout = connections.isEmpty && stoppingSince == nil ? -1 : limits.watchInterval.milliseconds
        var wanted: UInt64 = 0
        if MHD_get_timeout(daemon, &wanted) == MHD_Result.YES {
            timeout = timeout < 0 ? Int64(clamping: wanted) : min(timeout, Int64(clamping: wanted))
        }
        return Int32(clamping: timeout)
    }
}

/// Letters.
extension EventLoop {
    private func readMail() {
        for letter in mailbox.take() {
            switch letter {
            case .answer(let id, let response): answer(id, response)
            case .stop: beginStopping()
            }
        }
    }

    private func answer(_ id: Int, _ response: HTTPResponse) {
        guard let exchange = exchanges[id], case .handling = exchange.phase else { return }
        exchange.phase = .answered(response)
        MHD_resume_connection(exchange.connection)
    }

    private func beginStopping() {
        guard stoppingSince == nil, let daemon else { return }
        stoppingSince = .now()
        let descriptor = MHD_quiesce_daemon(daemon)
        if descriptor >= 0 { close(descriptor) }
    }

    private var isDone: Bool {
        guard let stoppingSince else { return false }
        if exchanges.isEmpty { return true }
        return hasGivenUp && Timepoint.now() - stoppingSince > limits.stopping + .seconds(1)
    }

    /// Answers in place of handlers that have not ended in the time that stopping allows.
    private func giveUp() {
        hasGivenUp = true
        for exchange in exchanges.values {
            guard case .handling(let task) = exchange.phase else { continue }
            task.cancel()
            answer(exchange.id, stopping(exchange))
        }
    }

    func stopping(_ exchange: Exchange) -> HTTPResponse {
        Router.failure(
            503, "M_UNKNOWN", "The server is stopping. Try again in a moment.", HTTPRequest.isMatrix(exchange.path))
    }
}

/// Connections, and the time that each may take.
extension EventLoop {
    func accepts(_ address: UnsafePointer<sockaddr>?) -> Bool {
        let name = SocketAddress.text(of: address)
        let limit =
            RequestGuard.isLoopback(name) ? limits.connectionsPerLoopbackAddress : limits.connectionsPerAddress
        return connectionsByAddress[name, default: 0] < limit
    }

    func opened(_ connection: OpaquePointer) {
        let address = SocketAddress.text(of: words_connection_address(connection))
        connections[connection] = Connection(
            address: address, descriptor: words_connection_descriptor(connection))
        connectionsByAddress[address, default: 0] += 1
    }

    func closed(_ connection: OpaquePointer) {
        guard let address = connections.removeValue(forKey: connection)?.address else { return }
        let left = connectionsByAddress[address, default: 1] - 1
        connectionsByAddress[address] = left > 0 ? left : nil
    }

    /// Hangs up on peers that are too slow, and tells handlers whose clients have gone.
    private func watch() {
        let now = Timepoint.now()
        guard now - watchedAt >= limits.watchInterval || stoppingSince != nil else { return }
        watchedAt = now
        for connection in connections.values where connection.isOverdue(at: now, limits) {
            shutdown(connection.descriptor, Int32(SHUT_RDWR))
        }
        hangUpOnStuck()
        giveUpAbandoned(now)
        if let stoppingSince, !hasGivenUp, now - stoppingSince > limits.stopping { giveUp() }
    }

    /// A chunk whose head is longer than the memory of a connection makes the library turn round and round without reading
    /// on. It reads all else that has come, so bytes that wait for as long as this while the body does not grow mean that.
    private func hangUpOnStuck() {
        for exchange in exchanges.values {
            guard exchange.isReceiving, let connection = connections[exchange.connection] else { continue }
            let taken = exchange.body.count + exchange.discarded
            var byte: UInt8 = 0
            let isWaiting = recv(connection.descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
            if isWaiting, exchange.takenBeforeWaiting == taken {
                shutdown(connection.descriptor, Int32(SHUT_RDWR))
            }
            exchange.takenBeforeWaiting = isWaiting ? taken : nil
        }
    }

    /// A suspended connection does not notice that its client has gone, so it is asked. Only exchanges that have taken a
    /// while are: the others are over before it matters.
    private func giveUpAbandoned(_ now: Timepoint) {
        let waiting = exchanges.values.filter { exchange in
            guard !exchange.hasBeenGivenUp, let since = exchange.handlingSince else { return false }
            return now - since >= limits.watchInterval
        }
        guard !waiting.isEmpty else { return }
        let hungUp = Int16(0x2000)  // POLLRDHUP, which the C library hides behind a feature macro.
        var descriptors = waiting.map { exchange in
            pollfd(fd: connections[exchange.connection]?.descriptor ?? -1, events: hungUp, revents: 0)
        }
        guard poll(&descriptors, nfds_t(descriptors.count), 0) > 0 else { return }
        for (exchange, descriptor) in zip(waiting, descriptors) where descriptor.revents != 0 {
            exchange.hasBeenGivenUp = true
            if case .handling(let task) = exchange.phase { task.cancel() }
        }
    }
}
