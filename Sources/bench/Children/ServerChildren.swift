import Foundation
import Models
import SQLite
import Server

/// Servers that run until they are told to end.
enum ServerChildren {
    /// The embedded server. Its limits for one address and the cost of a password are what strangers get; a benchmark
    /// signs up thousands from one address, and measures something else.
    static func serve(_ folder: URL) async throws {
        var configuration = ServerConfiguration(dataDirectory: folder, passwordCost: .low)
        configuration.rateLimits = .unlimited
        let server = try EmbeddedServer(configuration: configuration, environment: .live())
        say(try await server.start().absoluteString)
        await untilTold()
        await server.stop()
    }

    static func insert(_ folder: URL) async throws {
        let database = try Database(path: folder.appendingPathComponent("bare.db").path)
        try await database.write { try $0.execute("CREATE TABLE bare (id INTEGER PRIMARY KEY, body BLOB)") }
        try await serve { request in
            guard request.method == "PUT" else { return .emptyObject }
            let body = Array(request.body)
            do {
                try await database.write { try $0.run("INSERT INTO bare (body) VALUES (?)", body) }
                return .emptyObject
            } catch {
                return HTTPResponse(status: 500)
            }
        }
    }

    /// `/sync` without `since` gets the bytes of the file; one with `since` waits, as it does where nothing happens.
    static func replay(_ file: URL) async throws {
        let answer = HTTPResponse.json(200, data: try Data(contentsOf: file))
        let clock = SystemClock()
        try await serve { request in
            guard request.segments.last == "sync" else { return .emptyObject }
            guard let since = request.query("since") else { return answer }
            await withCheckedContinuation { continuation in
                _ = clock.schedule(after: .seconds(30)) { continuation.resume() }
            }
            return .json(200, data: Data(#"{"next_batch":"\#(since)"}"#.utf8))
        }
    }

    private struct Handler: HTTPHandler {
        let answer: @Sendable (HTTPRequest) async -> HTTPResponse

        func respond(to request: HTTPRequest) async -> HTTPResponse { await answer(request) }
    }

    private static func serve(_ answer: @escaping @Sendable (HTTPRequest) async -> HTTPResponse) async throws {
        let server = try HTTPServer(host: "127.0.0.1", port: 0)
        try await server.start(
            gate: RequestGuard(allowedHosts: [], allowedOrigins: [], limits: HTTPLimits()),
            handler: Handler(answer: answer), activity: Activity())
        say("http://127.0.0.1:\(server.port)")
        await untilTold()
        await server.stop()
    }

    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    private static func untilTold() async {
        let told = AsyncStream<Void>.makeStream()
        signal(SIGTERM, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGTERM)
        source.setEventHandler { told.continuation.finish() }
        source.resume()
        for await _ in told.stream {}
    }
}
