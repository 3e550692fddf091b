import ChildProcesses
import Foundation
import Models
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Promise 7 on a real file system of 1 MiB. The same with injected faults runs everywhere: `DurabilityIntegrationTests`,
/// `FullDiskIntegrationTests`, `StoreCrashIntegrationTests`.
@Suite(
    "Small disk PromisesTests", .serialized,
    .enabled(if: SmallDisk.obstacle == nil, "\(SmallDisk.obstacle ?? "a small file system can be mounted")"))
struct SmallDiskPromisesTests {
    private struct Answer {
        var status: Int
        var json: JSONValue
        /// Refused since the disk is full, and said so.
        var isFull: Bool { [500, 507].contains(status) && (json["error"]?.string ?? "").contains("disk is full") }
    }

    /// A server whose data are on the disk, and somebody who talks to it.
    private final class Talk {
        let disk: SmallDisk
        private(set) var server: ChildProcess
        private var url = ""
        var token = ""
        var room = ""

        init(_ disk: SmallDisk) throws {
            self.disk = disk
            server = try Self.launch(disk)
        }

        deinit { server.kill(SIGKILL) }

        private static func launch(_ disk: SmallDisk) throws -> ChildProcess {
            let data = disk.folder.appendingPathComponent("data").path
            return try ChildProcess(
                ["serve", "--data", data, "--port", "0"], home: disk.folder, launcher: disk.launcher)
        }

        func restart() async throws {
            server.kill(SIGKILL)
            _ = await server.result()
            server = try Self.launch(disk)
        }

        /// Waits until it serves; false where it has ended instead.
        func serves() async -> Bool {
            guard await server.says("Words serves on ") else { return false }
            let words = server.errorSoFar.split { $0 == " " || $0 == "," || $0.isNewline }
            url = words.first { $0.hasPrefix("http://") }.map(String.init) ?? ""
            return true
        }

        func ask(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> Answer {
            var request = URLRequest(url: try #require(URL(string: "\(url)/_matrix/client/v3\(path)")))
            request.httpMethod = method
            request.httpBody = body?.serialized()
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            if !token.isEmpty { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
            let (data, response) = try await URLSession.shared.data(for: request)
            let status = (response as? HTTPURLResponse)?.statusCode ?? 0
            return Answer(status: status, json: (try? JSONValue(parsing: data)) ?? .null)
        }

        func say(_ transaction: String) async throws -> Answer {
            let text = String(repeating: "x", count: 4_000)
            return try await ask(
                "PUT", "/rooms/\(room)/send/m.room.message/\(transaction)",
                ["msgtype": "m.text", "body": .string(transaction + text)])
        }

        /// Says more and more until something is refused: what was acknowledged, and the first that was not.
        func fill(_ prefix: String) async throws -> (events: [String], refused: String, answer: Answer) {
            var events: [String] = []
            for number in 0..<1_000 {
                let answer = try await say("\(prefix)\(number)")
                guard answer.status == 200 else { return (events, "\(prefix)\(number)", answer) }
                events.append(answer.json["event_id"]?.string ?? "")
            }
            throw SmallDisk.Failure(description: "the disk is not full after 1,000 messages")
        }

        func storedMessages() async throws -> [String] {
            let page = try await ask("GET", "/rooms/\(room)/messages?dir=b&limit=1000")
            return (page.json["chunk"]?.array ?? []).filter { $0["type"] == "m.room.message" }
                .compactMap { $0["event_id"]?.string }
        }
    }

    @Test("a server on a full disk refuses and says why, loses nothing acknowledged, and goes on when there is room")
    func server() async throws {
        let disk = try SmallDisk()
        try disk.take("first", bytes: 128 * 1_024)
        try disk.take("second", bytes: 128 * 1_024)
        let talk = try Talk(disk)
        try #require(await talk.serves(), "\(talk.server.errorSoFar)")
        let account: JSONValue = ["username": "ann", "password": "secret-ann", "auth": ["type": "m.login.dummy"]]
        talk.token = try #require(await talk.ask("POST", "/register", account).json["access_token"]?.string)
        talk.room = try #require(await talk.ask("POST", "/createRoom", [:]).json["room_id"]?.string)

        let first = try await talk.fill("a")
        let whileFull = try await talk.storedMessages()
        let login = try await talk.ask(
            "POST", "/login", ["type": "m.login.password", "user": "ann", "password": "secret-ann"])
        disk.remove("first")
        let again = try await talk.say(first.refused)

        #expect(first.answer.isFull, "\(first.answer)")
        #expect(login.status == 200 || login.isFull, "\(login)")
        #expect(whileFull == first.events.reversed(), "reading goes on")
        #expect(again.status == 200, "there is room again")

        let second = try await talk.fill("b")
        try await talk.restart()
        // On a full disk it serves or says why not; with room it serves.
        if await !talk.serves() { #expect(await talk.server.result().error.contains("disk is full")) }
        disk.remove("second")
        try await talk.restart()
        try #require(await talk.serves(), "\(talk.server.errorSoFar)")
        let last = try await talk.say(second.refused)

        #expect(second.answer.isFull)
        let events = first.events + [again, last].compactMap { $0.json["event_id"]?.string }
        let stored = try await talk.storedMessages()
        #expect(Set(events + second.events).subtracting(stored) == [], "lost, though acknowledged")
        #expect(Set(stored).count == stored.count && stored.count == events.count + second.events.count)
    }

    @Test("a client on a full disk says so, does not fall, and goes on when there is room")
    func client() async throws {
        let house = try House()
        try await house.startServer()
        #expect(try await house.run("bob", "signup name=Bob email=bob@words.test password=secret-bob").status == 0)
        let disk = try SmallDisk()
        let home = disk.folder.appendingPathComponent("home").path
        func app() throws -> ChildProcess {
            try ChildProcess(["--server", house.url, "--home", home], home: disk.folder, launcher: disk.launcher)
        }
        let alice = try app()
        alice.write(
            "signup name=Alice email=alice@words.test password=secret-alice\nadd bob@words.test\nopen \"Bob\"\n")
        alice.write("send \"before\"\n")
        try #require(await alice.shows("Alice  before"), "\(alice.outputSoFar) \(alice.errorSoFar)")

        #expect(try disk.take("all") > 0)
        alice.write("send \"while it is full\"\n")
        // The message itself, and not only what else could not be kept: with room for it, it would be sent.
        let isSaid = await alice.shows("The message was not sent: The disk is full")
        disk.remove("all")
        alice.write("send \"after\"\n")
        let goesOn = await alice.shows("Alice  after")
        alice.closeInput()
        let result = await alice.result()
        let second = try app()
        second.write("open \"Bob\"\nscreen\n")
        second.closeInput()
        let resumed = await second.result()

        #expect(isSaid, "\(alice.outputSoFar)")
        #expect(goesOn, "\(result.output) \(result.error)")
        #expect(result.status == 1, "a command failed, and nothing else")
        #expect(resumed.status == 0, "\(resumed.error)")
        #expect(resumed.output.contains("Alice  before") && resumed.output.contains("Alice  after"))
        _ = await house.stopServer()
    }
}
