import Foundation

/// The lines of standard input, read on a thread of their own: right for a terminal, a pipe, a file and `/dev/null`.
enum InputLines {
    /// Lines without their ends; bytes that are not UTF-8 are replaced. The last line needs no end.
    static func standardInput() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream<String>.makeStream()
        Thread.detachNewThread { read(into: continuation) }
        return stream
    }

    private static func read(into continuation: AsyncStream<String>.Continuation) {
        var splitter = LineSplitter()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = buffer.withUnsafeMutableBytes { Foundation.read(STDIN_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            for line in splitter.take(buffer[..<count]) { continuation.yield(line) }
        }
        if let line = splitter.finish() { continuation.yield(line) }
        continuation.finish()
    }
}

extension AsyncStream where Element: Sendable {
    /// The next element; nil where there is none any more.
    func next(isolation: isolated (any Actor)? = #isolation) async -> Element? {
        for await element in self { return element }
        return nil
    }
}
