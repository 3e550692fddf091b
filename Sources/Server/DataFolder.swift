import Foundation
import Models

/// The folder of a server's data, and who of several processes serves it: whoever holds its lock.
///
/// The lock is one of the system's and ends with its process, however that ends. Where the server listens stands in the
/// file `endpoint` beside it, with the number of the process that wrote it, so that what a dead server has left behind is
/// not taken for the address of a living one.
public final class DataFolder: Sendable {
    public let url: URL
    private let descriptor: Int32
    private let state: Locked<Bool>

    private static let lockName = "lock"
    private static let endpointName = "endpoint"

    var databasePath: String { url.appendingPathComponent("words.sqlite").path }

    /// Takes the lock of the folder, which is made (0700) where it is missing. Nil where somebody else holds it, in this
    /// process or another. Throws `ServerError.folder`.
    public static func tryLock(_ url: URL) throws(ServerError) -> DataFolder? {
        try makeFolder(url)
        let path = url.appendingPathComponent(lockName).path
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(path) }
        guard RecordLock.take(descriptor) else {
            let isHeld = errno == EAGAIN || errno == EACCES
            let error = failure(path)
            close(descriptor)
            if isHeld { return nil }
            throw error
        }
        unlink(url.appendingPathComponent(endpointName).path)
        return DataFolder(url: url, descriptor: descriptor)
    }

    /// Takes the lock. Throws `ServerError.alreadyServed` where somebody else holds it.
    public static func lock(_ url: URL) throws(ServerError) -> DataFolder {
        guard let folder = try tryLock(url) else { throw .alreadyServed(folder: url.path) }
        return folder
    }

    private init(url: URL, descriptor: Int32) {
        self.url = url
        self.descriptor = descriptor
        state = Locked(true)
    }

    deinit { unlock() }

    /// Takes the address back: whoever asks from now on finds nobody, though the lock is held.
    func withdraw() {
        state.withLock { isHeld in
            if isHeld { unlink(url.appendingPathComponent(Self.endpointName).path) }
        }
    }

    /// Gives the lock back; the address is withdrawn first. Does nothing the second time.
    public func unlock() {
        let wasHeld = state.withLock { isHeld in
            defer { isHeld = false }
            return isHeld
        }
        guard wasHeld else { return }
        unlink(url.appendingPathComponent(Self.endpointName).path)
        close(descriptor)
    }

    /// Makes the file of the database where it is missing, for its owner alone; the files beside it take after it. Files
    /// that are there already, copied back from a backup perhaps, are closed to others.
    func makeDatabaseFile() throws(ServerError) {
        let file = open(databasePath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.failure(databasePath) }
        defer { close(file) }
        guard fchmod(file, 0o600) == 0 else { throw Self.failure(databasePath) }
        for beside in ["-wal", "-shm"].map({ databasePath + $0 }) {
            guard chmod(beside, 0o600) == 0 || errno == ENOENT else { throw Self.failure(beside) }
        }
    }

    private static func makeFolder(_ url: URL) throws(ServerError) {
        guard !isSomebodyElses(url) else {
            throw .folder(path: url.path, reason: "it is open to others and holds other things")
        }
        do {
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .folder(path: url.path, reason: error.localizedDescription)
        }
        // It may have been there, or the umask may have taken from it.
        guard chmod(url.path, 0o700) == 0 else { throw failure(url.path) }
    }

    /// A folder that others may enter and that holds what is none of ours: closing it to them would lock them out.
    private static func isSomebodyElses(_ url: URL) -> Bool {
        var status = stat()
        guard stat(url.path, &status) == 0, status.st_mode & 0o077 != 0,
            let names = try? FileManager.default.contentsOfDirectory(atPath: url.path)
        else { return false }
        return !names.isEmpty && !names.contains(lockName)
    }

    private static func failure(_ path: String) -> ServerError {
        .folder(path: path, reason: String(cString: strerror(errno)))
    }
}

/// Where the server listens.
extension DataFolder {
    /// What a serving process tells the other processes of its user.
    struct Endpoint: Codable, Equatable, Sendable {
        var url: URL
        var process: Int32
        /// Proves to the server that a request comes from somebody who may read this file.
        var ownerKey: Secret
    }

    /// Writes the address, whole or not at all, in a file that only this user may read.
    func publish(_ endpoint: Endpoint) throws(ServerError) {
        let path = url.appendingPathComponent(Self.endpointName).path
        let temporary = path + ".new"
        unlink(temporary)
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.failure(temporary) }
        defer { close(file) }
        guard let data = try? JSONEncoder().encode(endpoint) else {
            throw .folder(path: temporary, reason: "the address cannot be written")
        }
        let count = data.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        guard count == data.count, rename(temporary, path) == 0 else { throw Self.failure(path) }
    }

    /// The address of the server that holds the folder now. Nil where nobody does, or where whoever does is not listening
    /// yet.
    public static func liveEndpoint(in folder: URL) -> URL? { endpoint(in: folder)?.url }

    static func endpoint(in folder: URL) -> Endpoint? {
        guard isLocked(folder), let data = try? Data(contentsOf: folder.appendingPathComponent(endpointName)),
            let endpoint = try? JSONDecoder().decode(Endpoint.self, from: data)
        else { return nil }
        // A server that has died leaves its file until the next one has taken the lock and removed it.
        guard kill(endpoint.process, 0) == 0 || errno == EPERM else { return nil }
        return endpoint
    }

    /// Whether somebody holds the lock, found out without taking it.
    static func isLocked(_ folder: URL) -> Bool {
        let descriptor = open(folder.appendingPathComponent(lockName).path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return RecordLock.isHeld(descriptor)
    }
}

/// Linux's locks of open file descriptions: they keep two openings apart even within one process, and can be asked for
/// without being taken. See `fcntl(2)`, "Open file description locks".
private enum RecordLock {
    private static let query: Int32 = 36
    private static let set: Int32 = 37

    private static var whole: flock {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        return lock
    }

    static func take(_ descriptor: Int32) -> Bool {
        var lock = whole
        return fcntl(descriptor, set, &lock) == 0
    }

    static func isHeld(_ descriptor: Int32) -> Bool {
        var lock = whole
        return fcntl(descriptor, query, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
    }
}
