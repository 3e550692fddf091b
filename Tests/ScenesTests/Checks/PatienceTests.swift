import Models
import Testing
import Workers

@testable import Scenes

@Suite("Patience")
struct PatienceTests {
    @Test("a short wait is waited out, from either layer")
    func short() {
        var patience = Patience()

        #expect(patience.wait(after: .limited(retryAfter: .seconds(2))) == .seconds(2))
        #expect(patience.wait(after: .network(.limited(retryAfter: .seconds(28)))) == .seconds(28))
    }

    @Test("more than 30 seconds in all is said instead")
    func long() {
        var patience = Patience()

        #expect(patience.wait(after: .limited(retryAfter: .milliseconds(30_001))) == nil)
        #expect(patience.wait(after: .limited(retryAfter: .seconds(20))) == .seconds(20))
        #expect(patience.wait(after: .limited(retryAfter: .seconds(11))) == nil)
    }

    @Test("a wait of unknown length and every other error are said")
    func others() {
        var patience = Patience()

        #expect(patience.wait(after: .limited(retryAfter: nil)) == nil)
        #expect(patience.wait(after: .network(.timedOut)) == nil)
        #expect(patience.wait(after: .unauthenticated) == nil)
    }

    @Test("waits of no length end too")
    func bounded() {
        var patience = Patience()

        let waits = (0..<10).map { _ in patience.wait(after: .limited(retryAfter: .zero)) }

        #expect(waits == Array(repeating: .zero, count: 5) + Array(repeating: nil, count: 5))
    }
}
