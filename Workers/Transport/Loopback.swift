import Foundation

/// This machine's own addresses: the only hosts to which plain http is spoken without being asked, and never through
/// a proxy.
public enum Loopback {
    public static func contains(_ url: URL) -> Bool {
        url.host(percentEncoded: false).map { contains(host: $0) } ?? false
    }

    public static func contains(host: String) -> Bool {
        let host = host.lowercased()
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        if bare == "localhost" || bare == "::1" { return true }
        let parts = bare.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Takes this machine out of the reach of `http_proxy`. To be called before the first URLSession is made: it reads
    /// the environment then, and listens to nothing else.
    static func bypassProxy() {
        for name in ["NO_PROXY", "no_proxy"] {
            var hosts = (ProcessInfo.processInfo.environment[name] ?? "").split(separator: ",").map(String.init)
            let missing = ["localhost", "127.0.0.1", "::1"].filter { !hosts.contains($0) }
            if missing.isEmpty || hosts.contains("*") { continue }
            hosts += missing
            setenv(name, hosts.joined(separator: ","), 1)
        }
    }
}
