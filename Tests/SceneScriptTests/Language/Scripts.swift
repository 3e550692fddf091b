import Foundation

@testable import SceneScript

/// Scripts that stand in the tests, by path.
struct Scripts {
    var files: [String: Data]

    init(_ files: [String: String]) { self.files = files.mapValues { Data($0.utf8) } }

    var source: SceneSource {
        SceneSource { [files] path in
            guard let data = files[path] else { throw CocoaError(.fileNoSuchFile) }
            return data
        }
    }

    /// Parses `text` as the file `a.scene`.
    static func parse(_ text: String) throws(ScriptError) -> SceneFile {
        try SceneParser.parse(path: "a.scene", source: Scripts(["a.scene": text]).source)
    }

    /// What is wrong with `text`; empty where nothing is.
    static func error(_ text: String) -> String {
        do throws(ScriptError) {
            _ = try parse(text)
            return ""
        } catch { return error.description }
    }
}
