import Testing

@testable import Workers

@Suite("Backoff")
struct BackoffTests {
    @Test("no number of failures and no jitter leaves the range of 0.75 to 60 seconds")
    func range() {
        for failures in [0, 1, 5, 6, 7, 63, 64, 1_000, .max] {
            for fraction in [0, 0.5, 0.999_999] {
                let delay = Backoff.delay(failures: failures, fraction: fraction)

                #expect(delay >= .milliseconds(750) && delay <= .seconds(60))
            }
        }
    }

    @Test("what the server asks for is kept to, from a second to an hour")
    func asked() {
        #expect(Backoff.delay(failures: 1, fraction: 0, asked: .seconds(90)) == .seconds(90))
        #expect(Backoff.delay(failures: 1, fraction: 0, asked: .seconds(86_400)) == .seconds(3_600))
        #expect(Backoff.delay(failures: 3, fraction: 0, asked: .zero) == .seconds(4))
    }
}
