import Models
import Testing
import Workers

@testable import Scenes

@MainActor
@Suite("Trace")
struct TraceTests {
    private func traced<Value>(_ value: Value) -> String {
        var lines: [String] = []
        Trace { lines.append($0) }(value)
        return lines.joined(separator: "|")
    }

    @Test("a request is one line by its name, its secret redacted")
    func request() {
        let line = traced(Login.Account.Request(identity: "a@b", password: Secret("hunter2")))

        #expect(line == "Login.Account.Request(identity: \"a@b\", password: <redacted>)")
    }

    @Test("no token of a session is traced, however deep")
    func session() {
        let line = traced([ResumedSession.valid(Fixture.session())])

        #expect(line.contains("<redacted>"))
        #expect(!line.contains("user-token"))
        #expect(!line.contains("chat-token"))
    }

    @Test("enums, optionals, lists, ids, times and flags are short")
    func values() {
        let response = Login.Account.Response(progress: .waiting(.seconds(2)))
        let row = ListContacts.Row(id: UserID("@b:x"), number: 1, name: "Bob", initials: "B")

        #expect(traced(response) == "Login.Account.Response(progress: .waiting(2000 ms))")
        #expect(traced(Login.Start.Response(reason: .sessionEnded)) == "Login.Start.Response(reason: .sessionEnded)")
        #expect(traced(Login.Start.Response(reason: nil)) == "Login.Start.Response(reason: nil)")
        #expect(
            traced([row]).hasPrefix("[ListContacts.Row(id: \"@b:x\", number: 1, name: \"Bob\", initials: \"B\", "))
        #expect(traced(Fixture.now) == "2026-01-05T09:00:00.000Z")
        #expect(
            traced(Outcome.failed(line: "No.")) == ".failed(line: \"No.\")")
        #expect(traced(["a": 1, "b": 2]) == "[\"a\": 1, \"b\": 2]")
    }

    @Test("no remote character can command the terminal")
    func escaped() {
        let line = traced(Outcome.done(line: "a\u{1B}[2J\"\\\n\u{202E}\u{9B}é👋"))

        #expect(line == ".done(line: \"a\\u{1B}[2J\\\"\\\\\\n\\u{202E}\\u{9B}é👋\")")
    }

    @Test("a trace that is off describes nothing")
    func off() {
        var isDescribed = false
        func value() -> Int {
            isDescribed = true
            return 1
        }

        Trace.off(value())

        #expect(!isDescribed)
    }
}
