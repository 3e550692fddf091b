import Foundation

/// A server as a process of its own, started for the measurement and stopped after it.
final class ServerProcess {
    let name: String
    let target: Target
    let process: Process
    private let folder: URL

    /// - Parameters:
    ///   - command: The executable's path and its arguments.
    ///   - url: Where it will answer; nil where it prints that as its first line.
    ///   - folder: Removed once it has stopped.
    init(name: String, command: [String], url: String? = nil, folder: URL) throws {
        self.name = name
        self.folder = folder
        process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.currentDirectoryURL = folder
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = url == nil ? output : FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        if let url {
            target = try Target(url: url)
        } else {
            let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            target = try Target(url: line.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        try waitUntilItAnswers()
    }

    var url: String { "http://\(target.host):\(target.port)" }

    var identifier: pid_t { process.processIdentifier }

    func memory() throws -> Int { try ResidentMemory.of(identifier) }

    /// At once: its data are thrown away, and a child of a process that masks signals may never hear of a gentler one.
    func stop() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    private func waitUntilItAnswers() throws {
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end, process.isRunning {
            let load = LoadGenerator(target)
            if (try? load.ask(.get("/_matrix/client/versions"), limit: .seconds(10)))?.status == 200 { return }
            _ = poll(nil, 0, 50)
        }
        throw BenchError("\(name) did not come up")
    }

    /// A new folder for one server's data.
    static func makeFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("words-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return folder
    }
}

extension ServerProcess {
    /// This executable as a server: one of the verbs of `Child`.
    private static func own(_ verb: Child, _ name: String, _ arguments: [String] = []) throws -> ServerProcess {
        let folder = try makeFolder()
        return try ServerProcess(
            name: name, command: [Executables.own, verb.rawValue, folder.path] + arguments, folder: folder)
    }

    /// The embedded server, without its limits against many sign-ups from one address.
    static func words() throws -> ServerProcess { try own(.serve, "Words") }

    /// One bare insert for every PUT, through the same HTTP server and group commit.
    static func bareInsert() throws -> ServerProcess { try own(.bareInsert, "bare insert") }

    /// Answers the first sync with the bytes in `file`.
    static func replay(_ file: URL) throws -> ServerProcess { try own(.replay, "replay", [file.path]) }
}

/// The executables beside this one.
enum Executables {
    static let own: String =
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]

    static func beside(_ name: String) -> String {
        URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent(name).path
    }
}
