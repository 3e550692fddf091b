import Foundation

/// A folder for the time of a run, which only this user can look into.
struct TemporaryFolder: Sendable {
    let url: URL

    /// Makes it within `parent`, or where the system keeps what is temporary.
    init(in parent: URL?) throws(StageError) {
        let parent = parent ?? FileManager.default.temporaryDirectory
        url = parent.appendingPathComponent("words-\(UUID().uuidString.prefix(8).lowercased())", isDirectory: true)
        do {
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw StageError(.fault, "The folder \(url.path) cannot be made: \(error.localizedDescription)")
        }
    }

    /// The folder of `name`, which need not exist yet.
    func folder(_ name: String) -> URL { url.appendingPathComponent(name, isDirectory: true) }

    func remove() { try? FileManager.default.removeItem(at: url) }
}
