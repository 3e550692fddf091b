import Models
import Scenes

/// A conversation: days, messages, who came and went, what is missing.
package enum ChatroomRenderer {
    /// What stands behind a message.
    enum Mark: Equatable {
        case none
        case sending
        case waiting
        case sent
        case edited
        /// Not sent; the reason stands below.
        case failed(RemoteText)

        var text: SafeLine {
            switch self {
            case .none: .empty
            case .sending: "  [sending]"
            case .waiting: "  [waiting]"
            case .sent: "  [sent]"
            case .edited: "  [edited]"
            case .failed: "  [failed]"
            }
        }
    }

    static func title(of messages: Chatroom.Messages.ViewModel, width: Int) -> SafeLine {
        Sanitiser.line(messages.title).cut(to: width)
    }

    package static func lines(of row: Chatroom.Row, width: Int) -> [SafeLine] {
        switch row {
        case .day(_, let text):
            let day: SafeLine = "— \(text)"
            return [(day.cut(to: max(1, width - 2)) + " —").cut(to: width)]
        case .message(let message):
            return lines(of: message, mark: mark(of: message.state), width: width)
        case .status(_, let text, let timeText):
            let body = SafeText(lines: [Sanitiser.line(text)])
            return NoticeRenderer.hanging("\(timeText)  ", body, width: width)
        case .gap(_, let text):
            return NoticeRenderer.hint(Sanitiser.line(text), indent: .empty, width: width)
        }
    }

    static func mark(of state: Chatroom.MessageRow.State) -> Mark {
        switch state {
        case .sending: .sending
        case .sent: .none
        case .waiting: .waiting
        case .failed(let reason): .failed(reason)
        }
    }

    /// `09:00  Alice  hello 👋`, wrapped and broken lines below the body's first column.
    static func lines(of message: Chatroom.MessageRow, mark: Mark, width: Int) -> [SafeLine] {
        layOut(message, body: body(of: message), mark: mark, width: width)
    }

    /// The change of a message printed before, as one line: its beginning and the new mark.
    static func changeLines(of message: Chatroom.MessageRow, mark: Mark, width: Int) -> [SafeLine] {
        let body = body(of: message)
        let isWhole = body.lines.count == 1
        let head = prefix(of: message, width: width)
        let room = max(8, width - head.width - mark.text.width)
        var line = body.lines.first ?? .empty
        if !isWhole { line = line + " …" }
        return layOut(message, body: SafeText(lines: [line.cut(to: room)]), mark: mark, width: width)
    }

    private static func body(of message: Chatroom.MessageRow) -> SafeText {
        let text = Sanitiser.text(message.body)
        return text.lines.allSatisfy(\.isBlank) ? SafeText(lines: ["(empty message)"]) : text
    }

    private static func prefix(of message: Chatroom.MessageRow, width: Int) -> SafeLine {
        let name = Sanitiser.line(message.senderName).cut(to: max(8, width / 3))
        // An emote's body bears the name itself.
        return message.kind == .emote ? "\(message.timeText)  " : "\(message.timeText)  \(name)  "
    }

    private static func layOut(
        _ message: Chatroom.MessageRow, body: SafeText, mark: Mark, width: Int
    ) -> [SafeLine] {
        let head = prefix(of: message, width: width)
        let isBeside = width - head.width >= min(16, width / 2)
        let indent = SafeLine.blanks(isBeside ? head.width : min(2, width / 8))
        let room = width - indent.width
        var lines = body.wrapped(to: room)
        if case .failed(let reason) = mark {
            append(mark.text, to: &lines, room: room)
            lines += Sanitiser.text(reason).wrapped(to: room)
        } else {
            append(mark.text, to: &lines, room: room)
        }
        guard isBeside else {
            return [head.trimmed.cut(to: width)] + lines.map { (indent + $0).cut(to: width).trimmed }
        }
        return lines.enumerated().map { index, line in
            index == 0 ? head + line : line.width == 0 ? .empty : indent + line
        }
    }

    /// Puts the mark behind the last line, or below it where there is no room.
    private static func append(_ mark: SafeLine, to lines: inout [SafeLine], room: Int) {
        guard mark.width > 0, let last = lines.last else { return }
        if last.width + mark.width <= room {
            lines[lines.count - 1] = last + mark
        } else {
            lines.append(
                SafeLine(text: String(mark.text.dropFirst(2)), width: mark.width - 2, make: .ascii).cut(to: room))
        }
    }

    /// The whole screen of a chat.
    static func screen(
        of messages: Chatroom.Messages.ViewModel, banner: Banner?, typing: Chatroom.Typing.ViewModel?,
        draft: Chatroom.Draft.ViewModel? = nil, width: Int
    ) -> [SafeLine] {
        var lines = [title(of: messages, width: width)] + BannerRenderer.lines(of: banner, width: width)
        if messages.hasOlder {
            lines += NoticeRenderer.hint("older shows older messages", indent: .empty, width: width)
        }
        lines += messages.rows.flatMap { Self.lines(of: $0, width: width) }
        if messages.rows.isEmpty { lines += emptyLines(of: messages, width: width) }
        if let refusal = messages.refusal {
            lines += NoticeRenderer.hint(Sanitiser.line(refusal), indent: .empty, width: width)
        }
        if let text = typing?.text { lines += SafeText(lines: [Sanitiser.line(text)]).wrapped(to: width) }
        if let text = draft?.counterText {
            lines += NoticeRenderer.hint(Sanitiser.line(text), indent: .empty, width: width)
        }
        return lines
    }

    /// How much room is left for what is being typed, in tens: a prompt that were another with every key would be drawn
    /// anew, and read aloud, with every key.
    static func promptMark(of draft: Chatroom.Draft.ViewModel?) -> SafeLine {
        guard let draft, draft.counterText != nil else { return .empty }
        switch draft.left {
        case ..<0: return " (too long)"
        case 0..<10: return " (under 10 left)"
        default: return " (\(draft.left / 10 * 10)+ left)"
        }
    }

    /// What stands in place of messages.
    static func emptyLines(of messages: Chatroom.Messages.ViewModel, width: Int) -> [SafeLine] {
        let text = messages.isLoading ? "loading" : messages.emptyText ?? "no messages yet"
        return NoticeRenderer.hint(Sanitiser.line(text), width: width)
    }

    /// Who is in the room.
    static func lines(of members: Chatroom.Members.ViewModel, width: Int) -> [SafeLine] {
        let names = members.rows.map { row in
            let name = Sanitiser.line(row.name).cut(to: max(8, width / 3))
            return row.isOwn ? "\(name) (you)" : name
        }
        let column = names.map(\.width).max() ?? 0
        let rows = zip(members.rows, names).flatMap { row, name in
            let parts = [Sanitiser.line(row.standingText)] + [row.presenceText].compactMap { $0 }.map(Sanitiser.line)
            let rest = SafeText(lines: [parts.joined(separator: ", ")])
            return NoticeRenderer.hanging("  " + name.padded(to: column) + "  ", rest, width: width)
        }
        return [Sanitiser.line(members.title).cut(to: width)] + rows
    }
}

/// Whether what is shown is current.
enum BannerRenderer {
    static func lines(of banner: Banner?, width: Int) -> [SafeLine] {
        guard let text = banner?.text else { return [] }
        return NoticeRenderer.hint(Sanitiser.line(text), indent: .empty, width: width)
    }

    /// For the prompt: ` (offline)`, or nothing while all is well.
    static func promptMark(of banner: Banner?) -> SafeLine {
        switch banner?.kind {
        case .connecting: " (connecting)"
        case .offline: " (offline)"
        case .ended: " (signed out)"
        case .online, nil: .empty
        }
    }
}
