import ChildProcesses
import Foundation
import SQLite
import Testing

/// Promises 1, 2 and 3 over whole processes that are killed.
@Suite("Killed processes PromisesTests", .serialized)
struct KilledProcessesPromisesTests {
    /// Someone who says numbered messages to the hub.
    private final class Sender {
        let name: String
        private(set) var process: ChildProcess
        /// What the processes before this one have shown.
        private var shown = ""
        private(set) var isStopped = false

        init(_ name: String, in house: House) throws {
            self.name = name
            process = try house.app(name)
        }

        func text(_ number: Int) -> String { "\(name)-\(String(10_000 + number))" }

        func send(_ numbers: some Sequence<Int>) {
            process.write(numbers.map { "send \"\(text($0))\"\n" }.joined())
        }

        /// Killed in the middle of it all. What the next process does not find in its store has not been taken, and is said
        /// to it again.
        func killAndRestart(upTo last: Int, in house: House) async throws {
            process.kill(SIGKILL)
            shown += await process.result().output
            process = try house.app(name)
            process.write("open \"Hub\"\nmembers\n")
            try #require(await process.shows("Members\n"))
            let taken = shown + process.outputSoFar
            let highest = (0...last).last { taken.contains(text($0)) } ?? -1
            if highest < last { send(highest + 1...last) }
        }

        func end() async -> ChildProcess.Result {
            process.closeInput()
            let result = await process.result()
            shown += result.output
            return result
        }

        /// What its screen has shown as sent: without a state, or with that one.
        var acknowledged: Set<String> { Set(messages { $0 == "" || $0 == "  [sent]" }) }

        private func messages(_ isWanted: (Substring) -> Bool) -> [String] {
            shown.split(separator: "\n").compactMap { line in
                guard let match = line.wholeMatch(of: #/\d\d:\d\d  \w+  (\w+-\d+)((?:  \[.*\])?)/#) else {
                    return nil
                }
                return isWanted(match.2) && match.1.hasPrefix(name) ? String(match.1) : nil
            }
        }
    }

    @Test(
        "four senders, five kills of the server and two of a sender: all that was shown as sent is stored, once, in order"
    )
    func kills() async throws {
        let house = try House()
        try await house.startServer()
        #expect(try await house.run("hub", "signup name=Hub email=hub@words.test password=secret-hub").status == 0)
        let senders = try (1...4).map { try Sender("s\($0)", in: house) }
        for sender in senders {
            sender.process.write(
                "signup name=\(sender.name) email=\(sender.name)@words.test password=secret-\(sender.name)\n")
            sender.process.write("add hub@words.test\nopen \"Hub\"\n")
            try #require(await sender.process.shows("User Hub has joined"))
        }

        let batch = Soak.size(6, full: 42)
        for stage in 0..<6 {
            let numbers = stage * batch..<(stage + 1) * batch
            for sender in senders { sender.send(numbers) }
            guard stage < 5 else { break }
            let watched = senders[stage % 4]
            #expect(await watched.process.shows(watched.text(numbers.lowerBound + batch / 2)))
            await house.killServer()
            if stage == 1 || stage == 3 { try await watched.killAndRestart(upTo: numbers.upperBound - 1, in: house) }
            try await house.startServer()
        }
        for sender in senders {
            let last = await sender.end()
            var result = last
            // Its patience may have been shorter than a back-off; the next run says what is left.
            if last.error.contains("not been sent") { result = try await house.run(sender.name, "open \"Hub\"") }
            #expect(result.status == 0 && !result.error.contains("not been sent"), "\(result.error)")
        }

        let stored = try stored(in: house)
        for sender in senders {
            let own = stored.filter { $0.hasPrefix(sender.name + "-") }
            #expect(sender.acknowledged.subtracting(own) == [], "lost, though acknowledged")
            #expect(sender.acknowledged.count > batch)
            let twice = own.filter { text in own.count { $0 == text } > 1 }
            #expect(twice == [], "stored twice")
            #expect(own == own.sorted(), "not in the order of sending")
            #expect(own.count == 6 * batch, "taken, and not stored")
        }
        try await expectShown(stored, to: senders, in: house)
        _ = await house.stopServer()
    }

    /// What the hub sees is what is stored: each message once, in the server's order.
    private func expectShown(_ stored: [String], to senders: [Sender], in house: House) async throws {
        for sender in senders {
            let hub = try house.app("hub")
            let pages = String(repeating: "older\n", count: stored.count / 4 / 30 + 2)
            hub.write("open \"\(sender.name)\"\n\(pages)help\nscreen\n")
            hub.closeInput()
            let output = await hub.result().output
            let screen = output.components(separatedBy: "\n\(sender.name)\n").last ?? ""
            let shown = screen.matches(of: #/s\d-\d+/#).map { String($0.0) }
            #expect(shown == stored.filter { $0.hasPrefix(sender.name + "-") })
        }
    }

    private func stored(in house: House) throws -> [String] {
        let connection = try SQLiteConnection(path: house.database, mode: .readOnly)
        return try connection.rows(
            "SELECT json_extract(content, '$.body') FROM events WHERE type = 'm.room.message' ORDER BY position"
        ) { $0.text(0) }
    }
}
