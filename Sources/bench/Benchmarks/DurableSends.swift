import Foundation
import SQLite

/// Messages per second that are acknowledged, so on the disk, with many senders who each wait for their answer.
struct DurableSends: Benchmark {
    static let name = "sends"

    private struct Load: Equatable {
        var senders: Int
        var rooms: Int
    }

    private struct Result {
        var rate: Double
        var latency: Sample
    }

    private static let loads = [1, 16].flatMap { rooms in [1, 16, 64].map { Load(senders: $0, rooms: rooms) } }
    private static let hardest = Load(senders: 64, rooms: 16)
    private static let blame = """
        — A message changes six b-trees, two of them in random places, where the bare insert appends to one. Of the \
        server's samples 52 % are of the database's thread (24 % the kernel's writes, 17 % SQLite, 11 % allocating and \
        binding), 17 % the kernel's sockets.
        """

    func run(_ setting: Setting, _ report: inout Report) throws {
        var section = Report.Section(
            title: "Durable sends",
            text: """
                Each sender has a connection, and sends its next message once the last is acknowledged. Bare insert: the \
                same body into a table by the same HTTP server and group commit, without anything of a homeserver. \
                SQLite: one thread, `synchronous=FULL`, so many inserts in each transaction as there are senders.
                """,
            columns: ["server", "senders", "rooms", "messages/s", "p50", "p99"])
        var hardest: [String: Double] = [:]
        try setting.withEachServer { name, load, _ in
            let population = try Population.make(
                load, people: 64, rooms: 16, isMember: { person, room in room == 0 || room == person % 16 })
            var rates: [Double] = []
            for kind in Self.loads {
                let result = try measure(setting, load, kind) { sender, room, transaction in
                    .message(
                        "hello", to: population.rooms[room], transaction: transaction,
                        population.accounts[sender].token)
                }
                section.rows.append(row(name, kind, result))
                if kind.rooms == 16 { rates.append(result.rate) }
                if kind == Self.hardest { hardest[name] = result.rate }
            }
            report.growths.append(
                .init(
                    what: "messages/s, 16 rooms, \(name)", from: "1 sender", times: 16, taken: rates[1] / rates[0]))
        }
        if setting.target == nil {
            let server = try ServerProcess.bareInsert()
            defer { server.stop() }
            let body = #"{"msgtype":"m.text","body":"hello"}"#
            let result = try measure(setting, LoadGenerator(server.target), Self.hardest) { _, _, transaction in
                .put("/_matrix/\(transaction)", "token", body)
            }
            section.rows.append(row("bare insert", Self.hardest, result))
            hardest["bare insert"] = result.rate
            for senders in [1, 16, 64] {
                let rate = try medianOf(setting.repeats) { try sqlite(perTransaction: senders) }
                section.rows.append(["SQLite", "\(senders)", "", Figure.number(rate), "", ""])
            }
        }
        report.sections.append(section)
        judge(hardest, &report)
    }

    private func judge(_ rates: [String: Double], _ report: inout Report) {
        guard let words = rates["Words"] else { return }
        if let synapse = rates["Synapse"] {
            report.targets.append(
                .init(
                    what: "durable sends, 64 senders in 16 rooms, against Synapse", wanted: "≥ 100 ×",
                    reached: Figure.times(words / synapse), isMet: words >= 100 * synapse, blame: Self.blame))
        }
        if let bare = rates["bare insert"] {
            report.targets.append(
                .init(
                    what: "durable sends, against a bare insert per request", wanted: "≥ 0.33 ×",
                    reached: Figure.times(words / bare), isMet: 3 * words >= bare, blame: Self.blame))
        }
    }

    private func row(_ name: String, _ load: Load, _ result: Result) -> [String] {
        [
            name, "\(load.senders)", "\(load.rooms)", Figure.number(result.rate),
            Figure.milliseconds(result.latency.median), Figure.milliseconds(result.latency.percentile(99)),
        ]
    }

    /// Medians of the repeats, each over a second and a half, after one that does not count.
    private func measure(
        _ setting: Setting, _ load: LoadGenerator, _ kind: Load,
        _ call: (_ sender: Int, _ room: Int, _ transaction: String) -> HTTPCall
    ) throws -> Result {
        try load.open(kind.senders)
        var rates: [Double] = []
        var latencies: [Double] = []
        for turn in 0...setting.repeats {
            var sent = 0
            var answered = 0
            var isOver = false
            let start = ContinuousClock.now
            var last = start
            func send(_ sender: Int) throws {
                sent += 1
                let transaction = "\(kind.senders)-\(kind.rooms)-\(turn)-\(sent)"
                try load.send(call(sender, sender % kind.rooms, transaction), on: sender)
            }
            func take(_ sender: Int, _ answer: HTTPAnswer) throws {
                guard answer.status == 200 else { throw BenchError("a message was answered with \(answer.status)") }
                answered += 1
                last = answer.arrivedAt
                if turn > 0 { latencies.append(answer.latency.milliseconds) }
                if !isOver { try send(sender) }
            }
            for sender in 0..<kind.senders { try send(sender) }
            try load.run(for: turn == 0 ? .milliseconds(300) : .milliseconds(1_500), take)
            isOver = true
            try load.run(for: .seconds(60), until: { answered == sent }, take)
            if turn > 0 { rates.append(Double(answered) / start.duration(to: last).seconds) }
        }
        return Result(rate: Sample(rates).median, latency: Sample(latencies))
    }

    private func sqlite(perTransaction size: Int) throws -> Double {
        let folder = try ServerProcess.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let connection = try SQLiteConnection(path: folder.appendingPathComponent("plain.db").path)
        try connection.execute(
            """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
            CREATE TABLE plain (id INTEGER PRIMARY KEY, body BLOB)
            """)
        let body = Array(#"{"msgtype":"m.text","body":"hello"}"#.utf8)
        var count = 0
        let start = ContinuousClock.now
        while start.duration(to: .now) < .milliseconds(700) {
            try connection.transaction {
                for _ in 0..<size { try connection.run("INSERT INTO plain (body) VALUES (?)", body) }
            }
            count += size
        }
        return Double(count) / start.duration(to: .now).seconds
    }
}
