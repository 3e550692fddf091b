import Foundation
import SceneScript

/// Standard output and standard error, line by line, unbuffered.
@MainActor
final class StandardStreams {
    /// Why nothing can be written to standard output any more.
    enum Ending: Equatable {
        /// Whoever read it has closed it.
        case closed
        /// Another reason, which has been said: a full disk, say.
        case unwritable
    }

    /// Called once, when standard output has come to its end.
    var onEnding: (() -> Void)?
    private(set) var ending: Ending?

    /// Writes a line to standard output; nothing any more once that has come to its end.
    func show(_ line: String) { write(line + "\n", to: STDOUT_FILENO) }

    /// Writes text without a newline, for prompts and bells.
    func showRaw(_ text: String) { write(text, to: STDOUT_FILENO) }

    /// Writes a line to standard error.
    func say(_ line: String) { write(line + "\n", to: STDERR_FILENO) }

    /// Writes a question to standard error, where it is seen whatever becomes of standard output.
    func ask(_ question: String) { write(question, to: STDERR_FILENO) }

    var output: TextOutput {
        TextOutput(standardOutput: { [self] in show($0) }, standardError: { [self] in say($0) })
    }

    private func write(_ text: String, to file: Int32) {
        guard file != STDOUT_FILENO || ending == nil else { return }
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
            if count > 0 {
                bytes = bytes.dropFirst(count)
            } else if count < 0, errno == EINTR {
                continue
            } else if count < 0, errno == EAGAIN {
                var poll = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
                _ = Foundation.poll(&poll, 1, -1)
            } else {
                return end(file, errno)
            }
        }
    }

    private func end(_ file: Int32, _ error: Int32) {
        guard file == STDOUT_FILENO, ending == nil else { return }
        ending = error == EPIPE ? .closed : .unwritable
        if error != EPIPE { say("words: Standard output cannot be written: \(String(cString: strerror(error))).") }
        onEnding?()
    }
}
