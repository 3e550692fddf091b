import Foundation
import Models
import Testing
import TextUI

@testable import SceneScript

@Suite("SceneParser")
struct SceneParserTests {
    @Test("reads phases, steps and golden blocks with their places")
    func wholeScript() throws {
        let text = """
            # Two people meet
            set clock=2026-01-05T09:00:00Z zone=Europe/Rome width=60 deadline=3s

            # A new account
            # lands on an empty list
            alice> signup name="Alice" email=alice@words.test password=secret-one
              Contacts

                (no contacts yet)

            bob? contact "Alice" online within=2s
            clock> advance 1m30s
            # Gone
            bob! typing "Alice"

            """

        let file = try Scripts.parse(text)

        #expect(file.title == "Two people meet")
        #expect(file.settings.clock == Timestamp(iso8601: "2026-01-05T09:00:00Z"))
        #expect(file.settings.zone == "Europe/Rome")
        #expect(file.settings.width == 60)
        #expect(file.settings.deadline == .seconds(3))
        #expect(file.settings.server == nil)
        #expect(file.phases.map(\.title) == ["A new account lands on an empty list", "Gone"])
        #expect(file.steps.map(\.location.line) == [6, 11, 12, 14])
        #expect(file.steps.map(\.action.actor) == ["alice", "bob", nil, "bob"])
        #expect(
            file.steps[0].golden
                == GoldenBlock(
                    location: SourceLocation(file: "a.scene", line: 7), lineNumbers: 7..<10,
                    lines: ["Contacts", "", "  (no contacts yet)"]))
        #expect(file.steps[1].action == .await(actor: "bob", .contact(.part("Alice"), .online), within: .seconds(2)))
        #expect(file.steps[2].action == .advance(.seconds(90)))
        #expect(file.steps[3].action == .refute(actor: "bob", .typing(.part("Alice"))))
        #expect(file.steps.dropFirst().allSatisfy { $0.golden == nil })
    }

    @Test("a script of comments and blank lines has no steps")
    func nothingToDo() throws {
        #expect(try Scripts.parse("# one\n\n# two\n").steps.isEmpty)
        #expect(try Scripts.parse("").steps.isEmpty)
    }

    @Test("carriage returns before newlines are no part of a line")
    func carriageReturns() throws {
        let file = try Scripts.parse("alice> help\r\n  one\r\n  two\r\n")

        #expect(file.steps[0].text == "alice> help")
        #expect(file.steps[0].golden?.lines == ["one", "two"])
    }

    @Test("what a command returns is data in later arguments, whatever it holds")
    func captures() throws {
        let file = try Scripts.parse("a> send \"hi\" as=$id\na> open $id\na> send \"$id\"")
        let commands = file.steps.compactMap { step in
            if case .perform(_, let command) = step.action { command } else { nil }
        }
        let values = ["id": "quit \" email=x"]

        #expect(commands[0].capture == "id")
        #expect(try commands[0].command(with: values) == Command(name: "send", positional: ["hi"]))
        #expect(try commands[1].command(with: values) == Command(name: "open", positional: ["quit \" email=x"]))
        #expect(try commands[2].command(with: values) == Command(name: "send", positional: ["$id"]))
    }

    @Test("a repeated step counts from one, at the place of its line, and has no golden block")
    func repetition() throws {
        let file = try Scripts.parse("# Many\nrepeat 3 a> send \"{number} of {number}\"\na> help\n  one")

        #expect(file.phases.map(\.steps.count) == [4])
        #expect(
            file.steps.map(\.text) == ["a> send \"1 of 1\"", "a> send \"2 of 2\"", "a> send \"3 of 3\"", "a> help"])
        #expect(file.steps.map(\.location.line) == [2, 2, 2, 3])
        #expect(file.steps.map { $0.golden?.lines } == [nil, nil, nil, ["one"]])
    }

    @Test("faults are read")
    func faults() throws {
        let text = "network> limit alice send 429 after=2s\nserver> expire-token bob chat"

        let file = try Scripts.parse(text)

        #expect(
            file.steps.map(\.action) == [
                .network(.limit(actor: "alice", operation: .send, status: 429, after: .seconds(2))),
                .server(.expireToken(actor: "bob", .chat)),
            ])
    }

    @Test(
        "what cannot be read is told with its place",
        arguments: [
            ("alice send hi", "a.scene:1:1: A line begins with `actor>`"),
            ("9lives> help", "a.scene:1:1: A line begins with `actor>`"),
            ("clock? scene Login", "a.scene:1:1: `clock` is no actor"),
            ("alice> ", "a.scene:1:7: There is no command here."),
            ("alice> send \"hi", "a.scene:1:13: This quote is not closed."),
            ("alice> send \"hi\"x", "a.scene:1:17: A blank is missing after the closing quote."),
            ("alice> send \"\\q\"", "a.scene:1:14: \\q means nothing."),
            ("alice> email=x", "a.scene:1:8: A line begins with a command"),
            ("alice> login email=a email=b", "a.scene:1:22: email= is given twice."),
            ("alice> open $room", "a.scene:1:13: Nothing is kept as $room before this line."),
            ("alice> send hi as=room", "a.scene:1:16: as= takes a name behind a $"),
            ("alice> send hi as=$a as=$b", "a.scene:1:22: as= is given twice."),
            ("a> send hi as=$x\na> $x", "a.scene:2:4: What was kept is data, never a command."),
            ("alice? ", "a.scene:1:7: A predicate is missing here."),
            ("alice? happy", "a.scene:1:8: There is no predicate `happy`."),
            ("alice? message /[/", "a.scene:1:16: This regular expression cannot be read"),
            ("alice? message /x", "a.scene:1:16: This regular expression is not closed."),
            ("alice? message //", "a.scene:1:16: This regular expression is empty"),
            ("alice? message \"x\" within=soon", "a.scene:1:20: within= takes a duration"),
            ("alice! message \"x\" within=2s", "a.scene:1:1: `alice!` takes no within="),
            ("repeat a> help", "a.scene:1:1: `repeat` takes a number and a step"),
            ("repeat 0 a> help", "a.scene:1:1: `repeat` takes a number and a step"),
            ("repeat 2", "a.scene:1:1: `repeat` takes a number and a step"),
            ("repeat 20000 a> help", "a.scene:1:1: With what it includes and repeats, the script has more than 20000"),
            ("repeat 2 repeat 2 a> help", "a.scene:1:10: Only a step can be repeated."),
            ("repeat 2 include \"b\"", "a.scene:1:10: Only a step can be repeated."),
            ("repeat 2 # x", "a.scene:1:10: Only a step can be repeated."),
            ("repeat 2 9lives> help", "a.scene:1:10: A line begins with `actor>`"),
            ("repeat 2 a> open $room", "a.scene:1:18: Nothing is kept as $room before this line."),
            ("repeat 2 a> help\n  golden", "a.scene:2:1: Indented lines stand directly below the step of an actor"),
            ("repeat> help", "a.scene:1:1: `repeat` is no actor"),
            ("request> a GET", "a.scene:1:1: A word is missing here."),
            ("request> 9 GET x", "a.scene:1:10: The name of an actor is needed here."),
            ("request> a FETCH x", "a.scene:1:12: One of these is needed here: GET, POST, PUT, DELETE."),
            ("request> a GET rooms $x", "a.scene:1:22: Nothing is kept as $x before this line."),
            ("request> a GET x from=$x", "a.scene:1:18: Nothing is kept as $x before this line."),
            ("request> a PUT x body=$x", "a.scene:1:18: Nothing is kept as $x before this line."),
            ("request> a GET x dir=b dir=f", "a.scene:1:24: `dir=` stands here twice."),
            ("request> a GET x status=1", "a.scene:1:18: A status from 200 to 599 is needed here."),
            ("request> a GET x\n  golden", "a.scene:2:1: Indented lines stand directly below the step of an actor"),
            ("clock> advance", "a.scene:1:1: `clock>` takes `advance` and a duration"),
            ("clock> advance 5", "a.scene:1:1: `clock>` takes `advance` and a duration"),
            ("clock> set 5s", "a.scene:1:1: `clock>` takes `advance` and a duration"),
            ("  golden", "a.scene:1:1: Indented lines stand directly below the step of an actor"),
            ("clock> advance 1s\n  golden", "a.scene:2:1: Indented lines stand directly below the step of an actor"),
            ("a> help\n\n  golden", "a.scene:3:1: Indented lines stand directly below the step of an actor"),
            ("a> help\n# x\n  golden", "a.scene:3:1: Indented lines stand directly below the step of an actor"),
            (" a> help", "a.scene:1:1: The lines of a golden block begin with two blanks"),
            ("\ta> help", "a.scene:1:1: The lines of a golden block begin with two blanks"),
            ("a> help\nset width=60", "a.scene:2:1: `set` stands before the first step."),
            ("set width=60\nset width=60", "a.scene:2:5: width= has been set already, at a.scene:1:5."),
            ("set width=wide", "a.scene:1:5: width= takes a number of columns"),
            ("set width=3", "a.scene:1:5: width= takes a number of columns"),
            ("set clock=now", "a.scene:1:5: clock= takes a time in UTC"),
            ("set zone=Mars/Olympus", "a.scene:1:5: This machine knows no zone of that name."),
            ("set deadline=0s", "a.scene:1:5: deadline= takes a duration"),
            ("set server=ftp://x", "a.scene:1:5: server= takes `embedded`, a name or a URL"),
            ("set colour=red", "a.scene:1:5: There is no setting colour="),
            ("set", "a.scene:1:1: `set` needs key=value."),
            ("set width", "a.scene:1:5: `set` takes key=value only."),
            ("include", "a.scene:1:1: `include` takes one file"),
            ("include \"none.scene\"", "a.scene:1:9: The script none.scene cannot be read."),
            ("include \"a.scene\"", "a.scene:1:9: a.scene includes itself"),
            ("network> jam alice", "a.scene:1:10: There is no such fault."),
            ("network> fail alice send", "a.scene:1:1: A word is missing here."),
            ("network> offline clock", "a.scene:1:18: The name of an actor is needed here."),
            ("network> fail alice singing 2", "a.scene:1:21: There is no such operation; there are signup, "),
            ("server> expire-token alice none", "a.scene:1:28: No such token."),
            ("server> restart now", "a.scene:1:17: Nothing more is taken here."),
            ("a> send \"\u{1B}[2J\"", "a.scene:1:10: A control character stands here. In quotes write \\u{1B} for it."),
        ])
    func errors(_ text: String, _ error: String) {
        let told = Scripts.error(text)

        #expect(told.hasPrefix(error), "\(told)")
    }

    @Test("a line that is not UTF-8 is told with its place")
    func notUTF8() {
        var scripts = Scripts([:])
        scripts.files["a.scene"] = Data("# x\n".utf8) + Data([0x61, 0x3E, 0x20, 0xFF, 0x0A])

        #expect(throws: ScriptError(SourceLocation(file: "a.scene", line: 2), "This line is not UTF-8.")) {
            try SceneParser.parse(path: "a.scene", source: scripts.source)
        }
    }

    @Test("an included file's lines stand in place of the line, with their own places")
    func include() throws {
        let scripts = Scripts([
            "tests/a.scene": "include \"parts/login.scene\"\nbob> open $room\n",
            "tests/parts/login.scene": "# In\ninclude \"../more.scene\"\nbob> send \"x\" as=$room\n  x\n",
            "tests/parts/../more.scene": "bob> help\n",
        ])

        let file = try SceneParser.parse(path: "tests/a.scene", source: scripts.source)

        #expect(
            file.steps.map(\.location.description) == [
                "tests/parts/../more.scene:1:1", "tests/parts/login.scene:3:1", "tests/a.scene:2:1",
            ])
        #expect(file.phases.map(\.title) == ["In"])
        #expect(file.steps[1].golden?.location == SourceLocation(file: "tests/parts/login.scene", line: 4))
        #expect(file.steps[2].golden == nil)
    }

    @Test("a cycle of includes is an error where it closes")
    func cycle() {
        let scripts = Scripts(["a": "include \"b\"", "b": "# x\ninclude \"c\"", "c": "include \"b\""])

        #expect(
            throws: ScriptError(
                SourceLocation(file: "c", line: 1, column: 9), "b includes itself: it is being read already.")
        ) {
            try SceneParser.parse(path: "a", source: scripts.source)
        }
    }

    @Test("files that include each other again and again end at a limit and not at the machine's memory")
    func avalanche() {
        var files = ["f12": String(repeating: "a> help\n", count: 50)]
        for index in 0..<12 { files["f\(index)"] = String(repeating: "include \"f\(index + 1)\"\n", count: 20) }
        let scripts = Scripts(files)

        let error = #expect(throws: ScriptError.self) { try SceneParser.parse(path: "f0", source: scripts.source) }

        #expect(error?.what.contains("more than 20000 lines") == true)
    }

    @Test("whatever is done to a script, it is read or refused at a place of it")
    func mutations() throws { try parse(mutations: 1_000) }

    func parse(mutations rounds: Int) throws {
        let seed = """
            # Title
            set width=60 deadline=5s clock=2026-01-05T09:00:00Z
            alice> signup name="Al \\u{1F44B}" email=a@b.c password=secret as=$x
              Contacts [..]
              ...

            alice? message /a[b-c]+ d/ from="Bob" count=1 state=sent within=2s
            clock> advance 1h30m
            repeat 3 bob! contact "{number}" online
            """
        let pieces = [
            "\"", "\\", "/", "=", "$x", "  ", "\n", "\t", "é", "\u{301}", "\u{0}", ">", "?", "#", "👨‍👩‍👧", "{",
            "9999999999999999999",
        ]
        var random = SplitMix64(state: 15)

        for _ in 0..<rounds {
            var text = Array(seed.unicodeScalars)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<text.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: text.remove(at: place)
                case 1: text.insert(contentsOf: (pieces.randomElement(using: &random) ?? "").unicodeScalars, at: place)
                default: text.removeSubrange(place..<min(text.count, place + Int.random(in: 0..<30, using: &random)))
                }
                if text.isEmpty { text = ["#"] }
            }
            let mutated = String(String.UnicodeScalarView(text))
            do throws(ScriptError) { _ = try Scripts.parse(mutated) } catch {
                let lines = mutated.split(separator: "\n", omittingEmptySubsequences: false)
                #expect((1...lines.count).contains(error.location.line), "\(error)")
                let line = lines[min(error.location.line, lines.count) - 1]
                #expect((1...line.count + 1).contains(error.location.column), "\(error)\n\(line)")
            }
        }
    }
}

@Suite("SceneParser, at length")
struct SceneParserSoakTests {
    @Test("whatever is done to a script, it is read or refused at a place of it")
    func mutations() throws { try SceneParserTests().parse(mutations: 4_000) }
}
