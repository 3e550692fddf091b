import Models
import Scenes

/// What a view has yet to print, in order, and the notices that stand on its screen.
///
/// The scene's content is an entry without text: it is rendered when it is taken, with all that has come by then, so
/// that what is printed does not depend on how the news was batched.
struct Journal {
    private enum Entry {
        case content
        case lines([SafeLine])
    }

    struct Notice: Equatable {
        var text: RemoteText
        var isError: Bool
    }

    /// Errors and notices since the last command, oldest first.
    private(set) var notices: [Notice] = []
    private var entries: [Entry] = [.content]

    /// The content is to be printed, once, here.
    mutating func printContent() {
        entries.removeAll { if case .content = $0 { true } else { false } }
        entries.append(.content)
    }

    mutating func print(_ lines: [SafeLine]) {
        if !lines.isEmpty { entries.append(.lines(lines)) }
    }

    /// Prints a notice and keeps it on the screen until the next command.
    mutating func announce(_ text: RemoteText, isError: Bool = false, width: Int) {
        let notice = Notice(text: text, isError: isError)
        notices.append(notice)
        print(NoticeRenderer.lines(of: notice, width: width))
    }

    /// Takes in how a request has ended; the outcome of the command.
    mutating func announce(_ outcome: Outcome, value: String? = nil, width: Int) -> CommandOutcome {
        switch outcome {
        case .done(let line):
            if let line { announce(line, width: width) }
            return .done(value: value)
        case .failed(let line):
            announce(line, isError: true, width: width)
            return .failed(reason: Sanitiser.line(line).text)
        }
    }

    mutating func clearNotices() { notices = [] }

    /// Prints the notices that stand on the screen, once more.
    mutating func printNotices(width: Int) {
        for notice in notices { print(NoticeRenderer.lines(of: notice, width: width)) }
    }

    /// Hands out what is to be printed, the content rendered by `content`.
    mutating func take(content: () -> [SafeLine]) -> [SafeLine] {
        defer { entries = [] }
        return entries.flatMap { entry in
            switch entry {
            case .content: content()
            case .lines(let lines): lines
            }
        }
    }

    var isContentDue: Bool { entries.contains { if case .content = $0 { true } else { false } } }

    mutating func drop() { entries = [] }

    /// The texts of the notices, for `facts`.
    var texts: [String] { notices.map { Sanitiser.line($0.text).text } }
}
