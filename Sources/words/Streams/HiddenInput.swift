import CTerminal
import Foundation

/// A line from the terminal that does not show while it is typed.
@MainActor
enum HiddenInput {
    /// Nil where the input ended instead, or a signal came; the terminal is as it was in any case.
    static func line(prompt: String, streams: StandardStreams) async -> String? {
        let (answers, continuation) = AsyncStream<String?>.makeStream()
        let signals = Signals { _ in continuation.yield(nil) }
        let reader = Task {
            for await line in InputLines.standardInput() { continuation.yield(line) }
            continuation.yield(nil)
        }
        streams.ask(prompt)
        guard words_set_input(Int32(words_input_hidden_lines.rawValue)) == 0 else { return nil }
        defer {
            words_end_input()
            reader.cancel()
            withExtendedLifetime(signals) {}
        }
        return await answers.next() ?? nil
    }
}
