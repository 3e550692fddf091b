import Scenes

/// What of a conversation has been printed, so that each thing is printed once and each change of it once more.
struct ChatroomLog {
    private struct Printed: Equatable {
        var state: Chatroom.MessageRow.State
        var body: SafeText
    }

    private var messages: [String: Printed] = [:]
    private var others: Set<String> = []
    private var hasSaidEmpty = false

    /// The lines for all that is new or has changed, in the order of the conversation.
    ///
    /// A message whose first attempt is under way waits until it is sent, waiting or failed. The day above it waits with
    /// it.
    mutating func takeLines(of viewModel: Chatroom.Messages.ViewModel, width: Int) -> [SafeLine] {
        var lines: [SafeLine] = []
        var day: Chatroom.Row?
        for row in viewModel.rows {
            if case .day = row {
                day = others.contains(row.id) ? nil : row
                continue
            }
            let new = takeLines(of: row, width: width)
            if new.isNew, let above = day {
                others.insert(above.id)
                lines += ChatroomRenderer.lines(of: above, width: width)
            }
            if !new.isUnderWay { day = nil }
            lines += new.lines
        }
        if viewModel.rows.isEmpty, !viewModel.isLoading, !hasSaidEmpty, messages.isEmpty {
            lines += ChatroomRenderer.emptyLines(of: viewModel, width: width)
            hasSaidEmpty = true
        }
        return lines
    }

    /// The lines for rows printed as a block of their own, like older messages.
    mutating func takeLines(ofOlder rows: [Chatroom.Row], width: Int) -> [SafeLine] {
        rows.flatMap { row -> [SafeLine] in
            if case .day = row {
                others.insert(row.id)
                return ChatroomRenderer.lines(of: row, width: width)
            }
            return takeLines(of: row, width: width).lines
        }
    }

    private mutating func takeLines(
        of row: Chatroom.Row, width: Int
    ) -> (lines: [SafeLine], isNew: Bool, isUnderWay: Bool) {
        guard case .message(let message) = row else {
            let isNew = others.insert(row.id).inserted
            return (isNew ? ChatroomRenderer.lines(of: row, width: width) : [], isNew, false)
        }
        if message.state == .sending { return ([], false, true) }
        let now = Printed(state: message.state, body: Sanitiser.text(message.body))
        let before = messages.updateValue(now, forKey: message.id)
        guard let before else { return (ChatroomRenderer.lines(of: row, width: width), true, false) }
        if before == now { return ([], false, false) }
        if before.body != now.body {
            return (ChatroomRenderer.lines(of: message, mark: .edited, width: width), false, false)
        }
        let mark = message.state == .sent ? .sent : ChatroomRenderer.mark(of: message.state)
        return (ChatroomRenderer.changeLines(of: message, mark: mark, width: width), false, false)
    }
}
