import Foundation
import Models
import Testing

@testable import Workers

@Suite("URLSessionTransport", .timeLimit(.minutes(1)))
struct URLSessionTransportIntegrationTests {
    private let clock = VirtualClock(now: start)
    private let activity = Activity()

    private func transport(allowsInsecure: Bool = false) -> URLSessionTransport {
        URLSessionTransport(
            environment: .virtual(clock: clock, activity: activity), allowsInsecure: allowsInsecure)
    }

    private func request(
        _ url: String, operation: Workers.Operation = .user, headers: [(name: String, value: String)] = []
    ) throws -> TransportRequest {
        TransportRequest(
            operation: operation, method: "GET", url: try #require(URL(string: url)), headers: headers,
            deadline: .seconds(30))
    }

    private func answer(_ status: String, _ body: String, _ headers: String = "") -> String {
        "HTTP/1.1 \(status)\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private static let begun = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n{"

    @Test("status, headers and body come through, whatever the status")
    func plain() async throws {
        let reply = answer("418 Teapot", "short", "X-Kind: tea\r\n")
        let server = try #require(WireServer { _ in (reply, .keepOpen) })

        let response = try await transport().perform(
            try request(server.url + "/a%2Fb?c=d%2Be", headers: [("Authorization", "Bearer x")]))

        #expect(response.status == 418)
        #expect(response.header("x-kind") == "tea")
        #expect(String(decoding: response.body, as: UTF8.self) == "short")
        #expect(server.requests.first?.hasPrefix("GET /a%2Fb?c=d%2Be HTTP/1.1") == true)
        #expect(server.requests.first?.contains("Authorization: Bearer x") == true)
        #expect(clock.nextDeadline == nil)
    }

    @Test("a redirect is shown, not followed: the token stays here", arguments: ["301 M", "302 F", "307 T", "308 P"])
    func redirect(status: String) async throws {
        let other = try #require(WireServer { _ in ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", .keepOpen) })
        let reply = answer(status, "", "Location: \(other.url)/steal\r\n")
        let server = try #require(WireServer { _ in (reply, .keepOpen) })

        let response = try await transport().perform(
            try request(server.url, headers: [("Authorization", "Bearer x")]))

        #expect((301...308).contains(response.status))
        #expect(other.requests.isEmpty)
    }

    @Test("a 401 with a Basic challenge ends, as a fault")
    func basic() async throws {
        let reply = answer("401 Unauthorized", "no", "WWW-Authenticate: Basic realm=\"x\"\r\n")
        let server = try #require(WireServer { _ in (reply, .keepOpen) })

        await #expect(throws: NetworkFault.serverFault(status: 401)) {
            try await transport().perform(try request(server.url))
        }
    }

    @Test("a bearer challenge is an answer like others")
    func bearer() async throws {
        let reply = answer("401 Unauthorized", "{}", "WWW-Authenticate: Bearer\r\n")
        let server = try #require(WireServer { _ in (reply, .keepOpen) })

        #expect(try await transport().perform(try request(server.url)).status == 401)
    }

    @Test("a body that is larger than any true answer is given up", arguments: ["Content-Length: 9999999\r\n", ""])
    func endless(length: String) async throws {
        let body = String(repeating: "x", count: 100_000)
        let reply = "HTTP/1.1 200 OK\r\n\(length)\r\n\(body)"
        let server = try #require(WireServer { _ in (reply, .keepOpen) })
        let transport = URLSessionTransport(
            environment: .virtual(clock: clock, activity: activity), answerLimit: 50_000)

        await #expect(throws: NetworkFault.interrupted) { try await transport.perform(try request(server.url)) }
        #expect(clock.nextDeadline == nil)
    }

    @Test("a body of just the largest size comes through")
    func largest() async throws {
        let body = String(repeating: "x", count: 50_000)
        let reply = answer("200 OK", body)
        let server = try #require(WireServer { _ in (reply, .keepOpen) })
        let transport = URLSessionTransport(
            environment: .virtual(clock: clock, activity: activity), answerLimit: 50_000)

        #expect(try await transport.perform(try request(server.url)).body.count == 50_000)
    }

    @Test(
        "no whole answer within the deadline is a time-out, by the environment's clock: silence, a stalled body, a slow drip",
        arguments: [("", WireServer.Ending.keepOpen), (Self.begun, .keepOpen), (Self.begun, .drip)])
    func deadline(bytes: String, ending: WireServer.Ending) async throws {
        let server = try #require(WireServer { _ in (bytes, ending) })
        let transport = transport()
        let request = try request(server.url)

        let task = Task { () -> NetworkFault? in
            do throws(NetworkFault) { _ = try await transport.perform(request) } catch { return error }
            return nil
        }
        while server.requests.isEmpty { await Task.yield() }
        _ = clock.fireNext(upTo: start + .seconds(30))

        #expect(await task.value == .timedOut)
        #expect(clock.now == start + .seconds(30))
    }

