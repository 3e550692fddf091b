import Foundation

enum ResidentMemory {
    /// Of the process now, in bytes. Linux alone tells it this way.
    static func of(_ process: pid_t) throws -> Int {
        let path = "/proc/\(process)/status"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
            let size = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
        else { throw BenchError("\(path) does not tell how much memory the process has") }
        return size * 1_024
    }
}

/// Lets this process and those it starts have as many files open as the system allows.
func raiseFileLimit() {
    var limit = rlimit()
    #if canImport(Glibc)
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        let kind = RLIMIT_NOFILE
    #endif
    guard getrlimit(kind, &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(kind, &limit)
}
