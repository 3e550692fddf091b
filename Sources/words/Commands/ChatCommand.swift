import Foundation
import Models
import Scenes
import Server
import TextUI
import Workers

/// `words`: the app, in a terminal or with its commands from a pipe.
@MainActor
struct ChatCommand {
    private let invocation: Invocation
    private let streams: StandardStreams
    private static let widthOfAPipe = 80

    init(_ invocation: Invocation, streams: StandardStreams) {
        self.invocation = invocation
        self.streams = streams
    }

    func run() async throws {
        let environment = Environment.live()
        let host = try host(environment)
        do {
            try await chat(host, environment)
        } catch {
            await host.close()
            throw error
        }
        await host.close()
    }

    /// The server that is talked to, and how to leave it.
    private struct Host {
        var endpoint: any ServerEndpoint
        /// Shared with whoever finds out where the server is.
        var transport: (any Transport)?
        var close: () async -> Void = {}
    }

    private func host(_ environment: Environment) throws -> Host {
        if let address = try invocation.serverAddress() {
            let transport = URLSessionTransport(environment: environment, allowsInsecure: invocation.has("insecure"))
            return Host(endpoint: HomeserverEndpoint(address, transport: transport), transport: transport)
        }
        let endpoint = EmbeddedEndpoint(configuration: try invocation.serverConfiguration(), environment: environment) {
            [streams] error in
            Task { @MainActor in streams.say("words: \(error)") }
        }
        return Host(endpoint: endpoint) { await endpoint.close() }
    }

    private func chat(_ host: Host, _ environment: Environment) async throws {
        if let embedded = host.endpoint as? EmbeddedEndpoint { _ = try await embedded.resolve() }
        let options = try invocation.clientOptions()
        let client = ClientAssembly.make(
            endpoint: host.endpoint, home: invocation.home, environment: environment, transport: host.transport,
            options: options)
        let trace = invocation.has("trace") ? Trace { [streams] in streams.say($0) } : Trace.off
        let width = try invocation.width()
        let application = TextApplication(
            users: client.users, chat: client.chat, environment: environment, width: width ?? Self.widthOfAPipe,
            trace: trace, messageLimit: options.messageLimit)
        guard isatty(STDIN_FILENO) == 1 else {
            return try await PipeSession(application, streams: streams, activity: environment.activity)
                .run(InputLines.standardInput())
        }
        let session = TerminalSession(
            application: application, device: StandardTerminal { [streams] in streams.showRaw($0) },
            environment: environment, ringsBell: invocation.has("bell"), fixedWidth: width)
        switch await session.run() {
        case .quit, .endOfInput: return
        case .signal(let number): throw Failure.ended(bySignal: number)
        }
    }
}
