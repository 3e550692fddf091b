import CTerminal
import Foundation

/// The terminal at standard input and output.
@MainActor
public final class StandardTerminal: TerminalDevice {
    public let isCapable: Bool
    private let environmentColumns: Int?
    private let writeText: @MainActor (String) -> Void
    private var sources: [any DispatchSourceSignal] = []

    /// - Parameters:
    ///   - environment: `TERM`, `NO_COLOR` and `COLUMNS` are looked at.
    ///   - write: Writes to standard output.
    public init(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        write: @escaping @MainActor (String) -> Void
    ) {
        isCapable = Self.isCapable(environment, isTerminal: isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1)
        environmentColumns = environment["COLUMNS"].flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil }
        writeText = write
    }

    /// Whether escapes may be sent: to a terminal that is not dumb, and where `NO_COLOR` does not ask for plain lines.
    nonisolated static func isCapable(_ environment: [String: String], isTerminal: Bool) -> Bool {
        let kind = environment["TERM"] ?? ""
        return isTerminal && kind != "dumb" && !kind.isEmpty && (environment["NO_COLOR"] ?? "").isEmpty
    }

    public var columns: Int? {
        let asked = Int(words_columns())
        return asked > 0 ? asked : environmentColumns
    }

    public func start() -> AsyncStream<TerminalEvent> {
        _ = words_set_input(isCapable ? Int32(words_input_keys.rawValue) : Int32(words_input_lines.rawValue))
        let (stream, continuation) = AsyncStream<TerminalEvent>.makeStream()
        let signals: [(Int32, TerminalEvent)] = [
            (SIGINT, .signal(SIGINT)), (SIGTERM, .signal(SIGTERM)), (SIGHUP, .signal(SIGHUP)), (SIGWINCH, .resized),
            (SIGCONT, .continued),
        ]
        sources = signals.map { number, event in
            // Otherwise the signal would do by itself what it does by default.
            if case .signal = event { signal(number, SIG_IGN) }
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield(event) }
            source.activate()
            return source
        }
        Thread.detachNewThread { TerminalReader.read(into: continuation) }
        return stream
    }

    public func setEcho(_ isOn: Bool) {
        guard !isCapable else { return }
        _ = words_set_input(Int32((isOn ? words_input_lines : words_input_hidden_lines).rawValue))
    }

    public func write(_ text: String) { writeText(text) }

    public func end() {
        sources.forEach { $0.cancel() }
        sources = []
        words_end_input()
    }
}

/// Reads standard input on a thread of its own. Nonisolated, and in no type of the main actor: closures for threads that
/// are would trap.
private enum TerminalReader {
    static func read(into continuation: AsyncStream<TerminalEvent>.Continuation) {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = buffer.withUnsafeMutableBytes { Foundation.read(STDIN_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            continuation.yield(.bytes(Array(buffer[..<count])))
        }
        continuation.yield(.end)
        continuation.finish()
    }
}
