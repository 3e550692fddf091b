import Models
import Testing

@testable import Server

@Suite struct AccountRulesTests {
    @Test("a name has one to 255 characters")
    func names() {
        #expect(AccountRules.problem(name: "A") == nil)
        #expect(AccountRules.problem(name: String(repeating: "é", count: 255)) == nil)
        #expect(AccountRules.problem(name: String(repeating: "é", count: 256)) != nil)
        #expect(AccountRules.problem(name: " \n ") != nil)
    }

    @Test("addresses", arguments: ["a@b.c", "a+b@c.example", "ü@ü.example", "a@localhost"])
    func goodEmail(email: String) {
        #expect(AccountRules.problem(email: email) == nil)
    }

    @Test(
        "no addresses",
        arguments: [
            "", "a", "@", "a@", "@b", "a@b@c", "a b@c.d", "a@b..c", "a@.b", "a@b.", "a\u{0}@b.c", "a\u{202E}@b.c",
        ])
    func badEmail(email: String) {
        #expect(AccountRules.problem(email: email) != nil)
    }

    @Test("an address may have 255 characters")
    func longEmail() {
        let tail = "@words.test"
        #expect(AccountRules.problem(email: String(repeating: "a", count: 255 - tail.count) + tail) == nil)
        #expect(AccountRules.problem(email: String(repeating: "a", count: 256 - tail.count) + tail) != nil)
    }

    @Test("a password has 6 to 1,024 bytes")
    func passwords() {
        for (count, isGood) in [(0, false), (5, false), (6, true), (1_024, true), (1_025, false)] {
            #expect((AccountRules.problem(password: Secret(String(repeating: "x", count: count))) == nil) == isGood)
        }
        #expect(AccountRules.problem(password: Secret("ééé")) == nil, "bytes count, not characters")
    }

    @Test("addresses are compared without case, blanks and composition")
    func folding() {
        #expect(AccountRules.folded(email: " ÉLAN@Words.Test ") == AccountRules.folded(email: "e\u{301}lan@words.test"))
    }

    @Test("a server name is a host name without a port")
    func serverNames() {
        #expect(ServerName.isValid("localhost"))
        #expect(ServerName.isValid("a-1.example"))
        #expect(!ServerName.isValid("localhost:1"))
        #expect(!ServerName.isValid("a."))
    }
}

@Suite struct LocalPartTests {
    private let identifiers = GeneratedIdentifiers(seed: 1)

    @Test(
        "what a name leaves of itself in an id",
        arguments: [
            ("Alice", "alice"), ("Anna Bell", "anna-bell"), ("Élodie  O'Neil", "elodie-oneil"), ("李", "user"),
            ("  --  ", "user"), ("a@b.c", "abc"),
            (String(repeating: "x", count: 99), String(repeating: "x", count: 24)),
        ])
    func stem(name: String, stem: String) {
        let made = LocalPart.make(from: name, identifiers)

        #expect(made.hasPrefix(stem + "-"))
        #expect(made.utf8.count == stem.utf8.count + 1 + LocalPart.suffixLength)
        #expect(LocalPart.isValid(made, serverName: "localhost"))
    }

    @Test("new local parts take the characters of the standard and 255 bytes in all")
    func validity() {
        #expect(LocalPart.isValid("a.b_c=d-e/f+9", serverName: "x"))
        for bad in ["", "A", "a b", "ä", "a:b", "@a"] { #expect(!LocalPart.isValid(bad, serverName: "x")) }
        #expect(LocalPart.isValid(String(repeating: "a", count: 252), serverName: "x"))
        #expect(!LocalPart.isValid(String(repeating: "a", count: 253), serverName: "x"))
    }
}