    @Test("a poll that is parked counts again from the moment its deadline has passed")
    func parkedDeadline() async throws {
        let server = try #require(WireServer { _ in ("", .keepOpen) })
        let transport = transport()
        let request = try request(server.url, operation: .sync, headers: [("X-Words-Poll", "p")])
        activity.beginPoll("p")
        let task = Task { try? await transport.perform(request) }
        while server.requests.isEmpty { await Task.yield() }
        activity.park(poll: "p")
        let parked = activity.isIdle

        _ = clock.fireNext(upTo: start + .seconds(30))
        let woken = activity.isIdle
        _ = await task.value

        #expect(parked)
        #expect(!woken)
    }

    @Test(
        "broken connections are interruptions",
        arguments: [
            "", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort", "HTT", "\u{0}\u{1}garbage",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        ])
    func broken(bytes: String) async throws {
        let server = try #require(WireServer { _ in (bytes, .close) })

        await #expect(throws: NetworkFault.interrupted) { try await transport().perform(try request(server.url)) }
    }

    @Test("nobody there is unreachable")
    func refused() async throws {
        let port = try #require(WireServer { _ in ("", .close) }).port

        await #expect(throws: NetworkFault.unreachable) {
            try await transport().perform(try request("http://127.0.0.1:\(port)"))
        }
    }

    @Test("plain http to other machines is refused unless it was asked for")
    func insecure() async throws {
        let refused = await #expect(throws: NetworkFault.self) {
            try await transport().perform(try request("http://words.invalid"))
        }
        let allowed = await #expect(throws: NetworkFault.self) {
            try await transport(allowsInsecure: true).perform(try request("http://words.invalid"))
        }
        await #expect(throws: NetworkFault.unreachable) {
            try await transport().perform(try request("ftp://127.0.0.1"))
        }

        guard case .untrusted = refused else {
            Issue.record("\(String(describing: refused))")
            return
        }
        #expect(allowed == .unreachable)
    }

    @Test("a cancelled request ends at once, and cancelling before it begins sends nothing")
    func cancelled() async throws {
        let server = try #require(WireServer { _ in ("", .keepOpen) })
        let transport = transport()
        let request = try request(server.url)

        let task = Task { () -> NetworkFault? in
            do throws(NetworkFault) { _ = try await transport.perform(request) } catch { return error }
            return nil
        }
        while server.requests.isEmpty { await Task.yield() }
        task.cancel()
        let early = Task { () -> NetworkFault? in
            while !Task.isCancelled { await Task.yield() }
            do throws(NetworkFault) { _ = try await transport.perform(request) } catch { return error }
            return nil
        }
        early.cancel()

        #expect(await task.value == .interrupted)
        #expect(await early.value == .interrupted)
        #expect(server.requests.count == 1)
        #expect(clock.nextDeadline == nil)
    }

    @Test("held polls do not keep other requests from their answers")
    func polls() async throws {
        let reply = answer("200 OK", "ok")
        let server = try #require(
            WireServer { head in head.hasPrefix("GET /poll") ? ("", .keepOpen) : (reply, .keepOpen) })
        let transport = transport()
        let poll = try request(server.url + "/poll", operation: .sync)
        let polls = (0..<40).map { _ in Task { _ = try? await transport.perform(poll) } }
        while server.requests.count < 40 { await Task.yield() }

        let response = try await transport.perform(try request(server.url + "/user"))

        #expect(response.status == 200)
        polls.forEach { $0.cancel() }
        for poll in polls { await poll.value }
    }

    @Test("two thousand requests, half of them abandoned while the answer is on its way: all end, none twice")
    func abandoned() async throws {
        let reply = answer("200 OK", "ok")
        let server = try #require(WireServer { _ in (reply, .keepOpen) })
        let transport = transport()
        let request = try request(server.url)
        var answered = 0
        var interrupted = 0

        for round in 0..<40 {
            await withTaskGroup(of: NetworkFault?.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        let task = Task { () -> NetworkFault? in
                            do throws(NetworkFault) { _ = try await transport.perform(request) } catch { return error }
                            return nil
                        }
                        if number.isMultiple(of: 2) {
                            for _ in 0..<(round * 3) { await Task.yield() }
                            task.cancel()
                        }
                        return await task.value
                    }
                }
                for await fault in group {
                    if fault == nil { answered += 1 } else if fault == .interrupted { interrupted += 1 }
                }
            }
        }

        #expect(answered + interrupted == 2_000)
        #expect(answered >= 1_000)
        #expect(clock.nextDeadline == nil)
    }
}
