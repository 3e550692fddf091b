import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The folders that Foundation makes on Linux as soon as a URLSession is configured, named after the program's own folder
/// or the program: for cookies in `$XDG_DATA_HOME`, for a cache in `$XDG_CACHE_HOME`. Words keeps neither.
enum StrayFolders {
    /// Makes Foundation look for their place where nothing can be made, once for the process. To be called before the
    /// first session is configured: it looks only then.
    static func avoid() { _ = isDone }

    private static let isDone: Bool = {
        #if canImport(FoundationNetworking)
            hiding("XDG_DATA_HOME") { _ = HTTPCookieStorage.shared }
            hiding("XDG_CACHE_HOME") { _ = URLCache.shared }
        #endif
        return true
    }()

    private static func hiding(_ name: String, _ body: () -> Void) {
        let value = ProcessInfo.processInfo.environment[name]
        setenv(name, "/dev/null", 1)
        body()
        if let value { setenv(name, value, 1) } else { unsetenv(name) }
    }
}
