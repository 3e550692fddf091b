import Foundation

/// How people name a server: `example.org`, `https://example.org`, `https://example.org/path`, `http://127.0.0.1:8008`.
public struct ServerAddress: Equatable, Sendable {
    /// Without user, password, query and fragment.
    public let url: URL
    /// Whether it was a bare name, which need not be where the server is: the name's own host says where that is.
    public let isName: Bool

    /// Whether anyone on the way could read along: plain http to another machine.
    public var isPlain: Bool { url.scheme?.lowercased() != "https" && !Loopback.contains(url) }

    public enum Fault: Error, Equatable, Sendable {
        case malformed
        /// There is more in it than an address: a user, a password, something behind `?` or `#`.
        case notPlain
    }

    /// A name without a scheme means https; of this machine, plain http, for nobody listens in between.
    public init(_ text: String) throws(Fault) {
        let isWhole = text.contains("://")
        guard let url = URL(string: isWhole ? text : "https://\(text)"), let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = url.host, !host.isEmpty
        else { throw .malformed }
        guard url.user == nil, url.password == nil, url.query == nil, url.fragment == nil else { throw .notPlain }
        let isLocalName = !isWhole && Loopback.contains(url)
        guard let address = isLocalName ? URL(string: "http://\(text)") : url else { throw .malformed }
        self.url = address
        isName = !isWhole && !isLocalName && ["", "/"].contains(url.path)
    }
}
