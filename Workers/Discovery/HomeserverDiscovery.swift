import Foundation
import Models

/// Finds out where the server that a person named is, and of what kind. Client-server API, "Server Discovery".
///
/// Of a bare name, the well-known document of its host says where the server is; without one it is there itself. An
/// address is taken as it is, and only where no server answers there its host's document is asked. No request bears
/// anything secret.
struct HomeserverDiscovery: Sendable {
    struct Found: Equatable, Sendable {
        var url: URL
        var kind: SessionKey.Kind
        /// Whether a document said so: that may say otherwise later.
        var isDelegated: Bool
    }

    let transport: any Transport

    static let deadline = Duration.seconds(10)
    private static let redirects = 3

    func find(_ address: ServerAddress) async throws(NetworkFault) -> Found {
        guard address.isName else { return try await find(at: address.url) }
        guard let base = try await delegate(of: address.url) else {
            return Found(url: address.url, kind: try await kind(at: address.url), isDelegated: false)
        }
        return Found(url: base, kind: try await kind(at: base), isDelegated: true)
    }

    private func find(at url: URL) async throws(NetworkFault) -> Found {
        do { return Found(url: url, kind: try await kind(at: url), isDelegated: false) } catch {
            guard case .noChatServer = error, ["", "/"].contains(url.path), let base = try await delegate(of: url)
            else {
                throw error
            }
            return Found(url: base, kind: try await kind(at: base), isDelegated: true)
        }
    }

    /// "API versions": whoever answers this is a homeserver, and ours says what it is beyond that.
    private func kind(at base: URL) async throws(NetworkFault) -> SessionKey.Kind {
        let response = try await get(base, ["_matrix", "client", "versions"])
        if response.status == 429 || response.status >= 500 { throw .serverFault(status: response.status) }
        guard (200..<300).contains(response.status),
            let answer = Body.decode(MatrixShapes.Versions.self, from: response.body),
            answer.versions.contains(where: { $0.hasPrefix("v1.") || $0.hasPrefix("r0.") })
        else { throw .noChatServer("\(RemoteText(base.absoluteString)) answers, but not as a chat server does") }
        return answer.unstable_features?[MatrixShapes.Versions.wordsFeature] == true ? .words : .matrix
    }

    /// Where the document of the host says that the server is; nil where there is no document.
    private func delegate(of host: URL) async throws(NetworkFault) -> URL? {
        let document = [".well-known", "matrix", "client"]
        var response = try await get(host, document)
        for _ in 0..<Self.redirects {
            guard (300..<400).contains(response.status), let location = response.header("Location"),
                let target = URL(string: location, relativeTo: RequestAddress.url(base: host, segments: document))?
                    .absoluteURL, isAllowed(target, host)
            else { break }
            response = try await get(target)
        }
        if response.status == 404 { return nil }
        guard (200..<300).contains(response.status),
            let text = Body.decode(JSONValue.self, from: response.body)?["m.homeserver"]?["base_url"]?.string
        else { throw .noChatServer("\(Self.name(of: host)) does not say where its chat server is") }
        return try base(text, toldBy: host)
    }

    /// Where a server that was reached at `current` asks to be reached.
    func find(at text: String, toldBy current: URL) async throws(NetworkFault) -> Found {
        let url = try base(text, toldBy: current)
        return Found(url: url, kind: try await kind(at: url), isDelegated: true)
    }

    private static func name(of host: URL) -> RemoteText { RemoteText(host.host ?? host.absoluteString) }

    private func base(_ text: String, toldBy host: URL) throws(NetworkFault) -> URL {
        let name = Self.name(of: host)
        guard let base = URL(string: text), ["http", "https"].contains(base.scheme), base.host?.isEmpty == false,
            base.user == nil, base.query == nil, base.fragment == nil
        else { throw .noChatServer("\(name) says that its chat server is \(RemoteText(text)), which is no address") }
        guard isAllowed(base, host) else {
            throw .noChatServer(
                "\(name) says that its chat server is \(RemoteText(text)), where anyone could read along")
        }
        return base
    }

    /// Nobody is led to plain http who has not asked for it.
    private func isAllowed(_ target: URL, _ asked: URL) -> Bool { target.scheme == "https" || asked.scheme == "http" }

    private func get(_ base: URL, _ segments: [String] = []) async throws(NetworkFault) -> TransportResponse {
        guard let url = segments.isEmpty ? base : RequestAddress.url(base: base, segments: segments) else {
            throw .noChatServer("\(RemoteText(base.absoluteString)) is no address")
        }
        return try await transport.perform(
            TransportRequest(
                operation: .discovery, method: "GET", url: url, headers: [("Accept", "application/json")],
                deadline: Self.deadline))
    }
}
