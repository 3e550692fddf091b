import Foundation
import Models

/// A file system of 1 MiB, in a mount namespace that ends with this object. Whoever may not make one learns why.
final class SmallDisk {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Why there can be none on this machine; nil where there can.
    static let obstacle: String? = {
        do {
            _ = try SmallDisk()
            return nil
        } catch { return "\(error)" }
    }()

    /// Where it is mounted, for processes behind `launcher`.
    let folder: URL
    private let holder: Process
    private let input = Pipe()

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("words-disk-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        holder = Process()
        holder.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let mount = "mount -t tmpfs -o size=1m words \"$1\" && echo mounted && exec cat"
        holder.arguments = ["unshare", "--map-root-user", "--mount", "sh", "-c", mount, "sh", folder.path]
        let output = Pipe()
        holder.standardInput = input
        holder.standardOutput = output
        holder.standardError = output
        try holder.run()
        // It writes one line, whichever way it goes, and ends where it failed.
        let said = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard said.hasPrefix("mounted") else {
            throw Failure(description: "no small file system can be mounted here: \(said.prefix(200))")
        }
    }

    deinit {
        try? input.fileHandleForWriting.close()
        holder.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Puts the process behind it into the namespace.
    var launcher: [String] {
        ["nsenter", "--target", "\(holder.processIdentifier)", "--user", "--mount", "--preserve-credentials"]
    }

    /// A place on it, as seen from outside.
    private func outside(_ name: String) -> String {
        "/proc/\(holder.processIdentifier)/root\(folder.appendingPathComponent(name).path)"
    }

    /// Takes up to so many bytes away, until `remove`; how many there were to take.
    @discardableResult
    func take(_ name: String, bytes: Int = .max) throws -> Int {
        let descriptor = open(outside(name), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(description: "\(name): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        let page = [UInt8](repeating: 1, count: 4_096)
        var taken = 0
        while taken < bytes {
            let count = write(descriptor, page, page.count)
            guard count > 0 else { break }
            taken += count
        }
        return taken
    }

    func remove(_ name: String) { unlink(outside(name)) }
}
