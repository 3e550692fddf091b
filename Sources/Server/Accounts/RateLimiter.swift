import Models

/// How often something may be tried: `burst` times at once, and one more every `interval`.
public struct Rate: Equatable, Sendable {
    public var burst: Int
    public var interval: Duration

    public init(burst: Int, interval: Duration) {
        self.burst = burst
        self.interval = interval
    }

    public static let unlimited = Rate(burst: .max, interval: .zero)

    /// So many a second over time, those of two minutes at once; 0 is no limit.
    public static func perSecond(_ count: Int) -> Rate {
        count > 0 ? Rate(burst: count * 120, interval: .seconds(1) / count) : .unlimited
    }
}

/// All rates of the server, by the product's clock.
public struct RateLimits: Equatable, Sendable {
    /// Wrong passwords for one account. Right ones do not count.
    public var loginPerAccount = Rate(burst: 10, interval: .seconds(30))
    /// Wrong passwords from one address.
    public var loginPerAddress = Rate(burst: 100, interval: .seconds(3))
    public var signupPerAddress = Rate(burst: 200, interval: .seconds(5))
    /// Added contacts, found or not: each tells whether an address is known.
    public var contactsPerAccount = Rate(burst: 60, interval: .seconds(10))
    /// Requests that bear a token of the account, logins and renewals of tokens, whichever device they come from. No
    /// client that means well comes near: it guards the others against one that runs wild.
    public var requestsPerAccount = Rate.perSecond(Self.usualRequestsPerSecond)

    public static let usualRequestsPerSecond = 500

    public init() {}

    public static var unlimited: RateLimits {
        var limits = RateLimits()
        limits.loginPerAccount = .unlimited
        limits.loginPerAddress = .unlimited
        limits.signupPerAddress = .unlimited
        limits.contactsPerAccount = .unlimited
        limits.requestsPerAccount = .unlimited
        return limits
    }
}

/// Counts tries by key, as a bucket for each that holds `burst` and gains one every `interval`. A value.
struct RateLimiter<Key: Hashable & Sendable>: Sendable {
    let rate: Rate
    /// By key, when its bucket will be full again, since 1970; keys with a full bucket are absent. Finer than a
    /// `Timestamp`, since an interval may be less than a millisecond.
    private var fullAt: [Key: Duration] = [:]

    /// Above so many keys, those with full buckets are dropped.
    private static var keyLimit: Int { 10_000 }

    /// Keys whose buckets are not known to be full.
    var keyCount: Int { fullAt.count }

    init(rate: Rate) { self.rate = rate }

    /// Takes one try. Nil where it is allowed, else how long to wait for the next, rounded up to milliseconds.
    mutating func take(_ key: Key, at time: Timestamp) -> Duration? {
        guard rate.burst < .max else { return nil }
        let now = Duration.milliseconds(time.milliseconds)
        if fullAt.count > Self.keyLimit { fullAt = fullAt.filter { $0.value > now } }
        let next = max(fullAt[key] ?? now, now) + rate.interval
        let wait = next - now - rate.interval * rate.burst
        if wait > .zero { return .milliseconds((wait + .milliseconds(1) - .nanoseconds(1)).milliseconds) }
        fullAt[key] = next
        return nil
    }

    /// Gives back a try that has turned out not to count.
    mutating func giveBack(_ key: Key) {
        guard let full = fullAt[key] else { return }
        fullAt[key] = full - rate.interval
    }
}
