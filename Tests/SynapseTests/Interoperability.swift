import Foundation
import Models
import SceneScript

/// What the run has tried and how it went, for `Documentation/Interoperability.md`.
enum Interoperability {
    struct Notes {
        var scenes: [String: String] = [:]
        var tries: [String: String] = [:]
    }

    private static let notes = Locked(Notes())

    static func note(scene path: String, _ status: RunStatus, skipped: [String]) {
        let name = URL(fileURLWithPath: path).lastPathComponent
        let folder = path.contains("/SynapseTests/") ? "Tests/SynapseTests/Scenes" : "Tests/SceneFiles"
        let outcome =
            switch (status, skipped.count) {
            case (.success, 0): "plays whole"
            case (.success, 1): "plays; 1 phase needs a server in this process, or Words' own"
            case (.success, let count): "plays; \(count) phases need a server in this process, or Words' own"
            case (.skipped, _): "needs a server in this process"
            default: "differs"
            }
        notes.withLock { $0.scenes["`\(folder)/\(name)`"] = outcome }
        write()
    }

    /// What was tried, and what came of it; to be said where it has come of it.
    static func note(_ what: String, _ outcome: String) {
        notes.withLock { $0.tries[what] = outcome }
        write()
    }

    /// Puts the section of this run in the place of the one before, where the run was asked to.
    private static func write() {
        guard ProcessInfo.processInfo.environment["WORDS_REPORT"]?.isEmpty == false else { return }
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Documentation/Interoperability.md")
        notes.withLock { notes in
            guard let text = try? String(contentsOf: file, encoding: .utf8),
                let start = text.range(of: "<!-- Written by `make test-synapse REPORT=yes`. -->\n"),
                let end = text.range(of: "<!-- The end of what `make test-synapse` writes. -->")
            else { return }
            let section = section(of: notes)
            let whole = text[..<start.upperBound] + section + text[end.lowerBound...]
            try? String(whole).write(to: file, atomically: true, encoding: .utf8)
        }
    }

    private static func section(of notes: Notes) -> String {
        func table(_ left: String, _ right: String, _ rows: [String: String]) -> [String] {
            guard !rows.isEmpty else { return [] }
            return ["| \(left) | \(right) |", "|---|---|"]
                + rows.sorted { $0.key < $1.key }.map { "| \($0.key) | \($0.value) |" } + [""]
        }
        let head = ["Peer: \(Synapse.version), from PyPI, on loopback, with SQLite.", ""]
        return (head + table("tried", "what came of it", notes.tries) + table("scene file", "on Synapse", notes.scenes))
            .joined(separator: "\n") + "\n"
    }
}
