import Foundation
import Models
import SceneScript
import TextUI

/// The app with its commands from a pipe, one per line, in the grammar of the scripts.
///
/// What is shown is printed as it comes. At the end of the input it waits, for a limited time, until all is settled, and
/// says what has not been sent.
@MainActor
final class PipeSession {
    /// Real time that what is under way at the end is given.
    static let patience = Duration.seconds(10)

    private let application: TextApplication
    private let streams: StandardStreams
    private let activity: Activity
    private let clock: any WallClock
    private var reader = CommandReader()
    private var hasFailed = false
    /// A command is being carried out: what it shows is printed once its outcome is there.
    private var isBusy = false
    private let displays: AsyncStream<Void>
    private let displayed: AsyncStream<Void>.Continuation

    init(
        _ application: TextApplication, streams: StandardStreams, activity: Activity,
        clock: any WallClock = SystemClock()
    ) {
        self.application = application
        self.streams = streams
        self.activity = activity
        self.clock = clock
        (displays, displayed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Throws where a command has failed, where the server could not be reached in the end, and where a signal or the end
    /// of the output ended it before its input did.
    func run(_ lines: AsyncStream<String>) async throws(Failure) {
        let input = Interruptible(lines)
        let signals = Signals { input.end(.signal($0)) }
        streams.onEnding = { input.end(.output) }
        defer { withExtendedLifetime(signals) {} }

        application.onDisplay = { [weak self] in self?.hasDisplayed() }
        await busily { await application.launch() }
        var number = 0
        while let line = await input.next() {
            number += 1
            guard await take(line, number), !application.hasQuit else { break }
        }
        await settle(input)
        let isOffline = await tellOffline(input)
        await application.shutDown()
        flush()
        switch input.ending {
        case .output: throw streams.ending == .closed ? .closedOutput : .unwritableOutput
        case .signal(let number): throw .ended(bySignal: number)
        case nil:
            if hasFailed { throw Failure(.differs) }
            if isOffline { throw Failure(.unreachable) }
        }
    }

    /// Whether what was shown and sent has not come from, or to, the server.
    private func tellOffline(_ input: Interruptible) async -> Bool {
        guard input.ending == nil, let notice = await application.offlineNotice() else { return false }
        streams.say("words: \(notice)")
        return true
    }

    /// False where the line asks to quit.
    private func take(_ line: String, _ number: Int) async -> Bool {
        do throws(ScriptError) {
            guard let command = try reader.command(in: line, number: number) else { return true }
            guard command.name != "quit" || !command.positional.isEmpty else { return false }
            let outcome = await busily { await application.perform(command) }
            hasFailed = hasFailed || !outcome.isDone
            if case .done(let value) = outcome { try reader.keep(value) }
        } catch {
            hasFailed = true
            streams.say("words: line \(error.location.line), column \(error.location.column): \(error.what)")
        }
        return true
    }

    private func busily<Result>(_ work: () async -> Result) async -> Result {
        isBusy = true
        let result = await work()
        isBusy = false
        flush()
        return result
    }

    private func hasDisplayed() {
        displayed.yield()
        guard !isBusy else { return }
        // The same step may present more: all of it is printed together.
        Task { [weak self] in if self?.isBusy == false { self?.flush() } }
    }

    private func flush() { application.takeLines().forEach(streams.show) }

    /// Returns once nothing is under way and nothing unsent, when the patience is over, or when somebody ends it all.
    private func settle(_ input: Interruptible) async {
        guard input.ending == nil else { return }
        let isSettled: Void? = await Deadline(clock: clock, limit: Self.patience).run { [self] in
            await activity.idle()
            var next = displays.makeAsyncIterator()
            while await application.unsentNotice() != nil, await next.next() != nil { await activity.idle() }
        }
        flush()
        if let notice = await application.unsentNotice() { streams.say("words: \(notice)") }
        if isSettled == nil, await application.unsentNotice() == nil {
            streams.say(
                "words: Still going on after \(Self.patience): \(activity.outstanding.joined(separator: ", ")).")
        }
    }
}

/// Lines that can be ended from outside.
@MainActor
private final class Interruptible {
    enum Ending: Equatable { case signal(Int32), output }

    private(set) var ending: Ending?
    private var iterator: AsyncStream<String>.AsyncIterator
    private let continuation: AsyncStream<String>.Continuation

    init(_ lines: AsyncStream<String>) {
        let (merged, continuation) = AsyncStream<String>.makeStream()
        self.continuation = continuation
        iterator = merged.makeAsyncIterator()
        Task {
            for await line in lines { continuation.yield(line) }
            continuation.finish()
        }
    }

    func next() async -> String? {
        guard ending == nil else { return nil }
        // Two callers never wait at once: the session reads line by line.
        var iterator = iterator
        let line = await iterator.next(isolation: MainActor.shared)
        self.iterator = iterator
        return ending == nil ? line : nil
    }

    func end(_ ending: Ending) {
        if self.ending == nil { self.ending = ending }
        continuation.finish()
    }
}
