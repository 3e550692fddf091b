import Foundation

/// How long it takes from sending a message until everybody else in the room has it.
struct SendToSeen: Benchmark {
    static let name = "seen"

    func run(_ setting: Setting, _ report: inout Report) throws {
        var section = Report.Section(
            title: "Send to seen",
            text: """
                One person sends, the others each hold a long poll. From the moment the request is written until the \
                answer of a receiver's poll is whole.
                """,
            columns: ["server", "receivers", "p50", "p99"])
        try setting.withEachServer { name, load, _ in
            var medians: [Double] = []
            for receivers in [2, 10, 100] {
                let sample = try measure(setting, load.target, receivers: receivers)
                section.rows.append(
                    [
                        name, "\(receivers)", Figure.milliseconds(sample.median),
                        Figure.milliseconds(sample.percentile(99)),
                    ])
                medians.append(sample.median)
                if name == "Words" { judge(receivers, sample, &report) }
            }
            report.growths.append(
                .init(what: "send → seen, \(name)", from: "10 receivers", times: 10, taken: medians[2] / medians[1]))
        }
        report.sections.append(section)
    }

    private func judge(_ receivers: Int, _ sample: Sample, _ report: inout Report) {
        let tail = sample.percentile(99)
        if receivers == 2 {
            report.targets.append(
                .init(
                    what: "send → seen by the other client", wanted: "p50 ≤ 8 ms, p99 ≤ 25 ms",
                    reached: "p50 \(Figure.milliseconds(sample.median)), p99 \(Figure.milliseconds(tail))",
                    isMet: sample.median <= 8 && tail <= 25))
        } else if receivers == 100 {
            report.targets.append(
                .init(
                    what: "send → seen, 100 receivers in the room", wanted: "p50 ≤ 40 ms",
                    reached: Figure.milliseconds(sample.median), isMet: sample.median <= 40))
        }
    }

    private func measure(_ setting: Setting, _ target: Target, receivers: Int) throws -> Sample {
        let load = LoadGenerator(target)
        let population = try Population.make(load, people: receivers + 1, rooms: 1)
        let room = population.rooms[0]
        let sender = receivers
        try load.open(receivers + 1)
        var since = try load.askEach(
            (0..<receivers).map { .get(Self.sync(timeout: 0), population.accounts[$0 + 1].token) }, width: receivers
        ).map { try $0.decoded(Population.Synced.self).next_batch }
        var waits: [Double] = []
        func poll(_ receiver: Int) throws {
            try load.send(
                .get(Self.sync(timeout: 30_000, since: since[receiver]), population.accounts[receiver + 1].token),
                on: receiver)
        }
        for receiver in 0..<receivers { try poll(receiver) }
        for turn in 0..<(10 * setting.repeats) {
            // The polls are held by now, and the machine is quiet.
            try load.run(for: .milliseconds(40)) { index, answer in
                guard index < receivers else { return }
                since[index] = try answer.decoded(Population.Synced.self).next_batch
                try poll(index)
            }
            let marker = "message-\(receivers)-\(turn)"
            var missing = receivers
            let start = ContinuousClock.now
            try load.send(
                .message(marker, to: room, transaction: marker, population.accounts[0].token), on: sender)
            let isSeen = try load.run(for: .seconds(30), until: { missing == 0 }) { index, answer in
                guard index < receivers else { return }
                since[index] = try answer.decoded(Population.Synced.self).next_batch
                if String(decoding: answer.body, as: UTF8.self).contains(marker) {
                    waits.append(start.duration(to: answer.arrivedAt).milliseconds)
                    missing -= 1
                }
                try poll(index)
            }
            guard isSeen else { throw BenchError("\(missing) of \(receivers) receivers never saw a message") }
        }
        return Sample(waits)
    }

    /// A sync that hears of messages alone.
    static func sync(timeout: Int, since: String? = nil) -> String {
        let filter = Population.encoded(
            #"{"presence":{"types":[]},"account_data":{"types":[]},"room":{"ephemeral":{"types":[]},"account_data":{"types":[]}}}"#
        )
        let position = since.map { "&since=\(Population.encoded($0))" } ?? ""
        return "/_matrix/client/v3/sync?set_presence=offline&filter=\(filter)&timeout=\(timeout)\(position)"
    }
}
