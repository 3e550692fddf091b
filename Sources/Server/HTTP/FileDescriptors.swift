import Foundation

/// The process's limit of open files, which connections count against.
enum FileDescriptors {
    /// Kept free for the database, logs and whatever else the process opens.
    private static let reserve = 128

    /// Raises the limit as far as `wanted` connections need and the system lets it; how many are then possible.
    static func connections(wanted: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return min(wanted, 512) }
        let needed = rlim_t(wanted + reserve)
        if limit.rlim_cur < needed {
            var raised = limit
            raised.rlim_cur = min(needed, limit.rlim_max)
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 { limit = raised }
        }
        return min(wanted, max(16, Int(clamping: limit.rlim_cur) - reserve))
    }
}
