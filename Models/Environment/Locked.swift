import Foundation

/// A value behind a lock.
///
/// The one `@unchecked Sendable` of the package: every access goes through `withLock`, which never suspends, and the
/// value never leaves by reference. `NSLock` and not `Synchronization.Mutex`, on which the thread sanitiser reports
/// races that are none.
public final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    public init(_ value: sending Value) { self.value = value }

    public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
