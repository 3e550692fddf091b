import Foundation
import Models
import Testing

@testable import Server

@Suite struct WordsErrorTests {
    private func json(_ error: WordsError) -> JSONValue {
        (try? JSONValue(parsing: error.response.body)) ?? .null
    }

    @Test("a plain failure has a message and nothing else")
    func plain() {
        #expect(json(.unauthenticated) == ["message": "Unauthenticated."])
    }

    @Test("one second is one second")
    func limited() {
        #expect(WordsError.limited(.milliseconds(1)).message == "Too many tries. Wait 1 second and try again.")
        #expect(WordsError.limited(.seconds(90)).message == "Too many tries. Wait 90 seconds and try again.")
        #expect(WordsError.limited(.milliseconds(1_500)).response.headers.contains { $0 == ("Retry-After", "2") })
    }
}
