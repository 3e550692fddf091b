import Models
import Testing

@testable import TextUI

@Suite("Command")
struct CommandTests {
    @Test("words are separated by blanks, quotes hold them together, = names an argument")
    func grammar() throws {
        let command = try Command(parsing: "  signup\tname=\"Alice B\"  email=alice@words.test password=a=b \"x y\" z ")

        #expect(
            command
                == Command(
                    name: "signup", positional: ["x y", "z"],
                    named: ["name": "Alice B", "email": "alice@words.test", "password": "a=b"]))
    }

    @Test("escapes stand for what they name, within quotes only")
    func escapes() throws {
        let command = try Command(parsing: #"send "a\"b\\c\nd\te \u{1F44B}\u{0}" a\nb"#)

        #expect(command.positional == ["a\"b\\c\nd\te 👋\u{0}", "a\\nb"])
    }

    @Test("a quoted word is never split at =")
    func quotedEquals() throws {
        let command = try Command(parsing: #"send "a=b" as=$id text="x=\"y\"""#)

        #expect(command.positional == ["a=b"])
        #expect(command.named == ["as": "$id", "text": "x=\"y\""])
    }

    @Test("what does not begin like a name is no named argument")
    func noKeys() throws {
        let command = try Command(parsing: "send 1=2 =x é=1 http://a/?b=c a.b=c")

        #expect(command.positional == ["1=2", "=x", "é=1", "http://a/?b=c", "a.b=c"])
        #expect(command.named.isEmpty)
    }

    @Test("an empty quotation is a word")
    func emptyWord() throws {
        let command = try Command(parsing: #"send "" name="" other="#)

        #expect(command.positional == [""])
        #expect(command.named == ["name": "", "other": ""])
    }

    @Test("a line end of another system is a blank")
    func lineEnd() throws {
        #expect(try Command(parsing: "back\r\n") == Command(name: "back"))
    }

    @Test(
        "a broken line is told with its column",
        arguments: [
            ("", CommandSyntaxError(.empty, column: 1)),
            (" \t ", CommandSyntaxError(.empty, column: 1)),
            (#"send "abc"#, CommandSyntaxError(.unclosedQuote, column: 6)),
            (#"send "abc\"#, CommandSyntaxError(.unclosedQuote, column: 6)),
            (#"send "é👩‍👩‍👧"x"#, CommandSyntaxError(.afterQuote, column: 10)),
            (#"send a"b""#, CommandSyntaxError(.quoteInWord, column: 7)),
            (#"send name=a"b""#, CommandSyntaxError(.quoteInWord, column: 12)),
            (#"send "a\q""#, CommandSyntaxError(.unknownEscape("q"), column: 8)),
            (#"send "\u{D800}""#, CommandSyntaxError(.badScalar, column: 7)),
            (#"send "\u{110000}""#, CommandSyntaxError(.badScalar, column: 7)),
            (#"send "\u{}""#, CommandSyntaxError(.badScalar, column: 7)),
            (#"send "\u{+1}""#, CommandSyntaxError(.badScalar, column: 7)),
            (#"send "\u{-0}""#, CommandSyntaxError(.badScalar, column: 7)),
            (#"send "\u{1F44B""#, CommandSyntaxError(.badScalar, column: 7)),
            (#"send "\u1F44B""#, CommandSyntaxError(.badScalar, column: 7)),
            (#"login email=a email=b"#, CommandSyntaxError(.namedTwice("email"), column: 15)),
            (#"email=a login"#, CommandSyntaxError(.argumentFirst("email"), column: 1)),
        ])
    func errors(line: String, error: CommandSyntaxError) {
        #expect(throws: error) { try Command(parsing: line) }
        #expect(error.description.hasPrefix("column \(error.column): "))
    }

    @Test("what an error quotes of the line cannot command the terminal")
    func hostileError() {
        let error = #expect(throws: CommandSyntaxError.self) { try Command(parsing: "send \"\\\u{1B}[2J\"") }

        #expect(error?.message.unicodeScalars.contains("\u{1B}") == false)
    }

    @Test("a command prints with its passwords redacted and its source reads as the same command")
    func printing() throws {
        let line = #"login email=alice@words.test password="se cret""#
        let command = try Command(parsing: line)

        #expect(command.source == line)
        #expect("\(command)" == "login email=alice@words.test password=<redacted>")
        #expect(String(reflecting: command).contains("se cret") == false)
        var dumped = ""
        dump(command, to: &dumped)
        #expect(!dumped.contains("se cret"))
    }

    @Test("texts are quoted in the source as people write them")
    func source() {
        #expect(Command(name: "open", positional: ["Bob"]).source == #"open "Bob""#)
        #expect(Command(name: "open", positional: ["2"]).source == "open 2")
        #expect(Command(name: "add", positional: ["bob@words.test"]).source == "add bob@words.test")
        #expect(Command(name: "send", positional: ["a\u{1B}\n\"👨‍👩‍👧"]).source == #"send "a\u{1B}\n\"👨‍👩‍👧""#)
    }

    @Test("whatever is said comes back from its source; whatever is typed never crashes", arguments: 1...4)
    func generated(seed: UInt64) throws {
        var texts = TextGenerator(seed: seed)

        for _ in 0..<250 {
            let command = Command(
                name: "send", positional: [texts.next(), texts.next()],
                named: ["name": texts.next(), "as": texts.next()])
            let again = try Command(parsing: command.source)
            #expect(again.positional.map { Array($0.utf8) } == command.positional.map { Array($0.utf8) })
            #expect(again.named.mapValues { Array($0.utf8) } == command.named.mapValues { Array($0.utf8) })
            _ = try? Command(parsing: texts.next())
        }
    }
}
