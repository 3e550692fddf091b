import ChildProcesses
import Foundation
import Models
import Testing

/// The built executable, started as people start it.
@Suite("words EndToEndTests", .serialized)
final class WordsEndToEndTests {
    private let home = FileManager.default.temporaryDirectory.appendingPathComponent("words-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: home) }

    private func run(_ arguments: String..., input: String = "", environment: [String: String] = [:]) async throws
        -> ChildProcess.Result
    {
        try await ChildProcess.run(arguments, input: input, home: home, environment: environment)
    }

    private func script(_ text: String, _ name: String = "a.scene") throws -> String {
        let path = home.appendingPathComponent(name).path
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func text(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }

    @Test("help and version are answered on standard output, and leave nothing on the disk")
    func helpAndVersion() async throws {
        let help = try await run("--help")
        let version = try await run("--version")
        let ofRun = try await run("run", "--help")

        #expect(help.status == 0 && help.output.contains("words run") && help.error.isEmpty)
        #expect(version.status == 0 && version.output == "words 1.0.0\n")
        #expect(ofRun.status == 0 && ofRun.output.hasPrefix("usage: words run"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == [])
    }

    @Test("a mistake in the command line is told with a usage line, and nothing else happens")
    func usageErrors() async throws {
        for arguments in [["--frob"], ["frob"], ["run"], ["serve", "--port", "x"], ["--server", "ftp://nowhere"]] {
            let result = try await ChildProcess.run(arguments, home: home)

            #expect(result.status == 2, "\(arguments)")
            #expect(result.output.isEmpty, "\(arguments)")
            #expect(result.error.hasPrefix("words: ") && result.error.contains("\nusage: words"), "\(result.error)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == [])
    }

    @Test("the demo is a conversation")
    func demo() async throws {
        let result = try await run("demo")

        #expect(result.status == 0, "\(result.error)")
        #expect(result.output.contains("Bob is typing"))
        #expect(!result.output.contains("correct-horse"))
    }

    @Test("a script passes or fails with its code, a difference with a diff on standard error")
    func scripts() async throws {
        let signup = "a> signup name=\"A\" email=a@b.test password=hush-hush-1\n"
        let good = try await run("run", try script(signup + "  Contacts\n  ...\n"))
        let bad = try await run("run", try script(signup + "  Kontakte\n  ...\n"))
        let broken = try await run("run", try script("a> signup\n\n oops"))
        let late = try await run("run", try script(signup + "a? contact Bob within=200ms\n"))
        let missing = try await run("run", "/no/such.scene")

        #expect(good.status == 0, "\(good.error)")
        #expect(good.output.contains("password=<redacted>\n  Contacts\n"))
        #expect(bad.status == 1)
        #expect(bad.error.contains("a.scene:2:1: a: What was printed differs."))
        #expect(bad.error.contains("\n-Kontakte\n+Contacts\n"))
        #expect(broken.status == 2)
        #expect(broken.error.contains("a.scene:3:1: "))
        #expect(late.status == 3)
        #expect(late.error.contains("screen of a:\n  Contacts"))
        #expect(missing.status == 2)
    }

    @Test("an update makes a script pass, a second one changes nothing, and CI forbids both")
    func update() async throws {
        let path = try script("# T\na> help\n  [..]\n  ?\n\n# End\n")
        let before = text(path)

        let forbidden = try await run("run", "--update", path, environment: ["CI": "true"])
        #expect(forbidden.status == 2)
        #expect(text(path) == before)

        #expect(try await run("run", "--update", path).status == 0)
        let first = text(path)
        #expect(try await run("run", path).status == 0)
        #expect(try await run("run", "--update", path).status == 0)
        #expect(text(path) == first)
        #expect(first.hasPrefix("# T\na> help\n  [..]\n") && first.hasSuffix("\n\n# End\n"))
    }

    @Test("a report stands alone on standard output")
    func report() async throws {
        let path = try script("# T\na> help\n  ?\n")

        let json = try await run("run", "--report", "json", path)
        let xml = try await run("run", "--report=junit", path)

        let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        #expect(object?["exit"] as? Int == 1)
        #expect(json.status == 1)
        #expect(xml.output.hasPrefix("<?xml") && xml.output.hasSuffix("</testsuites>\n"))
    }

    @Test("a trace is on standard error, and a password in neither")
    func trace() async throws {
        let path = try script("a> signup name=\"A\" email=a@b.test password=hush-hush-1\n")

        let result = try await run("run", "--trace", path)

        #expect(result.error.contains("a Signup.Account.Request("))
        #expect(!(result.output + result.error).contains("hush-hush-1"))
    }

    @Test("a pipe signs up; the next one is signed in already")
    func resume() async throws {
        let first = try await run(input: "signup name=\"Al\" email=al@b.test password=hush-hush-1\n")
        let second = try await run(input: "# who am I\nscreen\n")
        let third = try await run(input: "")

        #expect(first.status == 0 && first.output.contains("Contacts"), "\(first)")
        #expect(second.status == 0 && second.output.contains("Contacts"), "\(second)")
        #expect(third.status == 0, "\(third)")
        #expect(![second, third].contains { $0.output.contains("login to sign in") })
        // Foundation would leave folders of its own beside ours.
        let share = home.appendingPathComponent(".local/share").path
        #expect(try FileManager.default.contentsOfDirectory(atPath: share) == ["words"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == [".local"])
    }

    @Test("a pipe ends with 1 where a command has failed, and says in which line one could not be read")
    func failingCommands() async throws {
        let refused = try await run(input: "login email=a@b.test password=hush-hush-1\n")
        let unknown = try await run(input: "frob\n")
        let unreadable = try await run(input: "help\nsend \"x\n")
        let variable = try await run(input: "help as=$x\nopen $y\n")

        #expect(refused.status == 1 && refused.output.contains("! "), "\(refused)")
        #expect(unknown.status == 1 && unknown.output.contains("no command frob"), "\(unknown)")
        #expect(unreadable.status == 1 && unreadable.error.contains("line 2, column 6: "), "\(unreadable)")
        #expect(
            variable.status == 1 && variable.error.contains("line 2, column 6: Nothing is kept as $y"), "\(variable)")
    }

    @Test("a message in a channel may be as long as the command line says")
    func messageLimit() async throws {
        let input = """
            signup name="Al" email=al@b.test password=hush-hush-1
            channels
            open "General Channel"
            send "abc"
            send "abcd"

            """

        let result = try await run("--message-limit", "3", input: input)

        #expect(result.status == 1)
        #expect(result.output.contains("Al  abc\n") && !result.output.contains("Al  abcd"), "\(result.output)")
        #expect(result.output.contains("it has 4 characters, and one here may have 3."), "\(result.output)")
    }

    @Test("what is closed is not written to, and the code tells")
    func closedOutput() async throws {
        let path = try script("a> help\n")

        let result = try await ChildProcess.run(["run", path], home: home, closesOutput: true)

        #expect(result.status == 141, "\(result)")
    }

    @Test(
        "what cannot be written is told on standard error, and the code tells",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")), arguments: ["help", "run", "pipe"])
    func fullDisk(what: String) async throws {
        let arguments = ["help": ["--help"], "run": ["run", try script("a> help\n")]][what] ?? []
        let child = try ChildProcess(
            arguments, home: home, launcher: ["sh", "-c", "exec \"$@\" > /dev/full", "sh"])
        child.write("help\n")
        child.closeInput()

        let result = await child.result()

        #expect(result.status == 1, "\(result)")
        let lines = result.error.split(separator: "\n").filter {
            $0.contains("Standard output cannot be written: No space")
        }
        #expect(lines.count == 1, "\(result)")
    }

    @Test("a signal ends a pipe that still waits for input")
    func interrupted() async throws {
        let child = try ChildProcess([], home: home)
        #expect(await child.shows("login to sign in"))

        child.kill(SIGINT)

        #expect(await child.result().status == 130)
    }

    @Test("a signal ends a run, and nothing of it stays behind")
    func interruptedRun() async throws {
        let path = try script("set deadline=1m\na> help\na? contact Bob\n")
        let parent = home.appendingPathComponent("runs")
        let child = try ChildProcess(["run", "--home", parent.path, path], home: home)
        #expect(await child.shows("a> help"))

        child.kill(SIGTERM)

        #expect(await child.result().status == 143)
        #expect(try FileManager.default.contentsOfDirectory(atPath: parent.path) == [])
    }

    @Test("two processes share one server; when the one that serves is killed, the other carries on")
    func takeOver() async throws {
        let (first, second) = (home.appendingPathComponent("1").path, home.appendingPathComponent("2").path)
        let data = home.appendingPathComponent("data").path
        let alice = try ChildProcess(["--home", first, "--data", data], home: home)
        alice.write("signup name=\"Alice\" email=alice@b.test password=hush-hush-1\n")
        #expect(await alice.shows("Contacts"))
        let bob = try ChildProcess(["--home", second, "--data", data], home: home)
        bob.write(
            "signup name=\"Bob\" email=bob@b.test password=hush-hush-1\nadd alice@b.test\nopen Alice\nsend \"one\"\n")
        #expect(await bob.shows("Bob  one"))
        #expect(await alice.shows("Bob is now a contact"))

        alice.kill(SIGKILL)
        _ = await alice.result()
        bob.write("send \"two\"\n")
        #expect(await bob.shows("Bob  two"))
        let again = try ChildProcess(["--home", first, "--data", data], home: home)
        again.write("open Bob\nsend \"three\"\n")
        #expect(await again.shows("Bob  two"))
        #expect(await bob.shows("Alice  three"))
        bob.closeInput()
        again.closeInput()

        #expect(await bob.result().status == 0)
        #expect(await again.result().status == 0)
    }

    @Test("a server on its own says where it is, stops when it is asked to, and is alone on its data")
    func serve() async throws {
        let data = home.appendingPathComponent("data").path
        let server = try ChildProcess(["serve", "--port", "0", "--data", data], home: home)
        #expect(await server.says("Words serves on http://127.0.0.1:"))

        let second = try await run("serve", "--port", "0", "--data", data)
        let client = try await run("--data", data, input: "signup name=\"Al\" email=al@b.test password=hush-hush-1\n")
        let passwd = try await run("passwd", "--data", data, "al@b.test", input: "hush-hush-2\n")
        server.kill(SIGTERM)
        let end = await server.result()
        let login = try await run("--data", data, input: "login email=al@b.test password=hush-hush-2\n")

        #expect(second.status == 4 && second.error.contains("already serves"), "\(second)")
        #expect(client.status == 0, "\(client)")
        #expect(passwd.status == 0 && passwd.output.isEmpty, "\(passwd)")
        #expect(end.status == 0 && end.output.isEmpty, "\(end)")
        #expect(login.status == 0, "\(login)")
    }

    @Test("a script plays against a server elsewhere, also for the second time")
    func remote() async throws {
        let data = home.appendingPathComponent("data")
        let server = try ChildProcess(["serve", "--port", "0", "--data", data.path], home: home)
        #expect(await server.says("Words serves on http://127.0.0.1:"))
        let endpoint = try JSONSerialization.jsonObject(with: Data(contentsOf: data.appendingPathComponent("endpoint")))
        let url = try #require((endpoint as? [String: Any])?["url"] as? String)
        let path = try script(
            """
            # They meet
            alice> signup name="Alice" email=alice@b.test password=hush-hush-1
            bob> signup name="Bob" email=bob@b.test password=hush-hush-1
            alice> add bob@b.test
            bob? contact "Alice"
            alice> open "Bob"
            alice> send "hello"
              09:00  Alice  hello
            bob> open "Alice"
            bob? message "hello" count=1
            bob> typing
            alice? typing "Bob"
            # Later
            clock> advance 6s
            alice! typing "Bob"
            """)

        for _ in 0..<2 {
            let result = try await run("run", "--server", url, path)

            #expect(result.status == 0, "\(result.output)\(result.error)")
            #expect(result.error.contains("skipped: line 14 needs the in-process server"))
        }
        server.kill(SIGTERM)
        _ = await server.result()
        let gone = try await run("run", "--server", url, path)
        #expect(gone.status == 4)
    }
}
