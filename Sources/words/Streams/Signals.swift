import Foundation

/// SIGINT and SIGTERM as events, for as long as it lives.
@MainActor
final class Signals {
    private let sources: [any DispatchSourceSignal]

    /// - Parameter handle: Gets the signal's number, on the main actor.
    init(_ numbers: [Int32] = [SIGINT, SIGTERM], handle: @escaping @MainActor @Sendable (Int32) -> Void) {
        sources = numbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { Task { @MainActor in handle(number) } }
            source.activate()
            return source
        }
    }

    isolated deinit { sources.forEach { $0.cancel() } }

}
