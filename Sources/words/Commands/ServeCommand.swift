import Foundation
import Models
import Server
import Workers

/// `words serve`: the server on its own, until it is told to stop.
@MainActor
struct ServeCommand {
    private let invocation: Invocation
    private let streams: StandardStreams

    init(_ invocation: Invocation, streams: StandardStreams) {
        self.invocation = invocation
        self.streams = streams
    }

    /// What whoever serves others than this machine should know.
    static func warnings(of configuration: ServerConfiguration) -> [String] {
        guard !Loopback.contains(host: configuration.host) else { return [] }
        let open =
            "Warning: on \(configuration.host) the server speaks plain http to everybody who can reach this machine, "
        let advice =
            "and anyone on the way can read along. Put a proxy that speaks TLS before it, and name its --public-url."
        let names = "It answers only under names that it knows: give each that clients use with --allow-host."
        return [open + advice] + (configuration.allowedHosts.isEmpty ? [names] : [])
    }

    func run() async throws {
        let configuration = try invocation.serverConfiguration()
        let (stops, continuation) = AsyncStream<Int32>.makeStream()
        // From here on a signal is an event; the second one ends the process where it stands.
        var count = 0
        let signals = Signals { number in
            count += 1
            if count > 1 { exit(128 + number) }
            continuation.yield(number)
        }
        let server = try EmbeddedServer(configuration: configuration, environment: .live())
        do {
            let url = try await server.start()
            for line in Self.warnings(of: configuration) { streams.say(line) }
            streams.say("Words serves on \(url.absoluteString), with its data in \(configuration.dataDirectory.path).")
        } catch {
            await server.stop()
            throw error
        }
        _ = await stops.next()
        streams.say("Stopping; what is in flight is answered first.")
        await server.stop()
        withExtendedLifetime(signals) {}
    }
}
