import Foundation
import Models

/// A new client's first sync, as a whole process: Words against matrix-nio, on the same answers.
struct FirstSync: Benchmark {
    static let name = "first-sync"

    private static let liveRooms = 10
    private static let messages = 20

    private struct Case {
        var rooms: Int
        var size: Int
        var words: ChildRun
        var nio: ChildRun?
    }

    func run(_ setting: Setting, _ report: inout Report) throws {
        var section = Report.Section(
            title: "First sync",
            text: """
                A process from its start until all rooms are applied (Words: and stored on the disk), \(Self.messages) \
                messages in each room. Live: a homeserver's own. Replayed: the same answer, with its rooms multiplied, \
                from a server that does nothing else, so that what is measured is the client.
                """,
            columns: ["client", "rooms", "answer", "wall", "processor", "peak memory"])
        let server = try setting.python.map { try ServerProcess.synapse(python: $0) } ?? .words()
        defer { server.stop() }
        let (account, body) = try record(server)
        if setting.python != nil {
            section.rows += rows(
                try measure(setting, server, account, rooms: Self.liveRooms, size: body.count), "live, \(server.name)")
        }
        let recorded = try RecordedSync(body)
        var cases: [Case] = []
        for rooms in [200, 500, 2_000, 10_000] {
            let data = try recorded.data(rooms: rooms)
            let folder = try ServerProcess.makeFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appendingPathComponent("sync.json")
            try data.write(to: file)
            let replay = try ServerProcess.replay(file)
            defer { replay.stop() }
            let found = try measure(setting, replay, account, rooms: rooms, size: data.count)
            section.rows += rows(found, "replayed")
            section.rows.append(try decoding(setting, data, rooms))
            cases.append(found)
        }
        report.sections.append(section)
        judge(cases, &report)
    }

    /// An account in rooms with messages, and the answer to its first sync.
    private func record(_ server: ServerProcess) throws -> (Population.Account, [UInt8]) {
        let load = LoadGenerator(server.target)
        let population = try Population.make(load, people: 4, rooms: Self.liveRooms)
        for number in 0..<Self.messages {
            let calls = population.rooms.map { room in
                HTTPCall.message(
                    "Message \(number), of the length that messages have in a chat between people.", to: room,
                    transaction: "\(number)-\(room.dropFirst().prefix(12))",
                    population.accounts[number % population.accounts.count].token)
            }
            for answer in try load.askEach(calls) where answer.status != 200 {
                throw BenchError("a message was answered with \(answer.status)")
            }
        }
        let account = population.accounts[0]
        let filter = Population.encoded(#"{"room":{"timeline":{"limit":\#(Self.messages)}}}"#)
        let answer = try load.ask(.get("/_matrix/client/v3/sync?filter=\(filter)", account.token))
        guard answer.status == 200 else { throw BenchError("the first sync was answered with \(answer.status)") }
        return (account, answer.body)
    }

    private func measure(
        _ setting: Setting, _ server: ServerProcess, _ account: Population.Account, rooms: Int, size: Int
    ) throws -> Case {
        let url = server.url
        let words = try runs(setting, rooms) { home in
            [Executables.own, Child.firstSync.rawValue, home.path, url, account.id, account.token]
        }
        guard let python = setting.python, rooms <= 2_000 else { return Case(rooms: rooms, size: size, words: words) }
        // A slow peer is not asked as often: its figures differ by little.
        var fewer = setting
        fewer.repeats = min(setting.repeats, 3)
        let nio = try runs(fewer, rooms) { home in
            [python, Peer.script("nio_first_sync.py"), url, account.id, account.token, home.path]
        }
        return Case(rooms: rooms, size: size, words: words, nio: nio)
    }

    /// The run whose wall time is the median.
    private func runs(_ setting: Setting, _ rooms: Int, _ command: (_ home: URL) -> [String]) throws -> ChildRun {
        let found = try (0..<setting.repeats).map { _ in
            let home = try ServerProcess.makeFolder()
            defer { try? FileManager.default.removeItem(at: home) }
            let run = try ChildRun.measure(command(home))
            guard run.status == 0, run.output.contains("\(rooms) rooms") else {
                throw BenchError("a client of \(rooms) rooms says: \(run.output.suffix(300))")
            }
            return run
        }.sorted { $0.wall < $1.wall }
        return found[found.count / 2]
    }

    private func rows(_ found: Case, _ kind: String) -> [[String]] {
        func row(_ client: String, _ run: ChildRun) -> [String] {
            [
                "\(client), \(kind)", Figure.number(Double(found.rooms)), Figure.mebibytes(found.size),
                Figure.milliseconds(run.wall.milliseconds), Figure.milliseconds(run.processor.milliseconds),
                Figure.mebibytes(run.peakMemory),
            ]
        }
        return [row("Words", found.words)] + (found.nio.map { [row("matrix-nio", $0)] } ?? [])
    }

    /// The client's own limit: nothing but decoding what it needs of the same bytes.
    private func decoding(_ setting: Setting, _ data: Data, _ rooms: Int) throws -> [String] {
        let taken = medianOf(setting.repeats) {
            timed {
                let batch = MatrixShapes.Sync(data)
                for part in batch?.parts() ?? [] { _ = batch?.rooms(in: part) }
            }.milliseconds
        }
        return [
            "decoding alone", Figure.number(Double(rooms)), Figure.mebibytes(data.count), Figure.milliseconds(taken),
            "",
            "",
        ]
    }

    private func judge(_ cases: [Case], _ report: inout Report) {
        if let both = cases.first(where: { $0.rooms == 2_000 }), let nio = both.nio {
            let faster = nio.wall / both.words.wall
            let memory = Double(both.words.peakMemory) / Double(nio.peakMemory)
            report.targets.append(
                .init(
                    what: "first sync of 2,000 rooms, against matrix-nio", wanted: "≥ 10 × faster",
                    reached: Figure.times(faster), isMet: faster >= 10))
            report.targets.append(
                .init(
                    what: "its memory", wanted: "≤ 0.5 ×", reached: Figure.times(memory), isMet: memory <= 0.5))
        }
        if let small = cases.first(where: { $0.rooms == 200 }), let large = cases.first(where: { $0.rooms == 2_000 }) {
            report.growths.append(
                .init(
                    what: "first sync, wall", from: "200 rooms", times: 10, taken: large.words.wall / small.words.wall))
        }
        guard let small = cases.first(where: { $0.rooms == 2_000 }), let large = cases.last else { return }
        let growth = large.words.wall / small.words.wall / (Double(large.rooms) / Double(small.rooms))
        report.targets.append(
            .init(
                what: "first sync from 2,000 to 10,000 rooms, per room", wanted: "linear (≤ 1.2 ×)",
                reached: Figure.times(growth), isMet: growth <= 1.2))
    }
}
