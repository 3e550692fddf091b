import Foundation

/// As Linux tells it: nothing else says it of another process in this way.
enum ResidentMemory {
    /// Of the process now, in bytes.
    static func of(_ process: pid_t) throws -> Int {
        guard let size = read("VmRSS:", of: process) else {
            throw BenchError("the system does not tell how much memory process \(process) has")
        }
        return size
    }

    /// The most so far, in bytes; nil where the process is over. What `wait4` tells afterwards is no less than what the
    /// process had that started it, and so tells of that one.
    static func peak(of process: pid_t) -> Int? { read("VmHWM:", of: process) }

    private static func read(_ name: String, of process: pid_t) -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name) })
        else { return nil }
        return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 * 1_024 }
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
