import CMicrohttpd
import Foundation
import Models

/// One request after another: what the library's callbacks come to.
extension EventLoop {
    func begin(target: String, _ connection: OpaquePointer) -> Exchange {
        defer { nextExchange += 1 }
        let exchange = Exchange(id: nextExchange, target: target, connection: connection)
        exchanges[exchange.id] = exchange
        connections[connection]?.enter(.receiving)
        return exchange
    }

    func complete(_ exchange: Exchange) {
        exchanges[exchange.id] = nil
        connections[exchange.connection]?.enter(.idle)
        if case .handling(let task) = exchange.phase { task.cancel() }
    }

    /// False closes the connection.
    func advance(_ exchange: Exchange, method: UnsafePointer<CChar>, chunk: UnsafeRawBufferPointer) -> Bool {
        switch exchange.phase {
        case .arriving: return readHead(exchange, method)
        case .receiving where chunk.isEmpty: return handle(exchange)
        case .receiving: return receive(exchange, chunk)
        case .discarding(let response):
            if chunk.isEmpty { return send(response, exchange) }
            exchange.discarded += chunk.count
            return exchange.discarded <= limits.discardedBody
        case .answered(let response): return send(response, exchange)
        case .handling, .sending: return true
        }
    }

    private func readHead(_ exchange: Exchange, _ method: UnsafePointer<CChar>) -> Bool {
        exchange.method = String(cString: method)
        let context = Unmanaged.passUnretained(exchange).toOpaque()
        MHD_get_connection_values(exchange.connection, .HEADER_KIND, microhttpdReadsHeader, context)
        exchange.crossOriginHeaders = gate.crossOriginHeaders(exchange.headers)
        if stoppingSince != nil { return send(stopping(exchange), exchange) }
        switch gate.verdict(method: exchange.method, target: exchange.target, headers: exchange.headers) {
        case .admitted:
            exchange.phase = .receiving
            return true
        case .answered(let response):
            let length = exchange.headers["Content-Length"].flatMap { Int($0) } ?? 0
            if response.status == 413, length <= limits.discardedBody {
                exchange.phase = .discarding(response)
                return true
            }
            return send(response, exchange)
        }
    }

    private func receive(_ exchange: Exchange, _ chunk: UnsafeRawBufferPointer) -> Bool {
        guard exchange.body.count + chunk.count <= limits.body(ofPath: exchange.path) else {
            exchange.body = Data()
            let isMatrix = HTTPRequest.isMatrix(exchange.path)
            exchange.phase = .discarding(
                Router.failure(413, "M_TOO_LARGE", gate.tooLarge(exchange.path), isMatrix))
            return true
        }
        exchange.body.append(contentsOf: chunk)
        return true
    }

    /// The request is whole: suspends the connection and gives the request to the handler.
    private func handle(_ exchange: Exchange) -> Bool {
        guard let target = RequestTarget(exchange.target) else {
            let message = "The address of the request cannot be read."
            return send(
                Router.failure(400, "M_UNKNOWN", message, HTTPRequest.isMatrix(exchange.path)), exchange)
        }
        let connection = connections[exchange.connection]
        let cause = RequestCause(activity: activity)
        let request = HTTPRequest(
            method: exchange.method, path: target.path, segments: target.segments, query: target.query,
            headers: exchange.headers, body: exchange.body,
            remoteAddress: connection?.address ?? "unknown", cause: cause)
        // A poll may be parked for long, and thousands of them at once.
        exchange.body = Data()
        exchange.headers = HTTPHeaders()
        exchange.handlingSince = .now()
        connection?.enter(.handling)
        MHD_suspend_connection(exchange.connection)
        cause.begin()
        exchange.phase = .handling(
            Task { [handler, mailbox, id = exchange.id] in
                mailbox.post(.answer(exchange: id, await handler.respond(to: request)))
                cause.end()
            })
        return true
    }

    private func send(_ response: HTTPResponse, _ exchange: Exchange) -> Bool {
        exchange.phase = .sending
        connections[exchange.connection]?.enter(.answering)
        let raw = response.body.withUnsafeBytes { bytes in
            MHD_create_response_from_buffer(
                bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
        }
        guard let raw else { return false }
        defer { MHD_destroy_response(raw) }
        for (name, value) in response.headers + exchange.crossOriginHeaders {
            MHD_add_response_header(raw, name, value)
        }
        if stoppingSince != nil { MHD_add_response_header(raw, "Connection", "close") }
        return MHD_queue_response(exchange.connection, UInt32(clamping: response.status), raw) == MHD_Result.YES
    }
}
