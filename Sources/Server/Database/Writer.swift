import Foundation
import Models
import SQLite

/// One thing to write: its part of a transaction, and what happens once the transaction has ended.
struct WriteJob: Sendable {
    /// Does its part; what it returns is called with the error that undid the transaction, or nil after the commit.
    let run: @Sendable (SQLiteConnection) throws -> (@Sendable ((any Error)?) -> Void)
    /// Its part has been undone.
    let fail: @Sendable (any Error) -> Void

    init<Success: Sendable>(
        body: @escaping @Sendable (SQLiteConnection) throws -> Success,
        published: @escaping @Sendable (Success) -> Void,
        finished: @escaping @Sendable (Result<Success, any Error>) -> Void
    ) {
        run = { connection in
            let result = try body(connection)
            return { error in
                if let error { return finished(.failure(error)) }
                published(result)
                finished(.success(result))
            }
        }
        fail = { finished(.failure($0)) }
    }
}

/// The one connection that writes, on a thread of its own, since waiting for the disk must not hold up a task.
final class Writer: Sendable {
    private struct Waiting {
        var jobs: [WriteJob] = []
        var isDraining = false
        var isClosed = false
        var closed: [@Sendable () -> Void] = []
    }

    /// So many go into one transaction at most, lest the first of them wait for long.
    private static let batchLimit = 512

    private let connection: Locked<SQLiteConnection?>
    private let waiting = Locked(Waiting())
    private let queue = DispatchQueue(label: "words.database.writer", qos: .userInitiated)

    init(_ connection: sending SQLiteConnection) { self.connection = Locked(connection) }

    func add(_ job: WriteJob) {
        let (starts, isClosed) = waiting.withLock { waiting in
            guard !waiting.isClosed else { return (false, true) }
            waiting.jobs.append(job)
            defer { waiting.isDraining = true }
            return (!waiting.isDraining, false)
        }
        if isClosed { job.fail(DatabaseError.closed) }
        if starts { queue.async { self.drain() } }
    }

    /// Calls `done` when all that was added before is finished and the connection is closed.
    func close(_ done: @escaping @Sendable () -> Void) {
        let starts = waiting.withLock { waiting in
            waiting.isClosed = true
            waiting.closed.append(done)
            defer { waiting.isDraining = true }
            return !waiting.isDraining
        }
        if starts { queue.async { self.drain() } }
    }

    private func drain() {
        while true {
            let (jobs, closed) = next()
            if !closed.isEmpty { connection.withLock { $0 = nil } }
            for done in closed { done() }
            guard let jobs else { return }
            let finished = connection.withLock { connection in
                guard let connection else { return jobs.map { Self.failing($0, DatabaseError.closed) } }
                return Self.commit(jobs, on: connection)
            }
            for finish in finished { finish() }
        }
    }

    /// The next batch; where there is none, who waits for the end: in one step, so that no job slips in between.
    private func next() -> (jobs: [WriteJob]?, closed: [@Sendable () -> Void]) {
        waiting.withLock { waiting in
            guard !waiting.jobs.isEmpty else {
                waiting.isDraining = false
                defer { waiting.closed = [] }
                return (nil, waiting.closed)
            }
            let batch = Array(waiting.jobs.prefix(Self.batchLimit))
            waiting.jobs.removeFirst(batch.count)
            return (batch, [])
        }
    }

    /// Does all `jobs` in one transaction; returns what is to be called, in their order.
    private static func commit(_ jobs: [WriteJob], on connection: SQLiteConnection) -> [@Sendable () -> Void] {
        do { try connection.run("BEGIN IMMEDIATE") } catch {
            let error = DatabaseError.mapped(error)
            return jobs.map { failing($0, error) }
        }
        var outcomes: [Outcome] = []
        for (index, job) in jobs.enumerated() {
            do {
                outcomes.append(.done(try connection.savepoint { try job.run(connection) }))
            } catch {
                outcomes.append(.failed(job, DatabaseError.mapped(error)))
                // SQLite has undone the whole transaction, as it does on a full disk.
                guard connection.isInTransaction else {
                    outcomes += jobs[(index + 1)...].map { .failed($0, DatabaseError.mapped(error)) }
                    return outcomes.map { $0.finishing(DatabaseError.mapped(error)) }
                }
            }
        }
        do {
            try connection.run("COMMIT")
            return outcomes.map { $0.finishing(nil) }
        } catch {
            connection.rollBack()
            let error = DatabaseError.mapped(error)
            return outcomes.map { $0.finishing(error) }
        }
    }

    private static func failing(_ job: WriteJob, _ error: any Error) -> @Sendable () -> Void { { job.fail(error) } }

    private enum Outcome {
        case done(@Sendable ((any Error)?) -> Void)
        case failed(WriteJob, any Error)

        func finishing(_ error: (any Error)?) -> @Sendable () -> Void {
            switch self {
            case .done(let finish): { finish(error) }
            case .failed(let job, let own): { job.fail(own) }
            }
        }
    }
}
