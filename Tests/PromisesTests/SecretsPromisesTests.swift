import ChildProcesses
import Foundation
import Models
import Testing

@testable import Workers

/// Promise 8: passwords and tokens are in their one file and in the Authorization header, and nowhere else.
@Suite("Secrets PromisesTests", .serialized)
struct SecretsPromisesTests {
    private static let passwords = ["canary-first-1", "canary-second-2", "canary-wrong-3"]

    @Test(
        "under a mask of 000, no secret leaves its file: not in arguments, environment, output, traces or other files")
    func processes() async throws {
        let house = try House(mask: "000")
        try await house.startServer()
        #expect(try await house.run("bob", "signup name=Bob email=bob@words.test password=canary-wrong-3").status == 0)
        let app = try house.app("alice", "--trace")
        app.write(
            "signup name=Alice email=alice@words.test password=canary-first-1\nadd bob@words.test\nopen \"Bob\"\n")
        app.write("send \"hello\"\nback\npasswd current=canary-first-1 new=canary-second-2\nlogout\nconfirm\n")
        app.write("login email=alice@words.test password=canary-wrong-3\n")
        app.write("login email=alice@words.test password=canary-second-2\nopen \"Bob\"\nsend \"signed in again\"\n")
        try #require(await app.shows("Alice  signed in again\n"), "\(app.outputSoFar)")

        let tokens = house.tokens(of: "alice")
        let processes = try [app, #require(house.server)].flatMap { child in
            try ["cmdline", "environ"].map { name in
                let data = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(child.identifier)/\(name)"))
                return (String(decoding: data, as: UTF8.self), "\(name) of process \(child.identifier)")
            }
        }
        app.closeInput()
        let client = await app.result()
        let script = try await scripted(in: house)
        let server = try #require(await house.stopServer())

        #expect(tokens.count == 3)
        let texts =
            processes + [client, script, server].flatMap { [($0.output, "output"), ($0.error, "error output")] }
        for secret in tokens + Self.passwords {
            for (text, place) in texts { #expect(!text.contains(secret), "\(place)") }
        }
        #expect(client.output.contains("<redacted>") || client.error.contains("<redacted>"), "there were traces")
        try expectClosedFiles(of: house, secrets: tokens + Self.passwords)
    }

    /// The transcript and the trace of a script that bears passwords.
    private func scripted(in house: House) async throws -> ChildProcess.Result {
        let script = house.folder.appendingPathComponent("a.txt")
        try Data("a> signup name=A email=a@words.test password=canary-first-1\n".utf8).write(to: script)
        let result = try await ChildProcess.run(["run", "--trace", script.path], home: house.folder)
        try FileManager.default.removeItem(at: script)
        return result
    }

    private func expectClosedFiles(of house: House, secrets: [String]) throws {
        let files = house.files()
        #expect(files.count >= 8)
        for (url, mode) in files {
            #expect(mode & 0o077 == 0, "\(url.path) is open to others")
            guard let data = FileManager.default.contents(atPath: url.path) else { continue }
            for secret in secrets where url.lastPathComponent != "sessions.json" {
                #expect(data.range(of: Data(secret.utf8)) == nil, "\(url.path)")
            }
        }
        let sessions = house.home("alice").appendingPathComponent("session/sessions.json")
        let text = String(decoding: try Data(contentsOf: sessions), as: UTF8.self)
        for password in Self.passwords { #expect(!text.contains(password)) }
    }

    @Test("no request bears a secret in its address, nor a token outside of its header but to renew it")
    func requests() async throws {
        try await VirtualHouse.open { house in
            let (alice, bob, room) = try await house.pair()
            defer { withExtendedLifetime(bob) {} }
            try await alice.chat.send("hello", to: room)
            await alice.chat.markRead(room)
            try await house.server.expireTokens(.user, of: "alice@words.test")
            _ = try await alice.users.contacts()
            try await alice.users.changePassword(current: Secret("secret-alice"), new: Secret("secret-alice-2"))
            await alice.chat.disconnect()
            _ = await alice.users.logout()
            let requests = house.takeRequests()

            let tokens = Set(
                requests.compactMap { $0.header("Authorization")?.dropFirst("Bearer ".count) }.map(String.init))
            #expect(tokens.count >= 5)
            #expect(requests.contains { $0.operation == .refresh })
            for request in requests {
                let address = request.url.absoluteString
                let headers = request.headers.filter { $0.name != "Authorization" }.map(\.value).joined(separator: "\n")
                let body = String(decoding: request.body ?? Data(), as: UTF8.self)
                for token in tokens { #expect(!(address + headers + body).contains(token), "\(request.operation)") }
                #expect(!(address + headers).contains("secret-"), "\(request.operation)")
                let mayBearPassword = [.signup, .login, .password].contains(request.operation)
                #expect(mayBearPassword || !body.contains("secret-"), "\(request.operation)")
            }
        }
    }
}
