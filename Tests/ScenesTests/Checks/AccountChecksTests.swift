import Models
import Testing

@testable import Scenes

@Suite("AccountChecks")
struct AccountChecksTests {
    @Test(
        "an address is the same however it is typed; user names and ids keep their case",
        arguments: [
            (" Bob@Words.TEST ", "bob@words.test"), ("bob@words.test", "bob@words.test"), ("Bob", "Bob"),
            (" @Bob:Words.test\n", "@Bob:Words.test"),
        ])
    func folding(_ typed: String, _ expected: String) {
        #expect(AccountChecks.folded(typed) == expected)
    }

    @Test("a name is required and at most 255 characters long")
    func name() {
        #expect(AccountChecks.name("") == .missing)
        #expect(AccountChecks.name(" \u{200B}") == .missing)
        #expect(AccountChecks.name(String(repeating: "ü", count: 255)) == nil)
        #expect(AccountChecks.name(String(repeating: "ü", count: 256)) == .tooLong(limit: 255))
    }

    @Test(
        "a well-formed address has something on either side and no blanks",
        arguments: [
            "bob@words.test", "bob@localhost", "a+b@c.d", "ü@ö.test",
        ])
    func wellFormed(_ email: String) {
        #expect(AccountChecks.email(email) == nil)
    }

    @Test(
        "an address of another form is refused",
        arguments: [
            "bob", "a@b@c.d", "@words.test", "bob@", "bob@.test", "bob@test.", "bob@a..b", "bob smith@words.test",
            "bob@wor\u{200B}ds.test",
            "bob@\n",
        ])
    func malformed(_ email: String) {
        #expect(AccountChecks.email(email) == .malformedEmail)
    }

    @Test("an address is required and at most 255 characters long")
    func emailLength() {
        #expect(AccountChecks.email("") == .missing)
        #expect(AccountChecks.email(String(repeating: "a", count: 253) + "@b") == nil)
        #expect(AccountChecks.email(String(repeating: "a", count: 254) + "@b") == .tooLong(limit: 255))
    }

    @Test("a new password has 6 to 1,024 bytes")
    func newPassword() {
        #expect(AccountChecks.newPassword(Secret("")) == .missing)
        #expect(AccountChecks.newPassword(Secret("12345")) == .length(6...1_024))
        #expect(AccountChecks.newPassword(Secret("123456")) == nil)
        #expect(AccountChecks.newPassword(Secret("üüü")) == nil)
        #expect(AccountChecks.newPassword(Secret(String(repeating: "x", count: 1_024))) == nil)
        #expect(AccountChecks.newPassword(Secret(String(repeating: "ü", count: 513))) == .length(6...1_024))
    }

    @Test("a password that exists may be as short as another server allows")
    func password() {
        #expect(AccountChecks.password(Secret("")) == .missing)
        #expect(AccountChecks.password(Secret("1")) == nil)
        #expect(AccountChecks.password(Secret(String(repeating: "x", count: 1_025))) == .length(1...1_024))
    }

    @Test("an identity is an address, a user name or an id")
    func identity() {
        #expect(AccountChecks.identity("bob") == nil)
        #expect(AccountChecks.identity("@bob:words.test") == nil)
        #expect(AccountChecks.identity("bob@words.test") == nil)
        #expect(AccountChecks.identity("bob@") == .malformedEmail)
        #expect(AccountChecks.identity(" ") == .missing)
    }
}
