import ChildProcesses
import Foundation
import Testing

/// A folder with a server of its own process and the homes of people who use it.
final class House {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("words-\(UUID().uuidString)")
    /// The file mode creation mask of all its processes.
    let mask: String?
    private(set) var server: ChildProcess?
    private(set) var url = ""

    init(mask: String? = nil) throws {
        self.mask = mask
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        server?.kill(SIGKILL)
        try? FileManager.default.removeItem(at: folder)
    }

    var database: String { folder.appendingPathComponent("data/words.sqlite").path }

    /// At the same port as before, where there was one.
    func startServer() async throws {
        let port = url.split(separator: ":").last.map(String.init) ?? "0"
        let child = try ChildProcess(
            ["serve", "--data", folder.appendingPathComponent("data").path, "--port", port], home: folder, mask: mask)
        server = child
        try #require(await child.says("Words serves on "), "\(child.errorSoFar)")
        let words = child.errorSoFar.split(separator: " ").map {
            $0.trimmingCharacters(in: CharacterSet(charactersIn: ","))
        }
        url = try #require(words.first { $0.hasPrefix("http://") })
    }

    func killServer() async {
        server?.kill(SIGKILL)
        _ = await server?.result()
    }

    /// Lets it end by itself.
    func stopServer() async -> ChildProcess.Result? {
        server?.kill(SIGTERM)
        return await server?.result()
    }

    func home(_ name: String) -> URL { folder.appendingPathComponent("home-\(name)") }

    /// The app of `name`, with its commands from a pipe that stays open.
    func app(_ name: String, _ arguments: String...) throws -> ChildProcess {
        try ChildProcess(
            ["--server", url, "--home", home(name).path] + arguments, home: folder, mask: mask)
    }

    /// The app of `name` from the first to the last of `commands`.
    func run(_ name: String, _ commands: String...) async throws -> ChildProcess.Result {
        let child = try app(name)
        child.write(commands.map { $0 + "\n" }.joined())
        child.closeInput()
        return await child.result()
    }

    /// All regular files below, with their modes.
    func files() -> [(url: URL, mode: Int)] {
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (all?.compactMap { $0 as? URL } ?? []).compactMap { url in
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: url.path) else { return nil }
            return (url, (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1)
        }
    }

    /// The tokens in the session file of `name`.
    func tokens(of name: String) -> [String] {
        let file = home(name).appendingPathComponent("session/sessions.json")
        let text = String(decoding: (try? Data(contentsOf: file)) ?? Data(), as: UTF8.self)
        return text.matches(of: #/"(?:accessToken|refreshToken)":"([^"]+)"/#).map { String($0.1) }
    }
}
