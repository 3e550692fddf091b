import Foundation
import Models
import Testing

@testable import Server

/// The server against peers of every kind, over sockets.
@Suite struct HTTPServerIntegrationTests {
    /// Answers with what it was asked, when it is told to.
    private final class EchoHandler: HTTPHandler {
        let gate = Gate()
        let cancelled = Gate()

        func respond(to request: HTTPRequest) async -> HTTPResponse {
            switch request.path {
            case "/wait":
                await withTaskCancellationHandler {
                    await gate.wait()
                } onCancel: {
                    cancelled.open()
                    gate.open()
                }
            case "/hold": await gate.wait()
            default: break
            }
            var fields: [String: JSONValue] = [
                "method": .string(request.method), "path": .string(request.path),
                "body": .string(String(decoding: request.body, as: UTF8.self)),
                "address": .string(request.remoteAddress),
            ]
            if let header = request.headers["x-test"] { fields["header"] = .string(header) }
            fields["parameters"] = .integer(Int64(request.query.count))
            fields["last"] = request.query.last.map { .string($0.value) }
            return .json(200, data: JSONValue.object(fields).serialized())
        }
    }

    private struct Running: Sendable {
        let server: HTTPServer
        let handler: EchoHandler
        let activity: Activity
        var client: WireClient { WireClient(port: server.port) }

        /// Writes `text` on a connection of its own and reads all until the server hangs up.
        func converse(_ text: String) async -> String {
            let port = server.port
            return await onOwnThread {
                guard let connection = WireConnection(port: port) else { return "" }
                connection.write(text)
                return String(decoding: connection.readToEnd(), as: UTF8.self)
            }
        }
    }

    private func run(
        limits: HTTPLimits = HTTPLimits(), origins: Set<String> = [], _ body: (Running) async throws -> Void
    ) async throws {
        let running = Running(
            server: try HTTPServer(host: "127.0.0.1", port: 0), handler: EchoHandler(), activity: Activity())
        let gate = RequestGuard(allowedHosts: [], allowedOrigins: origins, limits: limits)
        try await running.server.start(gate: gate, handler: running.handler, activity: running.activity)
        do { try await body(running) } catch {
            running.handler.gate.open()
            await running.server.stop()
            throw error
        }
        running.handler.gate.open()
        await running.server.stop()
    }

    @Test("a request comes whole to the handler and its answer to the client")
    func echo() async throws {
        try await run { running in
            let body = Data(String(repeating: "x", count: 65_536).utf8)

            let answer = try await running.client.send(
                "POST", "/a%2Fb?c=d", headers: [("X-Test", "yes")], body: body)

            #expect(answer.status == 200)
            #expect(answer.json["method"] == "POST")
            #expect(answer.json["path"] == "/a%2Fb")
            #expect(answer.json["header"] == "yes")
            #expect(answer.json["address"] == "127.0.0.1")
            #expect(answer.json["body"]?.string?.utf8.count == 65_536)
        }
    }

    @Test("a connection is used again, and requests sent together are answered in their order")
    func keepAlive() async throws {
        try await run { running in
            let port = running.server.port

            let paths = await onOwnThread { () -> [String?] in
                guard let connection = WireConnection(port: port) else { return [] }
                let host = "HTTP/1.1\r\nHost: localhost\r\n"
                connection.write("GET /one \(host)\r\n")
                let first = connection.readAnswer()?.json["path"]?.string
                connection.write("GET /two \(host)\r\nGET /three \(host)Connection: close\r\n\r\n")
                let rest = String(decoding: connection.readToEnd(), as: UTF8.self)
                return [first, rest.contains("/two") ? "/two" : nil, rest.hasSuffix("}") ? "end" : nil]
            }

            #expect(paths == ["/one", "/two", "end"])
        }
    }

