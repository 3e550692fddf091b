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

    private struct Missing: Error, CustomStringConvertible { let description: String }

    /// Folders of worlds, removed with the process at the latest.
    private static let folders = Locked<Set<URL>>([])

    /// What all ask in, from when the first has asked for it.
    private var world: Task<World, any Error>?
    private var requests = 0
    /// Requests under way: what they ask in stays until they are answered.
    private var underWay = 0

    func problem(with input: [UInt8]) async -> String? {
        underWay += 1
        defer { underWay -= 1 }
        do {
            let world = try await entered()
            guard let request = Self.request(input, world) else { return nil }
            return Self.problem(of: await world.router.respond(to: request))
        } catch { return "no world to ask in: \(error)" }
    }

    private func entered() async throws -> World {
        requests += 1
        let old = requests > Self.requestsPerWorld && underWay == 1 ? world : nil
        if old != nil { (world, requests) = (nil, 1) }
        let task = world ?? Task { try await Self.begin() }
        world = task
        if let old = try? await old?.value { await Self.end(old) }
        return try await task.value
    }

    private static func end(_ world: World) async {
        await world.server.stop()
        try? FileManager.default.removeItem(at: world.folder)
        folders.withLock { _ = $0.remove(world.folder) }
    }

    private static let removal: Void = {
        atexit {
            RoutesTarget.folders.withLock { for folder in $0 { try? FileManager.default.removeItem(at: folder) } }
        }
    }()

    private static func makeFolder() -> URL {
        _ = removal
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("words-\(UUID().uuidString)")
        folders.withLock { _ = $0.insert(folder) }
        return folder
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

    /// What the answer to the request has under `name`. Throws where it has nothing there.
    private static func text(_ name: String, in world: World, _ request: String) async throws -> String {
        guard let request = Self.request(Array(request.utf8), world) else {
            throw Missing(description: "no request: \(request)")
        }
        let response = await world.router.respond(to: request)
        guard let text = try JSONValue(parsing: response.body)[name]?.string, !text.isEmpty else {
            throw Missing(description: "no \(name) of \(request.path), but \(response.status)")
        }
        return text
    }

    /// A server that listens nowhere, with Alice signed in and Bob beside her in a room.
    private static func begin() async throws -> World {
        let folder = makeFolder()
        var configuration = ServerConfiguration(dataDirectory: folder, passwordCost: .low)
        configuration.rateLimits = .unlimited
        configuration.pollHold = .zero
        let clock = VirtualClock(now: Timestamp(milliseconds: 1_767_603_600_000))
        let server = try EmbeddedServer(configuration: configuration, environment: .virtual(clock: clock))
        var fresh = World(server: server, router: server.router, folder: folder)
        for (place, name) in [("OTHER", "bob"), ("USER", "alice")] {
            let (email, password) = ("\"\(name)@words.test\"", "\"password\":\"secret-one\"")
            let id = try await text(
                "chatkit_id", in: fresh,
                "POST /api/users/signup\n\n{\"name\":\"\(name)\",\"email\":\(email),\(password)}")
            fresh.names.append((place, id))
            fresh.access = try await text(
                "access_token", in: fresh,
                "POST /oauth/token\n\n{\"grant_type\":\"password\",\"username\":\(email),\(password),\"client_id\":2}")
            fresh.chat = try await text("access_token", in: fresh, "POST /api/chatkit/token")
        }
        let root = "/_matrix/client/v3"
        let room = try await text(
            "room_id", in: fresh, "POST \(root)/createRoom\n\n{\"invite\":[\"\(fresh.names[0].1)\"]}")
        fresh.names.append(("ROOM", room))
        let event = try await text(
            "event_id", in: fresh, "PUT \(root)/rooms/ROOM/send/m.room.message/first\n\n{\"body\":\"hello\"}")
        fresh.names.append(("EVENT", event))
        return fresh
    }
}
