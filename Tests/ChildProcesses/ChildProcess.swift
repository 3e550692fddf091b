import Foundation
import Models

/// The built executable as a process of its own.
public final class ChildProcess: Sendable {
    public struct Result: Equatable, Sendable {
        public var status: Int32
        public var output: String
        public var error: String
    }

    /// The executable beside the one that runs the tests.
    public static let executable: URL = {
        let own =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent("words")
    }()

    private let process: Process
    private let input = Pipe()
    private let output = Collector()
    private let error = Collector()
    private let exit = AsyncStream<Int32>.makeStream()

    /// Starts it.
    ///
    /// - Parameters:
    ///   - closesOutput: Whether nobody reads what it writes to standard output.
    ///   - mask: The file mode creation mask, where it is not the one of the tests.
    ///   - launcher: What the command line stands behind, such as `nsenter` with its options.
    public init(
        _ arguments: [String], home: URL, environment: [String: String] = [:], closesOutput: Bool = false,
        mask: String? = nil, launcher: [String] = []
    ) throws {
        process = Process()
        if !launcher.isEmpty {
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = launcher + [Self.executable.path] + arguments
        } else if let mask {
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            let line = "umask \(mask) && exec \"$@\""
            process.arguments = ["-c", line, "sh", Self.executable.path] + arguments
        } else {
            process.executableURL = Self.executable
            process.arguments = arguments
        }
        var variables = ProcessInfo.processInfo.environment
        for name in ["XDG_DATA_HOME", "XDG_STATE_HOME", "CI"] { variables[name] = nil }
        variables["HOME"] = home.path
        process.environment = variables.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output.pipe
        process.standardError = error.pipe
        process.terminationHandler = { [exit] process in
            let isSignal = process.terminationReason == .uncaughtSignal
            exit.continuation.yield(isSignal ? 128 + process.terminationStatus : process.terminationStatus)
            exit.continuation.finish()
        }
        if closesOutput { try output.pipe.fileHandleForReading.close() }
        try process.run()
        if closesOutput { output.end() } else { output.start() }
        error.start()
    }

    public var identifier: Int32 { process.processIdentifier }

    public func write(_ text: String) { try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

    public func closeInput() { try? input.fileHandleForWriting.close() }

    public func kill(_ signal: Int32) { Foundation.kill(identifier, signal) }

    /// Whether `text` is written to standard output within a minute.
    public func shows(_ text: String) async -> Bool { await output.contains(text) }

    /// Whether `text` is written to standard error within a minute.
    public func says(_ text: String) async -> Bool { await error.contains(text) }

    /// What it has written to standard output, and to standard error, up to now.
    public var outputSoFar: String { output.soFar }
    public var errorSoFar: String { error.soFar }

    /// Its end; a process that does not end within a minute is killed, and its status tells.
    public func result() async -> Result {
        let limit = SystemClock().schedule(after: .seconds(60)) { [self] in kill(SIGKILL) }
        var status: Int32 = -1
        for await code in exit.stream { status = code }
        limit.cancel()
        return Result(status: status, output: await output.text(), error: await error.text())
    }

    /// Runs it to its end with `input` on standard input.
    public static func run(
        _ arguments: [String], input: String = "", home: URL, environment: [String: String] = [:],
        closesOutput: Bool = false
    ) async throws -> Result {
        let child = try ChildProcess(arguments, home: home, environment: environment, closesOutput: closesOutput)
        child.write(input)
        child.closeInput()
        return await child.result()
    }
}

/// Gathers what comes through a pipe, on a thread of its own.
private final class Collector: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var isEnded = false
        var waiters: [@Sendable () -> Void] = []
    }

    let pipe = Pipe()
    private let state = Locked(State())

    func start() {
        let handle = pipe.fileHandleForReading
        Thread.detachNewThread { [self] in
            while case let data = handle.availableData, !data.isEmpty { change { $0.bytes += data } }
            change { $0.isEnded = true }
        }
    }

    /// Nothing is read, so nothing will come.
    func end() { change { $0.isEnded = true } }

    func contains(_ text: String) async -> Bool {
        let part = Array(text.utf8)
        return await wait { state in
            state.bytes.indices.contains(where: { state.bytes[$0...].starts(with: part) })
        }
    }

    var soFar: String { state.withLock { String(decoding: $0.bytes, as: UTF8.self) } }

    /// All of it, once the other side has closed.
    func text() async -> String {
        _ = await wait { $0.isEnded }
        return state.withLock { String(decoding: $0.bytes, as: UTF8.self) }
    }

    private func change(_ body: (inout State) -> Void) {
        let waiters = state.withLock { state in
            body(&state)
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter() }
    }

    private func wait(_ condition: @escaping @Sendable (State) -> Bool) async -> Bool {
        let (news, continuation) = AsyncStream<Bool>.makeStream()
        let limit = SystemClock().schedule(after: .seconds(60)) { continuation.yield(false) }
        defer { limit.cancel() }
        @Sendable func look() {
            let isDone: Bool? = state.withLock { state in
                if condition(state) { return true }
                if state.isEnded { return false }
                state.waiters.append(look)
                return nil
            }
            if let isDone { continuation.yield(isDone) }
        }
        look()
        for await isDone in news { return isDone }
        return false
    }
}
