import Dispatch

/// Runs an actor's work on a queue of its own, one job after another in the order in which they came, so that waiting
/// for a disk holds up no thread that others need.
final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(_ label: String) { queue = DispatchQueue(label: label) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
