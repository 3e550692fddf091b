import Foundation
import Models

/// A lock between processes, held while its file is open. It frees itself when its holder dies.
final class FileLock: Sendable {
    private let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Waits for the lock on a thread of its own, at most `limit` by `clock`.
    static func acquire(
        _ file: PrivateFile, clock: any WallClock, limit: Duration
    ) async throws(PrivateFile.Failure) -> FileLock {
        try file.makeFolder()
        let descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw PrivateFile.Failure("Cannot open the lock", file.path) }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return FileLock(descriptor: descriptor) }
        let wait = Wait()
        let result = await withCheckedContinuation { continuation in
            wait.begin(continuation)
            let timer = clock.schedule(after: limit) {
                wait.finish(.failure(PrivateFile.Failure("Another process holds", file.path, EAGAIN)))
            }
            DispatchQueue.global().async {
                var code = flock(descriptor, LOCK_EX)
                while code != 0, errno == EINTR { code = flock(descriptor, LOCK_EX) }
                timer.cancel()
                // Where nobody waits any more, the lock is let go with the last reference to it.
                let lock = FileLock(descriptor: descriptor)
                wait.finish(code == 0 ? .success(lock) : .failure(PrivateFile.Failure("Cannot lock", file.path)))
            }
        }
        return try result.get()
    }

    private final class Wait: Sendable {
        typealias Outcome = Result<FileLock, PrivateFile.Failure>
        private let continuation = Locked<CheckedContinuation<Outcome, Never>?>(nil)

        func begin(_ waiting: CheckedContinuation<Outcome, Never>) { continuation.withLock { $0 = waiting } }

        func finish(_ outcome: Outcome) {
            let waiting = continuation.withLock { continuation in
                defer { continuation = nil }
                return continuation
            }
            waiting?.resume(returning: outcome)
        }
    }
}
