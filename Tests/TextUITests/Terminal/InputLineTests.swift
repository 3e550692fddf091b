import Scenes
import Testing

@testable import TextUI

@Suite("InputLine")
struct InputLineTests {
    private func send(_ text: String) -> InputLine { .command(Command(name: "send", positional: [text])) }

    @Test("in a chatroom a line is a message, as it is")
    func messages() {
        #expect(InputLine(typed: "hello \"there\" a=b", in: .chatroom) == send("hello \"there\" a=b"))
        #expect(InputLine(typed: "  indented", in: .chatroom) == send("  indented"))
        #expect(InputLine(typed: " /not a command", in: .chatroom) == send(" /not a command"))
        #expect(InputLine(typed: "# not a comment", in: .chatroom) == send("# not a comment"))
        #expect(InputLine(typed: "hello\r", in: .chatroom) == send("hello"))
    }

    @Test("in a chatroom / begins a command and // a message that begins with a slash")
    func slashes() {
        #expect(InputLine(typed: "/back", in: .chatroom) == .command(Command(name: "back")))
        #expect(InputLine(typed: "/send \"a b\"", in: .chatroom) == send("a b"))
        #expect(InputLine(typed: "//home/alice", in: .chatroom) == send("/home/alice"))
        #expect(InputLine(typed: "///", in: .chatroom) == send("//"))
        #expect(InputLine(typed: "/", in: .chatroom) == .fault(CommandSyntaxError(.empty, column: 2)))
        #expect(InputLine(typed: "/send \"a", in: .chatroom) == .fault(CommandSyntaxError(.unclosedQuote, column: 7)))
    }

    @Test("elsewhere a line is a command, with or without a slash", arguments: [SceneName.welcome, .listContacts])
    func elsewhere(scene: SceneName) {
        #expect(InputLine(typed: "open \"Bob\"", in: scene) == .command(Command(name: "open", positional: ["Bob"])))
        #expect(InputLine(typed: "/open 2", in: scene) == .command(Command(name: "open", positional: ["2"])))
        #expect(InputLine(typed: "open \"", in: scene) == .fault(CommandSyntaxError(.unclosedQuote, column: 6)))
    }

    @Test("a blank line does nothing", arguments: ["", "  ", "\t", "\r"])
    func blank(line: String) {
        #expect(InputLine(typed: line, in: .chatroom) == .nothing)
        #expect(InputLine(typed: line, in: .welcome) == .nothing)
        #expect(InputLine(script: line) == .nothing)
    }

    @Test("a pipe takes the grammar of the scripts, comments too")
    func script() {
        #expect(InputLine(script: "# a comment") == .nothing)
        #expect(InputLine(script: "  # a comment") == .nothing)
        #expect(InputLine(script: "send \"#1\"") == send("#1"))
        #expect(InputLine(script: "hello there") == .command(Command(name: "hello", positional: ["there"])))
        #expect(InputLine(script: "send \"a") == .fault(CommandSyntaxError(.unclosedQuote, column: 6)))
    }

    @Test("whatever is typed is something", arguments: 1...4)
    func generated(seed: UInt64) {
        var texts = TextGenerator(seed: seed)

        for _ in 0..<250 {
            let line = texts.next()
            if case .command(let command) = InputLine(typed: "//" + line, in: .chatroom), !line.hasSuffix("\r") {
                #expect(command.positional.first?.utf8.first == UInt8(ascii: "/"))
            }
            _ = InputLine(typed: "/" + line, in: .chatroom)
            _ = InputLine(script: line)
        }
    }
}
