import Foundation
import Models
import Testing

@testable import Server

@Suite struct MatrixErrorTests {
    private func json(_ error: MatrixError) -> JSONValue {
        (try? JSONValue(parsing: error.response.body)) ?? .null
    }

    @Test("a plain failure has a code and words, and nothing else")
    func plain() {
        #expect(json(.forbidden("No.")) == ["errcode": "M_FORBIDDEN", "error": "No."])
        #expect(MatrixError.forbidden("No.").response.status == 403)
    }

    @Test("only an expired token says that the session lives on")
    func softLogout() {
        #expect(json(.expiredToken)["soft_logout"] == true)
        #expect(json(.unknownToken)["soft_logout"] == nil)
    }

    @Test("the wait is in milliseconds in the body and in seconds, rounded up, in the header")
    func limited() {
        for (milliseconds, seconds) in [(0, "1"), (1, "1"), (1_000, "1"), (1_001, "2")] {
            let error = MatrixError(429, "M_LIMIT_EXCEEDED", "Wait.", retryAfter: .milliseconds(milliseconds))

            #expect(json(error)["retry_after_ms"]?.integer == Int64(milliseconds))
            #expect(error.response.headers.contains { $0 == ("Retry-After", seconds) })
        }
    }
}
