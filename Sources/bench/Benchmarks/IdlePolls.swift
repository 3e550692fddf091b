/// What long polls cost while nothing happens.
struct IdlePolls: Benchmark {
    static let name = "polls"

    private static let pollsPerPerson = 25

    func run(_ setting: Setting, _ report: inout Report) throws {
        var section = Report.Section(
            title: "Idle long polls",
            text: """
                \(Self.pollsPerPerson) polls a person, a connection each, held while nothing happens. Memory is what is \
                resident of the server's process. Another request: one that asks for the versions meanwhile.
                """,
            columns: ["server", "polls", "before", "with the polls", "of each", "another request, p50"])
        guard setting.target == nil else {
            return report.gaps.append("Idle polls: memory is only told of servers started here.")
        }
        try setting.withEachServer { name, load, process in
            guard let process else { return }
            var each: [Int] = []
            for polls in [1_000, 5_000] {
                let (before, after, other) = try measure(load, process, polls)
                section.rows.append(
                    [
                        name, "\(polls)", Figure.mebibytes(before), Figure.mebibytes(after),
                        "\(Figure.number(Double(after - before) / 1_024 / Double(polls))) KiB",
                        Figure.milliseconds(other),
                    ])
                each.append(after - before)
                guard name == "Words", polls == 5_000 else { continue }
                report.targets.append(
                    .init(
                        what: "5,000 idle long polls, the server's memory", wanted: "≤ 150 MiB",
                        reached: Figure.mebibytes(after), isMet: after <= 150 * 1_048_576))
            }
            report.growths.append(
                .init(
                    what: "memory of idle polls, \(name)", from: "1,000 polls", times: 5,
                    taken: Double(each[1]) / Double(each[0])))
        }
        report.sections.append(section)
    }

    private func measure(
        _ load: LoadGenerator, _ process: ServerProcess, _ polls: Int
    ) throws -> (before: Int, after: Int, other: Double) {
        let population = try Population.make(
            load, people: polls / Self.pollsPerPerson, rooms: 1, isMember: { person, _ in person < 2 })
        let since = try load.askEach(population.accounts.map { .get(SendToSeen.sync(timeout: 0), $0.token) })
            .map { try $0.decoded(Population.Synced.self).next_batch }
        let before = try process.memory()
        // A generator of its own: these connections stay.
        let idle = LoadGenerator(process.target)
        try idle.open(polls)
        for index in 0..<polls {
            let person = index % population.accounts.count
            // A server may take the same question by the same person for one: each has a time of its own.
            let call = HTTPCall.get(
                SendToSeen.sync(timeout: 120_000 + index, since: since[person]), population.accounts[person].token)
            try idle.send(call, on: index)
        }
        // Until the server has read them all; what it answers at once is asked again, by the product's rules not at all.
        try idle.run(for: .seconds(5)) { _, _ in }
        let waits = try (0..<200).map { _ in
            try load.ask(.get("/_matrix/client/versions")).latency.milliseconds
        }
        let held = idle.connections.count(where: \.isWaiting)
        guard held >= polls * 99 / 100 else { throw BenchError("only \(held) of \(polls) polls are held") }
        return (before, try process.memory(), Sample(waits).median)
    }
}
