/// Decides from the head of a request whether it is let in. A value, so that every refusal can be tried without a socket.
///
/// A loopback server can be reached by any web page that its user opens: hence the checks of `Host` (against a name that
/// is made to point here) and of `Origin` (against a page that simply asks).
package struct RequestGuard: Sendable {
    /// Names and addresses beside the loopback ones by which clients may call the server.
    var allowedHosts: Set<String>
    /// Origins whose pages may use the server; `*` for all.
    var allowedOrigins: Set<String>
    var limits: HTTPLimits

    package init(allowedHosts: Set<String>, allowedOrigins: Set<String>, limits: HTTPLimits) {
        self.allowedHosts = allowedHosts
        self.allowedOrigins = allowedOrigins
        self.limits = limits
    }

    enum Verdict: Sendable {
        case admitted
        /// Refused, or answered without a look at what is asked for.
        case answered(HTTPResponse)
    }

    func verdict(method: String, target: String, headers: HTTPHeaders) -> Verdict {
        let path = String(target.prefix { $0 != "?" })
        let isMatrix = HTTPRequest.isMatrix(path)
        func refuse(_ status: Int, _ code: String, _ message: String) -> Verdict {
            .answered(Router.failure(status, code, message, isMatrix))
        }
        if let problem = framingProblem(headers) { return refuse(400, "M_UNKNOWN", problem) }
        let hosts = headers.values("Host")
        guard hosts.count == 1, let host = hosts.first else {
            return refuse(400, "M_UNKNOWN", "A request needs exactly one Host header.")
        }
        guard isAllowed(host: host) else {
            return refuse(421, "M_UNRECOGNIZED", "This server does not answer under that name.")
        }
        if let origin = headers["Origin"], !isAllowed(origin: origin) {
            return refuse(403, "M_FORBIDDEN", "Pages of this origin may not use the server.")
        }
        if let length = headers["Content-Length"].flatMap({ Int($0) }), length > limits.body(ofPath: path) {
            return refuse(413, "M_TOO_LARGE", tooLarge(path))
        }
        return method == "OPTIONS" ? .answered(.noContent) : .admitted
    }

    func tooLarge(_ path: String) -> String {
        "The body is larger than the \(limits.body(ofPath: path)) bytes that are taken here."
    }

    /// What makes it unclear where the body ends; proxies and servers that disagree on it can be played against each
    /// other. RFC 9112, section 6.3.
    private func framingProblem(_ headers: HTTPHeaders) -> String? {
        let lengths = headers.values("Content-Length")
        if lengths.count > 1 { return "There is more than one Content-Length header." }
        if let length = lengths.first, Int(length) == nil || !length.utf8.allSatisfy({ (48...57).contains($0) }) {
            return "The Content-Length header is not a number."
        }
        let encodings = headers.values("Transfer-Encoding")
        if !encodings.isEmpty, !lengths.isEmpty {
            return "Content-Length and Transfer-Encoding exclude each other."
        }
        if encodings.count > 1 || encodings.contains(where: { $0.lowercased() != "chunked" }) {
            return "No transfer encoding but chunked is understood."
        }
        return nil
    }

    func isAllowed(host: String) -> Bool {
        guard let name = Self.name(ofHost: host.lowercased()) else { return false }
        return Self.isLoopback(name) || allowedHosts.contains(name)
    }

    func isAllowed(origin: String) -> Bool {
        allowedOrigins.contains("*") || allowedOrigins.contains(origin)
    }

    /// The host without its port: `[::1]:8000` is `::1`. Nil where anything but a port follows the name: what is let in
    /// is repeated in answers.
    static func name(ofHost host: String) -> String? {
        let name: Substring
        let rest: Substring
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") {
            name = host[host.index(after: host.startIndex)..<end]
            rest = host[host.index(after: end)...]
        } else {
            let end = host.firstIndex(of: ":") ?? host.endIndex
            (name, rest) = (host[..<end], host[end...])
        }
        guard rest.isEmpty || rest.hasPrefix(":"), rest.dropFirst().utf8.allSatisfy({ (48...57).contains($0) }) else {
            return nil
        }
        return String(name)
    }

    static func isLoopback(_ name: String) -> Bool {
        if name == "localhost" || name == "::1" || name == "::ffff:127.0.0.1" { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}

/// Cross-origin requests. Matrix wants its CORS headers on every answer; here only allowed origins get them.
extension RequestGuard {
    /// The headers that the answer to a request with `headers` bears beside its own.
    func crossOriginHeaders(_ headers: HTTPHeaders) -> [(String, String)] {
        guard let origin = headers["Origin"], isAllowed(origin: origin) else { return [] }
        return [
            ("Access-Control-Allow-Origin", allowedOrigins.contains("*") ? "*" : origin),
            ("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE, OPTIONS"),
            ("Access-Control-Allow-Headers", "X-Requested-With, Content-Type, Authorization"),
            ("Vary", "Origin"),
        ]
    }
}
