import Foundation
import Testing

@testable import words

@Suite("Invocation")
struct InvocationTests {
    private func message(_ arguments: [String]) -> String {
        do throws(UsageError) {
            _ = try Invocation.parse(arguments)
            return ""
        } catch { return error.message }
    }

    @Test("reads a verb with options before and behind it, and operands")
    func reads() throws {
        let run = try Invocation.parse(["--width", "60", "run", "a.scene", "--report=json", "--keep", "b.scene"])

        #expect(run.verb == .run)
        #expect(run.operands == ["a.scene", "b.scene"])
        #expect(run.options == ["width": ["60"], "report": ["json"], "keep": [""]])
        #expect(try Invocation.parse([]) == Invocation())
        #expect(try Invocation.parse(["--home", "run"]).verb == .chat)
    }

    @Test("what stands behind -- is an operand, whatever it looks like")
    func doubleHyphen() throws {
        #expect(try Invocation.parse(["run", "--", "--keep", "--help"]).operands == ["--keep", "--help"])
    }

    @Test("help and version win over all else, mistakes included")
    func helpAndVersion() throws {
        #expect(try Invocation.parse(["--help"]).request == .help(nil))
        #expect(try Invocation.parse(["-h"]).request == .help(nil))
        #expect(try Invocation.parse(["help"]).request == .help(nil))
        #expect(try Invocation.parse(["help", "serve"]).request == .help(.serve))
        #expect(try Invocation.parse(["run", "--frob", "--help"]).request == .help(.run))
        #expect(try Invocation.parse(["--version"]).request == .version)
    }

    @Test(
        "a mistake is told",
        arguments: [
            (["frob"], "There is no command `frob`: there are run, demo, serve and passwd."),
            (["serve", "--frob"], "There is no option `--frob`."),
            (["-x"], "There is no option `-x`."),
            (["run"], "Something is missing."),
            (["passwd", "a@b", "c"], "`c` is too much."),
            (["demo", "x"], "`x` is too much."),
            (["--width"], "--width needs a value: --width N."),
            (["--width="], "--width needs a value: --width N."),
            (["--trace=x"], "--trace takes no value."),
            (["--width", "60", "--width", "70"], "--width is given twice."),
            (["demo", "--update"], "--update is for words run."),
            (["serve", "--server", "http://x"], "--server is for words, words run, words demo."),
            (["--password=x"], "A password is never an argument: others on this machine can read those."),
            (
                ["serve", "--client-secret", "x"],
                "A secret is never an argument: put it into a file and name that with --client-secret-file."
            ),
            (["fr\u{1B}[2Job"], "There is no command `fr[2Job`: there are run, demo, serve and passwd."),
        ])
    func mistakes(_ arguments: [String], _ message: String) { #expect(self.message(arguments) == message) }

    @Test("an option may be given more than once only where that means something")
    func repeated() throws {
        let serve = try Invocation.parse(["serve", "--allow-origin", "a", "--allow-origin=b"])

        #expect(serve.values("allow-origin") == ["a", "b"])
        #expect(try serve.serverConfiguration().allowedOrigins == ["a", "b"])
    }

    @Test("a server's options and their defaults")
    func serverOptions() throws {
        let plain = try Invocation.parse(["serve", "--data", "/tmp/x"]).serverConfiguration()
        let other = try Invocation.parse([
            "serve", "--port", "0", "--host=::1", "--server-name", "chat.test", "--request-rate", "50",
        ]).serverConfiguration()

        #expect(plain.port == 8_000)
        #expect(plain.host == "127.0.0.1")
        #expect(plain.dataDirectory.path == "/tmp/x")
        #expect(plain.serverName == nil)
        #expect(plain.rateLimits.requestsPerAccount.burst == 60_000)
        #expect(other.port == 0)
        #expect(other.host == "::1")
        #expect(other.serverName == "chat.test")
        #expect(other.rateLimits.requestsPerAccount.burst == 6_000)
        #expect(throws: UsageError("--port takes a number from 0 to 65535.", .serve)) {
            try Invocation.parse(["serve", "--port", "65536"]).serverConfiguration()
        }
    }

