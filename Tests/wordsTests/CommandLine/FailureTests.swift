import SceneScript
import Server
import Testing

@testable import words

@Suite("Failure")
struct FailureTests {
    @Test("each error has its code, and words for standard error")
    func codes() {
        #expect(
            Failure(UsageError("No.", .run)) == Failure(.usage, ["words: No.", "usage: words run [OPTION…] FILE…"]))
        #expect(Failure(StageError(.unreachable, "Nobody.")) == Failure(.unreachable, ["words: Nobody."]))
        #expect(Failure(ServerError.alreadyServed(folder: "/x")).status == 4)
        #expect(Failure(ServerError.notAServerName("x:1")).status == 2)
        #expect(Failure(ServerError.noSuchAccount).status == 1)
        #expect(Failure(CancellationError()).status == 5)
        #expect(Failure(Failure.ended(bySignal: 2)).status == 130)
        #expect(Failure.closedOutput.status == 141)
    }
}
