import Foundation

/// Where things are kept, by the XDG base directory specification.
struct Folders {
    private let environment: [String: String]

    init(environment: [String: String] = ProcessInfo.processInfo.environment) { self.environment = environment }

    /// The server's data: `$XDG_DATA_HOME/words/server`.
    var data: URL { base("XDG_DATA_HOME", ".local/share").appendingPathComponent("words/server", isDirectory: true) }

    /// The client's session: `$XDG_STATE_HOME/words`, or, where only that one is set, `$XDG_DATA_HOME/words/client`.
    var home: URL {
        if absolute("XDG_STATE_HOME") == nil, let data = absolute("XDG_DATA_HOME") {
            return data.appendingPathComponent("words/client", isDirectory: true)
        }
        return base("XDG_STATE_HOME", ".local/state").appendingPathComponent("words", isDirectory: true)
    }

    private func base(_ variable: String, _ fallback: String) -> URL {
        absolute(variable) ?? personal.appendingPathComponent(fallback, isDirectory: true)
    }

    private var personal: URL { absolute("HOME") ?? FileManager.default.homeDirectoryForCurrentUser }

    /// A relative path is to be ignored, says the specification.
    private func absolute(_ variable: String) -> URL? {
        guard let path = environment[variable], path.hasPrefix("/") else { return nil }
        return URL(fileURLWithPath: path, isDirectory: true)
    }
}
