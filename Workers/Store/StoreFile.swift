import Foundation
import Models
import SQLite

/// The file of one store, and those that SQLite keeps beside it: in a folder for their owner only, each for its owner only.
struct StoreFile: Sendable {
    let path: String

    /// `home` need not exist. The name tells neither the server nor the person.
    init(home: URL, key: SessionKey, user: UserID) {
        let name = Self.hash([key.endpoint, key.kind.rawValue, user.raw].joined(separator: "\n"))
        path = home.appendingPathComponent("store", isDirectory: true).appendingPathComponent("\(name).sqlite").path
    }

    init(path: String) { self.path = path }

    private var all: [String] { [path, path + "-wal", path + "-shm"] }
    private var draft: String { path + ".new" }

    var exists: Bool { access(path, F_OK) == 0 }

    /// Opens it; makes it where there is none. What is there and is no whole store of ours throws `damaged`.
    func open() throws(StoreFailure) -> SQLiteConnection {
        do {
            try PrivateFile(path: path).makeFolder()
            if exists { try close(to: all) } else { try make() }
        } catch let error as PrivateFile.Failure {
            throw StoreFailure(
                kind: .unavailable, message: "\(error.message). Nothing can be kept until that is mended")
        } catch let error as SQLiteError {
            throw failure(error)
        } catch {
            throw StoreFailure(kind: .unavailable, message: "Cannot open \(path): \(error)")
        }
        try check()
        do {
            // A damaged file stays as it is: it may be looked at.
            let connection = try SQLiteConnection(path: path, mode: .readWrite)
            if (1..<StoreSchema.version).contains(try version(connection)) { try migrate(connection) }
            guard try version(connection) == StoreSchema.version else { throw damaged("it is no store of Words") }
            try connection.execute(StoreSchema.settings)
            return connection
        } catch let error as StoreFailure {
            throw error
        } catch let error as SQLiteError {
            throw failure(error)
        } catch {
            throw StoreFailure(kind: .unavailable, message: "Cannot open \(path): \(error)")
        }
    }

    /// Another process of the same home may do the same at the same time: who comes second finds it done.
    private func migrate(_ connection: SQLiteConnection) throws {
        try connection.transaction {
            let older = try version(connection)
            guard (1..<StoreSchema.version).contains(older) else { return }
            let steps = StoreSchema.migrations[(older - 1)...].joined(separator: "\n")
            try connection.execute("\(steps) PRAGMA user_version = \(StoreSchema.version);")
        }
    }

    /// Made under another name and whole before it takes its own: whatever bears that name is a store, or was one.
    private func make() throws {
        for name in [draft, draft + "-wal", draft + "-shm", draft + "-journal"] + all { unlink(name) }
        let descriptor = Foundation.open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw PrivateFile.Failure("Cannot make", draft) }
        Foundation.close(descriptor)
        try close(to: [draft])
        do {
            let connection = try SQLiteConnection(path: draft, mode: .readWrite)
            try connection.execute(
                "BEGIN; \(StoreSchema.tables) PRAGMA user_version = \(StoreSchema.version); COMMIT;")
        } catch {
            unlink(draft)
            unlink(draft + "-journal")
            throw error
        }
        guard rename(draft, path) == 0 else { throw PrivateFile.Failure("Cannot make", path) }
    }

    /// Closes to others the files that are there. SQLite gives those that it makes the mode of the first.
    private func close(to names: [String]) throws(PrivateFile.Failure) {
        for name in names where chmod(name, 0o600) != 0 && errno != ENOENT {
            throw PrivateFile.Failure("Cannot close to others the file", name)
        }
    }

    /// Looks without changing anything: at the header, and where changes stand beside the file, through a reader.
    private func check() throws(StoreFailure) {
        let header = StoreHeader(path: path)
        var found = header?.version ?? 0
        if hasChangesBeside {
            let reader = try? SQLiteConnection(path: path, mode: .readOnly)
            found = (reader.flatMap { try? version($0) }) ?? found
        } else if let header, header.isCutShort {
            throw damaged("its end is missing")
        }
        guard found > StoreSchema.version else { return }
        throw StoreFailure(
            kind: .newer,
            message: "\(path) was written by a newer version of Words and is left as it is. Use that version, or move "
                + "the file away; until then nothing can be kept or sent")
    }

    private var hasChangesBeside: Bool {
        var status = stat()
        return stat(path + "-wal", &status) == 0 && status.st_size > 0
    }

    private func version(_ connection: SQLiteConnection) throws -> Int {
        try connection.first("PRAGMA user_version") { Int($0.integer(0)) } ?? 0
    }

    /// Renames what is there, so that it can be looked at, and returns the new name.
    func setAside(at now: Timestamp) throws(StoreFailure) -> String {
        var aside = "\(path).damaged-\(now.milliseconds)"
        while access(aside, F_OK) == 0 { aside += "-again" }
        // The file itself goes last: as long as it is there, it is found again by the next try.
        for suffix in ["-shm", "-wal", ""] {
            guard rename(path + suffix, aside + suffix) == 0 || errno == ENOENT else {
                let reason = String(cString: strerror(errno))
                throw StoreFailure(
                    kind: .unavailable, message: "\(path) is damaged and cannot be moved to \(aside): \(reason)")
            }
        }
        return aside
    }

    func remove() {
        for name in all.reversed() { unlink(name) }
    }

    func damaged(_ reason: String) -> StoreFailure {
        StoreFailure(kind: .damaged, message: "\(path) is damaged (\(reason))")
    }

    func failure(_ error: SQLiteError) -> StoreFailure {
        switch error.kind {
        case .corrupt: damaged(error.message)
        case .diskFull:
            StoreFailure(kind: .full, message: "The disk is full: nothing was written to \(path). Make room on it")
        case .busy, .constraint, .inputOutput, .readOnly, .cannotOpen, .other:
            StoreFailure(kind: .unavailable, message: "Nothing was written to \(path): \(error.message)")
        }
    }

    /// FNV-1a, twice over: names of files, not secrets. That a file is the right one is checked by what is in it.
    private static func hash(_ text: String) -> String {
        let bases: [UInt64] = [0xCBF2_9CE4_8422_2325, 0x6C62_272E_07BB_0142]
        return bases.map { base in
            let hash = text.utf8.reduce(base) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
            let digits = String(hash, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}

/// What the first bytes of a file of SQLite say. SQLite file format, section 1.3; numbers are big-endian.
private struct StoreHeader {
    var version: Int
    var isCutShort: Bool

    /// Nil where it is none.
    init?(path: String) {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        guard let bytes = try? file.read(upToCount: 100), bytes.count == 100, bytes.starts(with: Data("SQLite".utf8)),
            let size = try? file.seekToEnd()
        else { return nil }
        func number(_ offset: Int, _ count: Int) -> UInt64 {
            bytes.dropFirst(offset).prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
        }
        version = Int(number(60, 4))
        let pageSize = number(16, 2) == 1 ? 65_536 : number(16, 2)
        // The number of pages holds only where the two counters agree.
        isCutShort = number(24, 4) == number(92, 4) && number(28, 4) * pageSize > size
    }
}
