import Models
import Scenes

/// The list of contacts: number, name, presence, unread, newest message.
enum ListContactsRenderer {
    /// The title and the rows.
    ///
    /// - Parameter showsTyping: Only the screen shows who is typing; a printed line would be out of date at once.
    static func lines(of list: ListContacts.Fetch.ViewModel, showsTyping: Bool, width: Int) -> [SafeLine] {
        let title = [Sanitiser.line(list.title).cut(to: width)]
        if list.rows.isEmpty {
            let text = list.isLoading ? "loading" : list.emptyText ?? "no contacts yet"
            return title + NoticeRenderer.hint(Sanitiser.line(text), width: width)
        }
        let cells = list.rows.map { Cells(of: $0, showsTyping: showsTyping, width: width) }
        let columns = Columns(of: cells)
        let whole = cells.map { $0.line(in: columns) }
        let isBeside = columns.fixed + 12 <= width || whole.allSatisfy { $0.width <= width }
        if isBeside { return title + whole.map { $0.cut(to: width).trimmed } }
        return title + cells.flatMap { $0.lines(in: columns, width: width) }
    }

    /// The parts of a row, each in its column.
    private struct Cells {
        let number: SafeLine
        let name: SafeLine
        let presence: SafeLine
        let unread: SafeLine
        let preview: SafeLine

        init(of row: ListContacts.Row, showsTyping: Bool, width: Int) {
            number = "\(row.number)"
            name = Sanitiser.line(row.name).cut(to: max(8, width / 3))
            presence = row.hasLeft ? "has left" : Sanitiser.line(row.presenceText)
            unread = row.unreadCount > 0 ? "\(row.unreadCount) new" : .empty
            if showsTyping && row.isTyping {
                preview = "typing"
            } else if let message = row.lastMessage {
                let text = Sanitiser.line(message.text)
                preview =
                    message.isOwn && !text.text.hasPrefix("* ")
                    ? "\(message.timeText)  You: \(text)" : "\(message.timeText)  \(text)"
            } else {
                preview = .empty
            }
        }

        private func head(in columns: Columns) -> SafeLine {
            "  " + .blanks(columns.number - number.width) + number + "  " + name
        }

        /// All in one line, each part in its column.
        func line(in columns: Columns) -> SafeLine {
            let parts = [
                head(in: columns) + .blanks(columns.name - name.width), presence.padded(to: columns.presence),
                unread.padded(to: columns.unread), preview,
            ]
            return parts.filter { $0.width > 0 }.joined(separator: "  ").trimmed
        }

        /// Number and name, and the rest below.
        func lines(in columns: Columns, width: Int) -> [SafeLine] {
            let indent = SafeLine.blanks(min(columns.number + 4, width / 4))
            let rest = [presence, unread, preview].filter { $0.width > 0 }.joined(separator: "  ")
            return [head(in: columns).cut(to: width)]
                + (rest.width == 0 ? [] : [indent + rest.cut(to: width - indent.width)])
        }
    }

    private struct Columns {
        let number: Int
        let name: Int
        let presence: Int
        let unread: Int
        /// What all columns but the last take, with the blanks between them.
        var fixed: Int { number + name + presence + unread + 10 }

        init(of cells: [Cells]) {
            number = cells.map(\.number.width).max() ?? 0
            name = cells.map(\.name.width).max() ?? 0
            presence = cells.map(\.presence.width).max() ?? 0
            unread = cells.map(\.unread.width).max() ?? 0
        }
    }
}
