import Foundation
import Models

/// Where the server is. It may move: when the process that serves a shared folder ends, another takes over elsewhere.
public protocol ServerEndpoint: Sendable {
    /// What a stored session belongs to; the same for as long as it is the same server, wherever it listens.
    var identity: String { get }
    /// By which API the server keeps accounts and contacts. Without an implementation of its own: a Words server.
    func kind() async throws(NetworkFault) -> SessionKey.Kind
    /// The address to use for the next request.
    func baseURL() async throws(NetworkFault) -> URL
    /// Told after a request to `url` found nobody there; the next `baseURL()` may answer differently.
    func lost(_ url: URL) async
    /// Told that the server asks to be reached at `base` from now on. An address that is none, that would be a step down to
    /// plain http, or where no server of the same kind answers, changes nothing.
    func isToMove(to base: String) async
}

extension ServerEndpoint {
    public func isToMove(to base: String) async {}

    public func kind() async throws(NetworkFault) -> SessionKey.Kind { .words }
}

/// A server of a known kind at a fixed address.
public struct FixedEndpoint: ServerEndpoint {
    public let url: URL
    private let fixedKind: SessionKey.Kind

    public init(_ url: URL, kind: SessionKey.Kind = .words) {
        self.url = url
        fixedKind = kind
    }

    public var identity: String { url.absoluteString }
    public func kind() async throws(NetworkFault) -> SessionKey.Kind { fixedKind }
    public func baseURL() async throws(NetworkFault) -> URL { url }
    public func lost(_ url: URL) async {}
}
