import Foundation

/// A file that only its owner may read, replaced as a whole or not at all.
struct PrivateFile: Sendable {
    let path: String

    private var folder: String { (path as NSString).deletingLastPathComponent }

    /// What failed, in the system's words, and on which file.
    struct Failure: Error, Equatable {
        var message: String

        init(_ action: String, _ path: String, _ code: Int32 = errno) {
            message = "\(action) \(path): \(String(cString: strerror(code)))"
        }
    }

    /// Nil where there is no such file. A file that others may read is closed to them first.
    func read() throws(Failure) -> Data? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw Failure("Cannot read", path)
        }
        defer { close(descriptor) }
        _ = fchmod(descriptor, 0o600)
        var content = Data()
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = chunk.withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return content }
            if count > 0 { content.append(contentsOf: chunk[0..<count]) }
            if count < 0, errno != EINTR { throw Failure("Cannot read", path) }
        }
    }

    /// Replaces the content. The new file is 0600 before its first byte, and durable before it takes the old one's place.
    func replace(with content: Data) throws(Failure) {
        try makeFolder()
        let draft = path + ".new"
        guard unlink(draft) == 0 || errno == ENOENT else { throw Failure("Cannot write", draft) }
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure("Cannot write", draft) }
        do {
            defer { close(descriptor) }
            try write(content, to: descriptor, draft)
        } catch {
            unlink(draft)
            throw error
        }
        guard rename(draft, path) == 0 else {
            let failure = Failure("Cannot replace", path)
            unlink(draft)
            throw failure
        }
        syncFolder()
    }

    private func write(_ content: Data, to descriptor: Int32, _ draft: String) throws(Failure) {
        var rest = [UInt8](content)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw Failure("Cannot write", draft)
            }
        }
        guard fsync(descriptor) == 0 else { throw Failure("Cannot write", draft) }
    }

    /// Makes the folder, and those above it, for their owner only; one that is there already is closed to others.
    func makeFolder() throws(Failure) {
        var missing: [String] = []
        var candidate = folder
        while !candidate.isEmpty, candidate != "/", access(candidate, F_OK) != 0 {
            missing.append(candidate)
            candidate = (candidate as NSString).deletingLastPathComponent
        }
        for name in missing.reversed() {
            guard mkdir(name, 0o700) == 0 || errno == EEXIST else { throw Failure("Cannot make the folder", name) }
        }
        guard chmod(folder, 0o700) == 0 else { throw Failure("Cannot close to others the folder", folder) }
    }

    /// Makes the new name durable; where the file system cannot, the content still is.
    private func syncFolder() {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }
}