    @Test("a chunked body comes whole")
    func chunked() async throws {
        try await run { running in
            let answer = await running.converse(
                "POST /a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                    + "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")

            #expect(answer.contains("\"body\":\"abcde\""))
        }
    }

    @Test("HEAD has the headers of GET and no body")
    func head() async throws {
        try await run { running in
            let get = try await running.client.send("GET", "/a")
            let head = try await running.client.send("HEAD", "/a")

            #expect(head.status == 200)
            #expect(head.body.isEmpty)
            #expect(head["Content-Type"] == get["Content-Type"])
            #expect(head["Content-Length"] == String(get.body.count + 1))
        }
    }

    @Test("a body past the limit is refused with 413, declared or not")
    func tooLarge() async throws {
        try await run { running in
            let body = Data(repeating: 0x78, count: 65_537)

            let declared = try await running.client.send("POST", "/a", body: body)
            let chunk = "10001\r\n" + String(repeating: "x", count: 65_537) + "\r\n0\r\n\r\n"
            let chunked = await running.converse(
                "POST /a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n" + chunk
            )
            let huge = await running.converse(
                "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n")

            #expect(declared.status == 413)
            #expect(chunked.hasPrefix("HTTP/1.1 413"))
            #expect(huge.hasPrefix("HTTP/1.1 413"))
        }
    }

    @Test(
        "what could be read in two ways is refused with 400",
        arguments: [
            "Content-Length: 1\r\nContent-Length: 1", "Content-Length: 1\r\nTransfer-Encoding: chunked",
            "Content-Length: abc", "Host: localhost",
        ])
    func ambiguous(header: String) async throws {
        try await run { running in
            let answer = await running.converse("POST /a HTTP/1.1\r\nHost: localhost\r\n\(header)\r\n\r\nx")

            #expect(answer.hasPrefix("HTTP/1.1 400"))
            #expect(!answer.contains("WWW-Authenticate"))
        }
    }

    @Test("a request without a Host, a head past the limit and a target past it are refused")
    func badHeads() async throws {
        try await run { running in
            let noHost = await running.converse("GET /a HTTP/1.1\r\n\r\n")
            let long = String(repeating: "y", count: 20_000)
            let longHeader = await running.converse("GET /a HTTP/1.1\r\nHost: localhost\r\nX: \(long)\r\n\r\n")
            let longTarget = await running.converse("GET /\(long) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let after = try await running.client.send("GET", "/fine")

            #expect(noHost.hasPrefix("HTTP/1.1 400"))
            #expect(longHeader.hasPrefix("HTTP/1.1 431"))
            #expect(longTarget.hasPrefix("HTTP/1.1 414"))
            #expect(after.status == 200)
        }
    }

    @Test("as many query parameters as fit into a request line are read")
    func manyParameters() async throws {
        try await run { running in
            let names = (0..<1_500).map { "p=\($0 % 10)" }.joined(separator: "&")

            let answer = try await running.client.send("GET", "/fine?\(names)&last=here")

            #expect(answer.status == 200)
            #expect(answer.json["parameters"] == 1_501)
            #expect(answer.json["last"] == "here")
        }
    }

    @Test("a foreign Host gets 421, a foreign Origin 403, and neither a CORS header")
    func foreigners() async throws {
        try await run { running in
            let host = try await running.client.send("GET", "/a", headers: [("Host", "evil.example")])
            let origin = try await running.client.send("GET", "/a", headers: [("Origin", "http://evil.example")])
            let none = try await running.client.send("GET", "/a")

            #expect(host.status == 421)
            #expect(origin.status == 403)
            for answer in [host, origin, none] {
                #expect(!answer.headers.contains { $0.name.lowercased().hasPrefix("access-control") })
            }
        }
    }

    @Test("an allowed Origin gets CORS headers on every answer, refusals and OPTIONS included")
    func allowedOrigin() async throws {
        try await run(origins: ["https://app.example"]) { running in
            let origin = [("Origin", "https://app.example")]

            let get = try await running.client.send("GET", "/a", headers: origin)
            let options = try await running.client.send("OPTIONS", "/_matrix/client/v3/sync", headers: origin)
            let refused = try await running.client.send(
                "POST", "/a", headers: origin, body: Data(repeating: 0x78, count: 65_537))

            #expect(get.status == 200)
            #expect(options.status == 204)
            #expect(refused.status == 413)
            for answer in [get, options, refused] {
                #expect(answer["Access-Control-Allow-Origin"] == "https://app.example")
                #expect(answer["Access-Control-Allow-Methods"] == "GET, POST, PUT, DELETE, OPTIONS")
                #expect(answer["Access-Control-Allow-Headers"] == "X-Requested-With, Content-Type, Authorization")
            }
        }
    }

    @Test("a peer that sends a byte now and then is hung up on")
    func drip() async throws {
        var limits = HTTPLimits()
        limits.receiving = .milliseconds(200)
        limits.idle = .milliseconds(200)
        limits.watchInterval = .milliseconds(20)
        try await run(limits: limits) { running in
            let port = running.server.port
            for start in ["GET /a HT", "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999\r\n\r\n"] {
                let bytes = await onOwnThread { () -> Int? in
                    guard let connection = WireConnection(port: port, patience: 1) else { return nil }
                    connection.write(start)
                    for count in 0..<10_000 {
                        var set = pollfd(fd: connection.socket, events: Int16(POLLIN), revents: 0)
                        if poll(&set, 1, 5) > 0 { return count }
                        if !connection.write("x") { return count }
                    }
                    return nil
                }

                #expect(bytes != nil)
            }
            let fine = try await running.client.send("GET", "/fine")
            #expect(fine.status == 200)
        }
    }

    @Test(
        "a chunk whose head has no end is hung up on at once: it would keep the event thread busy",
        .timeLimit(.minutes(1)))
    func endlessChunkHead() async throws {
        var limits = HTTPLimits()
        limits.watchInterval = .milliseconds(50)
        try await run(limits: limits) { running in
            let started = Timepoint.now()
            _ = await running.converse(
                "POST /a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2;"
                    + String(repeating: "a", count: 100_000) + "\r\n{}\r\n0\r\n\r\n")

            let taken = Timepoint.now() - started
            let next = try await running.client.send("GET", "/b")

            #expect(taken < .seconds(8))
            #expect(next.status == 200)
        }
    }

    @Test("the connections of one address are limited")
    func connectionLimit() async throws {
        var limits = HTTPLimits()
        limits.connectionsPerLoopbackAddress = 2
        try await run(limits: limits) { running in
            let port = running.server.port

            let statuses = await onOwnThread { () -> [Int?] in
                let request = "GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n"
                let connections = (0..<3).map { _ in WireConnection(port: port) }
                let elsewhere = WireConnection(port: port, from: "127.0.0.2")
                return (connections + [elsewhere]).map { connection in
                    connection?.write(request)
                    return connection?.readAnswer()?.status
                }
            }

            #expect(statuses == [200, 200, nil, 200])
        }
    }

    @Test("the connections of all are limited: one more waits until another has gone, and then is answered")
    func allConnections() async throws {
        var limits = HTTPLimits()
        limits.connections = 1
        try await run(limits: limits) { running in
            let port = running.server.port

            let (statuses, isHeard, last) = await onOwnThread { () -> ([Int?], Bool, Int?) in
                let request = "GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n"
                var connections = [WireConnection(port: port)]
                let statuses = connections.map { connection in
                    connection?.write(request)
                    return connection?.readAnswer()?.status
                }
                guard let third = WireConnection(port: port) else { return (statuses, false, nil) }
                third.write(request)
                var set = pollfd(fd: third.socket, events: Int16(POLLIN), revents: 0)
                let isHeard = poll(&set, 1, 200) != 0
                connections = []
                return (statuses, isHeard, third.readAnswer()?.status)
            }

            #expect(statuses == [200])
            #expect(!isHeard)
            #expect(last == 200)
        }
    }

    @Test("a client that does not read its answer is hung up on")
    func slowReader() async throws {
        var limits = HTTPLimits()
        limits.answering = .milliseconds(200)
        limits.watchInterval = .milliseconds(20)
        try await run(limits: limits) { running in
            let port = running.server.port

            // Answers that fill every buffer in between, of which nothing is read until the server has had enough. It has so
            // in the time that is set; the library would by itself, a second after that. A busy machine may need a few tries
            // to show which it was.
            let cuts = await onOwnThread { () -> [Duration] in
                var cuts: [Duration] = []
                while cuts.count < 5, cuts.last.map({ $0 > .milliseconds(800) }) ?? true {
                    guard let cut = Self.cut(port) else { break }
                    cuts.append(cut)
                }
                return cuts
            }

            #expect(cuts.last.map { $0 <= .milliseconds(800) } == true, "\(cuts)")
            let fine = try await running.client.send("GET", "/fine")
            #expect(fine.status == 200)
        }
    }

    /// How long a client that reads nothing could not write before it was hung up on; nil where it was not.
    private static func cut(_ port: UInt16) -> Duration? {
        guard let connection = WireConnection(port: port, patience: 5) else { return nil }
        let body = String(repeating: "x", count: 60_000)
        let request = "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body
        var (written, began) = (0, ContinuousClock.now)
        while written < 2_000, connection.write(request) { (written, began) = (written + 1, .now) }
        let cut = ContinuousClock.now - began
        // Not only out of patience: the other side is gone.
        var set = pollfd(fd: connection.socket, events: 0, revents: 0)
        return poll(&set, 1, 0) > 0 && Int32(set.revents) & (POLLHUP | POLLERR) != 0 ? cut : nil
    }

    @Test("a connection without a request is hung up on after a while")
    func idleConnection() async throws {
        var limits = HTTPLimits()
        limits.idle = .milliseconds(100)
        limits.watchInterval = .milliseconds(20)
        try await run(limits: limits) { running in
            let port = running.server.port

            let rest = await onOwnThread { () -> [Data?] in
                guard let silent = WireConnection(port: port), let used = WireConnection(port: port) else { return [] }
                used.write("GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n")
                let status = used.readAnswer()?.status
                return [silent.read(), used.read(), status.map { Data("\($0)".utf8) }]
            }

            #expect(rest == [nil, nil, Data("200".utf8)])
        }
    }

    @Test("a request counts as activity until it is answered")
    func activity() async throws {
        try await run { running in
            async let answer = running.client.send("GET", "/hold")
            await running.handler.gate.waited()

            #expect(running.activity.outstanding == ["server request"])
            running.handler.gate.open()
            let status = try await answer.status
            #expect(status == 200)
            await running.activity.idle()
        }
    }

    @Test("the handler of a client that has gone is cancelled, and its connection let go")
    func abandoned() async throws {
        var limits = HTTPLimits()
        limits.watchInterval = .milliseconds(20)
        try await run(limits: limits) { running in
            let port = running.server.port
            await onOwnThread {
                _ = WireConnection(port: port)?.write("GET /wait HTTP/1.1\r\nHost: localhost\r\n\r\n")
            }

            await running.handler.cancelled.wait()
            await running.activity.idle()
        }
    }

    @Test("stopping lets go what waits, answers what is in flight and then refuses to be called")
    func stop() async throws {
        let running = Running(
            server: try HTTPServer(host: "127.0.0.1", port: 0), handler: EchoHandler(), activity: Activity())
        let gate = RequestGuard(allowedHosts: [], allowedOrigins: [], limits: HTTPLimits())
        try await running.server.start(gate: gate, handler: running.handler, activity: running.activity)
        async let answer = running.client.send("GET", "/hold")
        await running.handler.gate.waited()

        await running.server.stop { running.handler.gate.open() }

        let status = try await answer.status
        #expect(status == 200)
        await #expect(throws: WireClient.Failure.self) { try await running.client.send("GET", "/a") }
        await running.server.stop()
    }

    @Test("stopping does not wait for ever for a handler that does not end")
    func stopImpatiently() async throws {
        var limits = HTTPLimits()
        limits.stopping = .milliseconds(50)
        limits.watchInterval = .milliseconds(10)
        let running = Running(
            server: try HTTPServer(host: "127.0.0.1", port: 0), handler: EchoHandler(), activity: Activity())
        let gate = RequestGuard(allowedHosts: [], allowedOrigins: [], limits: limits)
        try await running.server.start(gate: gate, handler: running.handler, activity: running.activity)
        async let answer = running.client.send("GET", "/hold")
        await running.handler.gate.waited()

        await running.server.stop()

        let status = try await answer.status
        #expect(status == 503)
        running.handler.gate.open()
    }

    @Test("a taken port is refused with the reason")
    func takenPort() throws {
        let first = try HTTPServer(host: "127.0.0.1", port: 0)

        #expect(
            throws: ServerError.cannotListen(host: "127.0.0.1", port: first.port, reason: "Address already in use")
        ) {
            try HTTPServer(host: "127.0.0.1", port: first.port)
        }
    }
}
