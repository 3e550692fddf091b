import Foundation
import Models
import Server
import Workers

/// The server of this machine's user, whoever runs it: a process that does already, or else this one.
///
/// Whoever holds the lock on the data folder is the server; its address stands in the folder's file `endpoint` and is
/// used only while the lock is held. Where nobody holds it this process takes it and serves, on the usual port or on any
/// free one. So when the serving process ends, the others race for the lock, one of them wins, and all carry on. The
/// folder is asked anew for each request: nothing is ever sent to a port that is not proved to be ours.
actor EmbeddedEndpoint: ServerEndpoint {
    nonisolated let identity: String

    private let configuration: ServerConfiguration
    private let environment: Environment
    private let report: @Sendable (ServerError) -> Void
    private var server: EmbeddedServer?
    private var ownURL: URL?
    private var isClosed = false
    /// The search for a server that is under way; whoever else needs one waits for it.
    private var search: Task<Result<URL, ServerError>, Never>?

    /// How often, and how long apart, the address of a process is asked for that holds the lock and does not listen yet.
    private static let attempts = 120
    private static let pause = Duration.milliseconds(25)

    /// - Parameters:
    ///   - configuration: Of the server that this process may become. Where its port is taken, any free one is.
    ///   - report: Told why this process could not become the server, when a request needed one.
    init(
        configuration: ServerConfiguration, environment: Environment,
        report: @escaping @Sendable (ServerError) -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.environment = environment
        self.report = report
        identity = "folder:" + configuration.dataDirectory.standardizedFileURL.resolvingSymlinksInPath().path
    }

    func baseURL() async throws(NetworkFault) -> URL {
        do throws(ServerError) { return try await resolve() } catch {
            report(error)
            throw .unreachable
        }
    }

    /// Nothing is kept about other processes, so there is nothing to forget.
    func lost(_ url: URL) async {}

    /// The server's address; this process serves where nobody else does.
    func resolve() async throws(ServerError) -> URL {
        if let ownURL { return ownURL }
        if let url = DataFolder.liveEndpoint(in: configuration.dataDirectory) { return url }
        guard !isClosed else { throw .stopped }
        let task = search ?? Task { await self.find() }
        search = task
        return try await task.value.get()
    }

    /// Ends the server, if it is this process that serves: what is in flight is answered first.
    func close() async {
        isClosed = true
        _ = await search?.value
        ownURL = nil
        await server?.stop()
        server = nil
    }

    /// Whether this process is the server.
    var isServing: Bool { server != nil }

    private func find() async -> Result<URL, ServerError> {
        defer { search = nil }
        for _ in 0..<Self.attempts {
            if let url = DataFolder.liveEndpoint(in: configuration.dataDirectory) { return .success(url) }
            do throws(ServerError) { return .success(try await serve()) } catch {
                guard case .alreadyServed = error else { return .failure(error) }
            }
            await pause()
        }
        return .failure(.alreadyServed(folder: configuration.dataDirectory.path))
    }

    private func serve() async throws(ServerError) -> URL {
        do { return try await serve(configuration) } catch {
            guard case .cannotListen = error, configuration.port != 0 else { throw error }
        }
        var anywhere = configuration
        anywhere.port = 0
        return try await serve(anywhere)
    }

    private func serve(_ configuration: ServerConfiguration) async throws(ServerError) -> URL {
        let server = try EmbeddedServer(configuration: configuration, environment: environment)
        do {
            let url = try await server.start()
            (self.server, ownURL) = (server, url)
            return url
        } catch {
            await server.stop()
            throw error
        }
    }

    private func pause() async {
        await withCheckedContinuation { continuation in
            _ = environment.clock.schedule(after: Self.pause) { continuation.resume() }
        }
    }
}
