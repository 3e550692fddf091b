import Testing

@testable import SceneScript

@Suite("PredicateParser")
struct PredicateParserTests {
    @Test(
        "reads each predicate with its arguments",
        arguments: [
            ("scene Login", Predicate.scene("Login")),
            ("contact \"Bob\"", .contact(.part("Bob"), nil)),
            ("contact Bob offline", .contact(.part("Bob"), .offline)),
            ("message hi", .message(.part("hi"), from: nil, count: nil, state: nil)),
            (
                "message \"a b\" from=\"Bob\" count=2 state=waiting",
                .message(.part("a b"), from: .part("Bob"), count: 2, state: .waiting)
            ),
            ("message /a b\\/c \\d/ count=0", .message(.expression("a b/c \\d"), from: nil, count: 0, state: nil)),
            (
                "message /x/ from=/^B o$/",
                .message(.expression("x"), from: .expression("^B o$"), count: nil, state: nil)
            ),
            ("message \"/x/\"", .message(.part("/x/"), from: nil, count: nil, state: nil)),
            (
                "message \"a \\\" /b\" from=/c/",
                .message(.part("a \" /b"), from: .expression("c"), count: nil, state: nil)
            ),
            ("message a/b", .message(.part("a/b"), from: nil, count: nil, state: nil)),
            ("status \"has joined\"", .status(.part("has joined"))),
            ("typing Bob", .typing(.part("Bob"))),
            ("unread \"Bob\" 3", .unread(.part("Bob"), 3)),
            ("channel \"Tea\"", .channel(.part("Tea"), nil)),
            ("channel \"Tea\" invited", .channel(.part("Tea"), .invited)),
            ("error wrong", .error(.part("wrong"))),
            ("screen /^x/", .screen(.expression("^x"))),
        ])
    func forms(_ text: String, _ predicate: Predicate) throws {
        let file = try Scripts.parse("alice? \(text)")

        #expect(file.steps.map(\.action) == [.await(actor: "alice", predicate, within: nil)])
    }

    @Test(
        "nothing that it does not understand is passed over",
        arguments: [
            ("scene", "1:8: `scene` needs the name of a scene"),
            ("contact Bob away", "1:20: One of these is needed here: online, offline."),
            ("contact Bob online now", "1:27: `contact` takes nothing more."),
            ("message hi state=lost", "1:19: One of these is needed here: sent, waiting, failed."),
            ("message hi count=many", "1:19: A number from 0 to 1000000 is needed here."),
            ("message hi colour=red", "1:19: `message` takes no colour=."),
            ("message hi count=1 count=2", "1:27: count= is given twice."),
            ("unread Bob", "1:8: `unread` needs how many are unread."),
            ("message /x/y", "1:19: A blank is missing after the regular expression."),
            ("channel \"general\" lost", "1:26: One of these is needed here: joined, public, invited."),
        ])
    func errors(_ text: String, _ error: String) {
        let told = Scripts.error("alice? \(text)")

        #expect(told.hasPrefix("a.scene:" + error), "\(told)")
    }

    @Test("a part is found byte for byte, an expression by its rules")
    func patterns() {
        #expect(TextPattern.part("b c").isFound(in: "a b c"))
        #expect(!TextPattern.part("\u{E9}").isFound(in: "e\u{301}"))
        #expect(TextPattern.part("").isFound(in: "x"))
        #expect(!TextPattern.part("xyz").isFound(in: "xy"))
        #expect(TextPattern.expression("^a.c$").isFound(in: "abc"))
        #expect(!TextPattern.expression("^b").isFound(in: "abc"))
    }
}
