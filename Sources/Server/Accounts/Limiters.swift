import Foundation
import Models

/// The server's rate limiters. Each `take` throws `AccountError.limited`.
final class Limiters: Sendable {
    private struct State {
        var loginPerAccount: RateLimiter<String>
        var loginPerAddress: RateLimiter<String>
        var signupPerAddress: RateLimiter<String>
        var contactsPerAccount: RateLimiter<Int64>
        var requestsPerAccount: RateLimiter<Int64>
    }

    /// A try that may turn out not to count.
    struct Tries: Sendable {
        let giveBack: @Sendable () -> Void
    }

    private let state: Locked<State>
    private let clock: any WallClock

    init(_ limits: RateLimits, clock: any WallClock) {
        self.clock = clock
        state = Locked(
            State(
                loginPerAccount: RateLimiter(rate: limits.loginPerAccount),
                loginPerAddress: RateLimiter(rate: limits.loginPerAddress),
                signupPerAddress: RateLimiter(rate: limits.signupPerAddress),
                contactsPerAccount: RateLimiter(rate: limits.contactsPerAccount),
                requestsPerAccount: RateLimiter(rate: limits.requestsPerAccount)))
    }

    /// Counts the try before its outcome is known, so that many at once are no way around.
    func takeLogin(account: String, address: String) throws(AccountError) -> Tries {
        let now = clock.now
        // What somebody claims to be called may be as long as a body.
        let account = Data(Sodium.sha256(account)).base64EncodedString()
        let wait = state.withLock { state -> Duration? in
            if let wait = state.loginPerAddress.take(address, at: now) { return wait }
            guard let wait = state.loginPerAccount.take(account, at: now) else { return nil }
            state.loginPerAddress.giveBack(address)
            return wait
        }
        if let wait { throw .limited(retryAfter: wait) }
        return Tries { [state] in
            state.withLock { state in
                state.loginPerAccount.giveBack(account)
                state.loginPerAddress.giveBack(address)
            }
        }
    }

    func takeSignup(from address: String) throws(AccountError) {
        let now = clock.now
        if let wait = state.withLock({ $0.signupPerAddress.take(address, at: now) }) {
            throw .limited(retryAfter: wait)
        }
    }

    /// Counts a request of the account, from whichever of its sessions.
    func takeRequest(account: Int64) throws(AccountError) {
        let now = clock.now
        if let wait = state.withLock({ $0.requestsPerAccount.take(account, at: now) }) {
            throw .limited(retryAfter: wait)
        }
    }

    func takeContact(account: Int64) throws(AccountError) {
        let now = clock.now
        if let wait = state.withLock({ $0.contactsPerAccount.take(account, at: now) }) {
            throw .limited(retryAfter: wait)
        }
    }
}
