import Foundation

/// A whole process that sends one message: log in, send, quit.
struct OneShot: Benchmark {
    static let name = "one-shot"

    private static let password = "not a secret 1"

    func run(_ setting: Setting, _ report: inout Report) throws {
        let server = try ServerProcess.words()
        defer { server.stop() }
        let folder = try ServerProcess.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let load = LoadGenerator(server.target)
        let owner = try Population.signUp(1, load)[0]
        let room = try load.ask(
            .post(
                "/_matrix/client/v3/createRoom", owner.token,
                #"{"preset":"public_chat","visibility":"public","name":"Bench"}"#)
        ).decoded(Population.CreatedRoom.self).room_id

        let words = try self.words(setting, server.url, folder)
        var rows = [row("`words` in a pipe: log in, send, quit", words)]
        if let python = setting.python {
            let commander = try self.commander(setting, python, server.url, owner.id, room, folder)
            rows.append(row("matrix-commander, logged in before: send", commander))
            let faster = commander / words
            report.targets.append(
                .init(
                    what: "one-shot pipe, against matrix-commander", wanted: "≥ 10 × faster",
                    reached: Figure.times(faster), isMet: faster >= 10))
        }
        report.sections.append(
            Report.Section(
                title: "One message by one process",
                text: "On the embedded server, from the start of the process to its end; each message is acknowledged.",
                columns: ["", "wall"], rows: rows))
    }

    private func row(_ what: String, _ wall: Double) -> [String] { [what, Figure.milliseconds(wall)] }

    private func words(_ setting: Setting, _ url: String, _ folder: URL) throws -> Double {
        let program = Executables.beside("words")
        func pipe(_ lines: [String]) throws -> ChildRun {
            let home = try ServerProcess.makeFolder()
            defer { try? FileManager.default.removeItem(at: home) }
            let run = try ChildRun.measure(
                [program, "--server", url, "--home", home.path], input: lines.joined(separator: "\n") + "\n")
            guard run.status == 0 else { throw BenchError("the pipe says: \(run.output.suffix(300))") }
            return run
        }
        _ = try pipe([
            #"signup name="Anna" email=anna@example.org password="\#(Self.password)""#, "channels", "join Bench",
            "quit",
        ])
        return try medianOf(setting.repeats) {
            let lines = [
                #"login email=anna@example.org password="\#(Self.password)""#, "channels", "open Bench", "send hello",
                "quit",
            ]
            return try pipe(lines).wall.milliseconds
        }
    }

    private func commander(
        _ setting: Setting, _ python: String, _ url: String, _ user: String, _ room: String, _ folder: URL
    ) throws -> Double {
        let program = URL(fileURLWithPath: python).deletingLastPathComponent().appendingPathComponent(
            "matrix-commander")
        let files = ["-c", folder.path + "/credentials.json", "-s", folder.path + "/store", "--no-ssl"]
        let login = try ChildRun.measure(
            [program.path] + files + [
                "--login", "password", "--homeserver", url, "--user-login", user, "--password", Self.password,
                "--device",
                "bench", "--room-default", room,
            ])
        guard login.status == 0 else { throw BenchError("matrix-commander: \(login.output.suffix(300))") }
        return try medianOf(setting.repeats) {
            let run = try ChildRun.measure([program.path] + files + ["-m", "hello"])
            guard run.status == 0 else { throw BenchError("matrix-commander: \(run.output.suffix(300))") }
            return run.wall.milliseconds
        }
    }
}
