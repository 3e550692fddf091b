import Foundation
import Models

@testable import Server

/// Requests as they come off the wire, to every route: each is answered, and none with a fault of the server.
///
/// An input is a request line without its version, header lines, a blank line and a body. `ROOM`, `EVENT`, `USER` and
/// `OTHER` in the target stand for what there is; whoever sends no `Authorization` is signed in.
actor RoutesTarget {
    static let shared = RoutesTarget()
    /// After so many requests everything begins anew, lest what has piled up slows the next ones down.
    private static let requestsPerWorld = 4_000

    private struct World: Sendable {
        let server: EmbeddedServer
        let router: Router
        let folder: URL
        var access = ""
        var chat = ""
        var names: [(String, String)] = []
    }

    private var world: World?
    private var requests = 0

    func problem(with input: [UInt8]) async -> String? {
        do {
            if requests % Self.requestsPerWorld == 0 { try await begin() }
            requests += 1
            guard let world, let request = Self.request(input, world) else { return nil }
            return Self.problem(of: await world.router.respond(to: request))
        } catch { return "no world to ask in: \(error)" }
    }

    private static func problem(of response: HTTPResponse) -> String? {
        if !(200..<500).contains(response.status) { return "answered \(response.status)" }
        let isJSON = response.headers.contains { $0.0 == "Content-Type" && $0.1 == "application/json" }
        if isJSON, (try? JSONSerialization.jsonObject(with: response.body)) == nil {
            return "answered what is no JSON: \(String(decoding: response.body.prefix(200), as: UTF8.self))"
        }
        if response.status >= 400, response.body.isEmpty { return "refused without a reason" }
        return nil
    }

    /// Nil where the guard of the server answers, or where nothing can be read out of it.
    private static func request(_ input: [UInt8], _ world: World) -> HTTPRequest? {
        let parts = input.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        let line = String(decoding: parts.first ?? [], as: UTF8.self).split(separator: " ", maxSplits: 1)
        guard line.count == 2 else { return nil }
        var target = String(line[1])
        for (name, value) in world.names { target = target.replacing(name, with: value) }
        var headers = HTTPHeaders()
        var rest = parts.dropFirst().first ?? []
        while !rest.isEmpty {
            let ended = rest.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
            rest = ended.dropFirst().first ?? []
            guard let header = ended.first, !header.isEmpty else { break }
            let sides = String(decoding: header, as: UTF8.self).split(separator: ":", maxSplits: 1)
            headers.append(
                String(sides.first ?? ""), sides.dropFirst().first?.trimmingCharacters(in: .whitespaces) ?? "")
        }
        if headers["Host"] == nil { headers.append("Host", "localhost") }
        if headers["Content-Type"] == nil { headers.append("Content-Type", "application/json") }
        if headers["Authorization"] == nil {
            let token = HTTPRequest.isMatrix(target) ? world.chat : world.access
            headers.append("Authorization", "Bearer \(token)")
        }
        let gate = RequestGuard(allowedHosts: ["words.test"], allowedOrigins: ["https://a.test"], limits: HTTPLimits())
        _ = gate.crossOriginHeaders(headers)
        guard case .admitted = gate.verdict(method: String(line[0]), target: target, headers: headers),
            let parsed = RequestTarget(target), rest.count <= HTTPLimits().matrixBody
        else { return nil }
        return HTTPRequest(
            method: String(line[0]), path: parsed.path, segments: parsed.segments, query: parsed.query,
            headers: headers, body: Data(rest))
    }

    private static func answer(in world: World, _ text: String) async -> JSONValue {
        guard let request = request(Array(text.utf8), world) else { return .null }
        return (try? JSONValue(parsing: await world.router.respond(to: request).body)) ?? .null
    }

    /// A server that listens nowhere, with Alice signed in and Bob beside her in a room.
    private func begin() async throws {
        if let world {
            await world.server.stop()
            try? FileManager.default.removeItem(at: world.folder)
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("words-\(UUID().uuidString)")
        var configuration = ServerConfiguration(dataDirectory: folder, passwordCost: .low)
        configuration.rateLimits = .unlimited
        configuration.pollHold = .zero
        let clock = VirtualClock(now: Timestamp(milliseconds: 1_767_603_600_000))
        let server = try EmbeddedServer(configuration: configuration, environment: .virtual(clock: clock))
        var fresh = World(server: server, router: server.router, folder: folder)
        for name in ["bob", "alice"] {
            _ = await Self.answer(
                in: fresh,
                "POST /api/users/signup\n\n{\"name\":\"\(name)\",\"email\":\"\(name)@words.test\",\"password\":\"secret-one\"}"
            )
            let login = await Self.answer(
                in: fresh,
                "POST /oauth/token\n\n{\"grant_type\":\"password\",\"username\":\"\(name)@words.test\","
                    + "\"password\":\"secret-one\",\"client_id\":2}")
            fresh.access = login["access_token"]?.string ?? ""
            let chat = await Self.answer(in: fresh, "POST /api/chatkit/token")
            fresh.chat = chat["access_token"]?.string ?? ""
            fresh.names.append((name == "bob" ? "OTHER" : "USER", chat["user_id"]?.string ?? ""))
        }
        let other = fresh.names.first?.1 ?? ""
        let room = await Self.answer(in: fresh, "POST /_matrix/client/v3/createRoom\n\n{\"invite\":[\"\(other)\"]}")
        fresh.names.append(("ROOM", room["room_id"]?.string ?? ""))
        let event = await Self.answer(
            in: fresh, "PUT /_matrix/client/v3/rooms/ROOM/send/m.room.message/first\n\n{\"body\":\"hello\"}")
        fresh.names.append(("EVENT", event["event_id"]?.string ?? ""))
        world = fresh
    }
}
