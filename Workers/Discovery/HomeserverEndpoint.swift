import Foundation
import Models

/// A server that a person named. Where it is, and of what kind, is found out with the first request and kept.
public actor HomeserverEndpoint: ServerEndpoint {
    public nonisolated let identity: String
    private let address: ServerAddress
    private let discovery: HomeserverDiscovery
    private var found: HomeserverDiscovery.Found?
    private var search: SharedWork<Result<HomeserverDiscovery.Found, NetworkFault>>?

    public init(_ address: ServerAddress, transport: any Transport) {
        self.address = address
        identity = address.url.absoluteString
        discovery = HomeserverDiscovery(transport: transport)
    }

    public func kind() async throws(NetworkFault) -> SessionKey.Kind { try await resolve().kind }

    public func baseURL() async throws(NetworkFault) -> URL { try await resolve().url }

    /// What a document has said is asked for again; an address that was typed stays what it is.
    public func lost(_ url: URL) async {
        if found?.isDelegated == true, found?.url == url { found = nil }
    }

    public func isToMove(to base: String) async {
        guard let current = found, let next = try? await discovery.find(at: base, toldBy: current.url),
            next.kind == current.kind, found == current
        else { return }
        found = next
    }

    private func resolve() async throws(NetworkFault) -> HomeserverDiscovery.Found {
        if let found { return found }
        if let search { return try await search.joined.get() }
        let work = SharedWork { [address, discovery] () -> Result<HomeserverDiscovery.Found, NetworkFault> in
            do throws(NetworkFault) { return .success(try await discovery.find(address)) } catch {
                return .failure(error)
            }
        }
        search = work
        let result = await work.value
        search = nil
        found = try? result.get()
        return try result.get()
    }
}
