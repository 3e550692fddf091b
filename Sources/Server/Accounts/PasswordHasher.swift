import CSodium
import Foundation
import Models

/// How much work a password's hash is. Raising it slows guessing down and logging in as well.
public struct PasswordCost: Equatable, Sendable {
    public var memory: Int
    public var passes: UInt64

    /// `memory` in bytes.
    public init(memory: Int, passes: UInt64) {
        self.memory = memory
        self.passes = passes
    }

    /// 19 MiB, two passes: some 30 ms.
    public static let interactive = PasswordCost(memory: 19 * 1_024 * 1_024, passes: 2)
    /// The least that the library takes. For tests only.
    public static let low = PasswordCost(memory: 8_192, passes: 1)
}

/// Hashes passwords with argon2id, on threads of its own and not more than a few at once.
final class PasswordHasher: Sendable {
    /// More are waiting than could be served in reasonable time.
    struct Busy: Error {}

    private let cost: PasswordCost
    private let queue: OperationQueue
    private let waiting = Locked(0)
    private static let waitingLimit = 256

    init(cost: PasswordCost) {
        self.cost = cost
        queue = OperationQueue()
        queue.maxConcurrentOperationCount = max(1, ProcessInfo.processInfo.activeProcessorCount - 1)
        queue.qualityOfService = .userInitiated
    }

    /// The text to store. Throws `Busy`.
    func hash(_ password: Secret) async throws -> String {
        guard let text = try await perform({ [cost] in Self.hash(password, cost) }) else { throw Busy() }
        return text
    }

    /// Whether `password` is the one that `stored` was made from. Without `stored` it is not, and finding out takes just
    /// as long, so that the time tells nobody whether there is an account. Throws `Busy`.
    func verify(_ password: Secret, against stored: String?) async throws -> Bool {
        try await perform { [cost] in
            guard let stored else {
                _ = Self.hash(password, cost)
                return false
            }
            let bytes = Self.characters(password)
            return crypto_pwhash_str_verify(stored, bytes, UInt64(bytes.count)) == 0
        }
    }

    private static func hash(_ password: Secret, _ cost: PasswordCost) -> String? {
        var text = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
        let bytes = characters(password)
        guard crypto_pwhash_str(&text, bytes, UInt64(bytes.count), cost.passes, cost.memory) == 0 else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func characters(_ password: Secret) -> [CChar] {
        password.reveal().utf8.map(CChar.init(bitPattern:))
    }

    private func perform<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async throws -> Result {
        let isWelcome = waiting.withLock { waiting in
            guard waiting < Self.waitingLimit else { return false }
            waiting += 1
            return true
        }
        guard isWelcome, Sodium.isReady else { throw Busy() }
        defer { waiting.withLock { $0 -= 1 } }
        return await withCheckedContinuation { continuation in
            queue.addOperation { continuation.resume(returning: work()) }
        }
    }
}
