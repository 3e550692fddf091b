import ChildProcesses
import Foundation
import Models
import Server
import Testing

@testable import Workers

/// Promises 9 and 10 over whole processes: sessions end where they are to end, and nowhere else.
@Suite("Sessions PromisesTests", .serialized)
struct SessionPromisesTests {
    private func status(of token: String, at url: String) async throws -> Int {
        let request = TransportRequest(
            operation: .user, method: "GET", url: try #require(URL(string: "\(url)/api/user")),
            headers: [("Authorization", "Bearer \(token)")], deadline: .seconds(30))
        return try await URLSessionTransport(environment: .live()).perform(request).status
    }

    @Test("logging out ends the session on the server and takes it, and all that was kept, from the disk")
    func logout() async throws {
        let house = try House()
        try await house.startServer()
        #expect(
            try await house.run("alice", "signup name=Alice email=alice@words.test password=secret-alice").status == 0)
        let token = try #require(house.tokens(of: "alice").last { _ in true })
        var before = Set<Int>()
        for token in house.tokens(of: "alice") { before.insert(try await status(of: token, at: house.url)) }

        let result = try await house.run("alice", "logout", "confirm")

        #expect(result.status == 0, "\(result.output) \(result.error)")
        #expect(before.contains(200))
        #expect(try await status(of: token, at: house.url) == 401)
        #expect(house.tokens(of: "alice") == [])
        let kept = house.files().map(\.url).filter { $0.path.contains("/home-alice/store/") }
        #expect(kept == [])
        let again = try await house.run("alice", "screen")
        #expect(again.output.hasPrefix("Words\n"), "\(again.output)")
    }

    @Test("two processes of one home that have to renew at once: both go on, and so does the next")
    func renewals() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("words-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let configuration = ServerConfiguration(
            dataDirectory: folder.appendingPathComponent("data"), passwordCost: .low)
        let server = try EmbeddedServer(configuration: configuration, environment: .live())
        let url = try await server.start().absoluteString
        let arguments = ["--server", url, "--home", folder.appendingPathComponent("home").path]
        let first = try await ChildProcess.run(
            arguments, input: "signup name=Alice email=alice@words.test password=secret-alice\n", home: folder)
        #expect(first.status == 0, "\(first.error)")

        for round in 0..<Soak.size(4, full: 40) {
            try await server.expireTokens(.user, of: "alice@words.test")
            if round % 2 == 1 { try await server.expireTokens(.chat, of: "alice@words.test") }
            async let one = ChildProcess.run(arguments, input: "refresh\nscreen\n", home: folder)
            async let other = ChildProcess.run(arguments, input: "refresh\nscreen\n", home: folder)
            for result in [try await one, try await other] {
                #expect(result.status == 0, "\(result.output)\(result.error)")
                #expect(result.output.hasPrefix("Contacts\n"))
                #expect(!result.output.contains("Sign in"), "a session was lost")
            }
        }
        await server.stop()
    }

    @Test("a server that is down is no logout: what is stored is shown, and the session is there when it is back")
    func serverDown() async throws {
        let house = try House()
        try await house.startServer()
        #expect(
            try await house.run("alice", "signup name=Alice email=alice@words.test password=secret-alice").status == 0)
        let before = house.tokens(of: "alice")
        await house.killServer()

        let offline = try await house.run("alice", "screen")
        let during = house.tokens(of: "alice")
        try await house.startServer()
        let online = try await house.run("alice", "screen")

        #expect(offline.output.hasPrefix("Contacts\n") && offline.output.contains("Offline"), "\(offline.output)")
        #expect(offline.status == 4 && offline.error.contains("The server cannot be reached."), "\(offline)")
        #expect(online.status == 0 && online.error == "", "\(online)")
        #expect(during == before)
        #expect(online.output.hasPrefix("Contacts\n") && !online.output.contains("Offline"), "\(online.output)")
    }
}
