import Foundation
import Models

/// Where the server is. It may move: when the process that serves a shared folder ends, another takes over elsewhere.
public protocol ServerEndpoint: Sendable {
    /// What a stored session belongs to; the same for as long as it is the same server, wherever it listens.
    var identity: String { get }
    /// The address to use for the next request.
    func baseURL() async throws(NetworkFault) -> URL
    /// Told after a request to `url` found nobody there; the next `baseURL()` may answer differently.
    func lost(_ url: URL) async
}

/// A server at a fixed address.
public struct FixedEndpoint: ServerEndpoint {
    public let url: URL

    public init(_ url: URL) { self.url = url }

    public var identity: String { url.absoluteString }
    public func baseURL() async throws(NetworkFault) -> URL { url }
    public func lost(_ url: URL) async {}
}