    @Test(
        "a server's address must be one, and plain http stays on this machine",
        arguments: [
            ("http://127.0.0.1:8000", true), ("http://localhost", true), ("https://words.example/base", true),
            ("http://words.example", false), ("ftp://x", false), ("words.example", true), ("http://", false),
            ("https://me:secret@words.example", false), ("https://words.example?x=1", false),
        ])
    func serverURL(_ text: String, _ isGood: Bool) throws {
        let invocation = try Invocation.parse(["--server", text])

        #expect(((try? invocation.serverAddress()) != nil) == isGood)
    }

    @Test("the URL that a server names to clients is a plain one")
    func publicURL() throws {
        func configured(_ text: String) throws -> URL? {
            try Invocation.parse(["serve", "--public-url", text]).serverConfiguration().publicURL
        }

        #expect(try configured("https://words.example/base") == URL(string: "https://words.example/base"))
        #expect(throws: UsageError.self) { try configured("words.example") }
        #expect(throws: UsageError.self) { try configured("https://me:secret@words.example") }
    }

    @Test(
        "whoever serves others than this machine is warned that it is plain http, and of the names it answers to",
        arguments: [
            (["--host", "0.0.0.0"], true, true), (["--host", "192.0.2.7", "--allow-host", "chat.test"], true, false),
            (["--host", "127.0.0.1"], false, false), (["--host", "::1"], false, false), ([], false, false),
        ])
    @MainActor func warnings(_ arguments: [String], _ ofHTTP: Bool, _ ofNames: Bool) throws {
        let configuration = try Invocation.parse(["serve"] + arguments).serverConfiguration()

        let text = ServeCommand.warnings(of: configuration).joined(separator: "\n")

        #expect(text.contains("plain http") == ofHTTP)
        #expect(text.contains("--public-url") == ofHTTP)
        #expect(text.contains("--allow-host") == ofNames)
    }

    @Test("plain http to others takes --insecure")
    func insecure() throws {
        let url = try Invocation.parse(["--insecure", "--server", "http://words.example"]).serverAddress()

        #expect(url?.url == URL(string: "http://words.example"))
    }

    @Test("a client's secret comes from a file")
    func clientSecret() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data("s3cret\nmore\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }

        let options = try Invocation.parse(["--client-secret-file", file.path, "--client-id", "7"]).clientOptions()

        #expect(options.clientSecret?.reveal() == "s3cret")
        #expect(options.clientID == 7)
        #expect(throws: UsageError.self) {
            try Invocation.parse(["--client-secret-file", "/no/such/file"]).clientOptions()
        }
    }

    @Test("the limit of a message in a channel is a number that makes sense, 256 unless said otherwise")
    func messageLimit() throws {
        #expect(try Invocation.parse([]).clientOptions().messageLimit == 256)
        #expect(try Invocation.parse(["--message-limit", "1"]).clientOptions().messageLimit == 1)
        #expect(try Invocation.parse(["--message-limit=10000"]).clientOptions().messageLimit == 10_000)
        for wrong in ["0", "10001", "-1", "many"] {
            #expect(throws: UsageError("--message-limit takes a number from 1 to 10000.", .chat)) {
                try Invocation.parse(["--message-limit=\(wrong)"]).clientOptions()
            }
        }
    }

    @Test("the help names every option of every verb, and no line is wider than 120 columns")
    func help() {
        for verb in Verb.allCases {
            let text = HelpText.lines(of: verb).joined(separator: "\n")
            for option in Option.all(of: verb) { #expect(text.contains("--\(option.name)"), "\(verb) \(option.name)") }
            #expect(text.contains(verb.synopsis))
        }
        let overview = HelpText.lines(of: nil)
        for verb in Verb.allCases { #expect(overview.contains { $0.contains(verb.synopsis) }) }
        #expect((overview + Verb.allCases.flatMap(HelpText.lines)).allSatisfy { $0.count <= 120 })
    }
}
