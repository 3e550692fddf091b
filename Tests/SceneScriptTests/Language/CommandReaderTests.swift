import Testing
import TextUI

@testable import SceneScript

@Suite("CommandReader")
struct CommandReaderTests {
    private var reader = CommandReader()

    @Test("reads commands, passes over blank lines and comments")
    mutating func lines() throws {
        #expect(try reader.command(in: "send \"hi\"", number: 1) == Command(name: "send", positional: ["hi"]))
        #expect(try reader.command(in: "  ", number: 2) == nil)
        #expect(try reader.command(in: "# send x", number: 3) == nil)
        #expect(try reader.command(in: "\"#\"", number: 4) == Command(name: "#"))
    }

    @Test("what was returned stands for its name in later lines, as data")
    mutating func variables() throws {
        _ = try reader.command(in: "send hi as=$id", number: 1)
        try reader.keep("a \" b=c")

        let command = try reader.command(in: "send $id", number: 2)

        #expect(command == Command(name: "send", positional: ["a \" b=c"]))
    }

    @Test("a name that nothing was kept under is an error with its column, until something is")
    mutating func unknown() throws {
        var reader = reader
        let error = #expect(throws: ScriptError.self) { try reader.command(in: "send $id", number: 7) }
        _ = try reader.command(in: "send hi as=$id", number: 8)
        let empty = #expect(throws: ScriptError.self) { try reader.keep(nil) }

        #expect(error?.location == SourceLocation(file: "", line: 7, column: 6))
        #expect(empty?.what == "`send` returns nothing to keep as $id.")
    }
}
