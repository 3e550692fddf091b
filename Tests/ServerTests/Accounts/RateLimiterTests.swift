import Models
import Testing

@testable import Server

@Suite struct RateLimiterTests {
    private let start = Timestamp(milliseconds: 1_000_000)

    @Test("as many tries as the burst are free, and then one every interval")
    func burst() {
        var limiter = RateLimiter<String>(rate: Rate(burst: 2, interval: .seconds(10)))

        #expect(limiter.take("a", at: start) == nil)
        #expect(limiter.take("a", at: start) == nil)
        #expect(limiter.take("a", at: start) == .seconds(10))
        #expect(limiter.take("a", at: start + .seconds(4)) == .seconds(6))
        #expect(limiter.take("a", at: start + .seconds(10)) == nil)
        #expect(limiter.take("a", at: start + .seconds(10)) == .seconds(10))
        #expect(limiter.take("a", at: start + .seconds(1_000)) == nil)
    }

    @Test(
        "so many a second are let through over time, whatever part of a millisecond that is",
        arguments: [300, 700, 2_000])
    func fractions(perSecond: Int) {
        var limiter = RateLimiter<String>(rate: .perSecond(perSecond))
        while limiter.take("a", at: start) == nil {}
        var taken = 0

        for millisecond in 1...10_000 {
            while limiter.take("a", at: start + .milliseconds(millisecond)) == nil { taken += 1 }
        }

        #expect(taken == 10 * perSecond)
    }

    @Test("after the time that is told the next try is free")
    func waiting() {
        var limiter = RateLimiter<String>(rate: Rate(burst: 1, interval: .seconds(1) / 300))
        _ = limiter.take("a", at: start)

        #expect(limiter.take("a", at: start) == .milliseconds(4))
        #expect(limiter.take("a", at: start + .milliseconds(4)) == nil)
    }

    @Test("keys do not share their tries")
    func keys() {
        var limiter = RateLimiter<String>(rate: Rate(burst: 1, interval: .seconds(10)))
        _ = limiter.take("a", at: start)

        #expect(limiter.take("b", at: start) == nil)
        #expect(limiter.take("a", at: start) != nil)
    }

    @Test("a try that is given back is free again, and no more than that")
    func givingBack() {
        var limiter = RateLimiter<String>(rate: Rate(burst: 1, interval: .seconds(10)))
        _ = limiter.take("a", at: start)

        limiter.giveBack("a")
        limiter.giveBack("a")

        #expect(limiter.take("a", at: start) == nil)
        #expect(limiter.take("a", at: start) == .seconds(10))
    }

    @Test("without a limit everything is free")
    func unlimited() {
        var limiter = RateLimiter<String>(rate: .unlimited)

        #expect((0..<1_000).allSatisfy { _ in limiter.take("a", at: start) == nil })
    }

    @Test("keys that have long been quiet are forgotten")
    func forgetting() {
        var limiter = RateLimiter<String>(rate: Rate(burst: 1, interval: .seconds(1)))
        for number in 0...10_000 { _ = limiter.take(String(number), at: start) }

        _ = limiter.take("last", at: start + .seconds(10))

        #expect(limiter.keyCount == 1)
    }
}
