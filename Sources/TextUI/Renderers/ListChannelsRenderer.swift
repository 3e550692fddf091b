import Models
import Scenes

/// The list of channels: number, name, standing, members, who made it, unread.
enum ListChannelsRenderer {
    static func lines(of list: ListChannels.Fetch.ViewModel, width: Int) -> [SafeLine] {
        let title = [Sanitiser.line(list.title).cut(to: width)]
        if list.rows.isEmpty {
            let text = list.isLoading ? "loading" : list.emptyText ?? "no channels yet"
            return title + NoticeRenderer.hint(Sanitiser.line(text), width: width)
        }
        let names = list.rows.map { Sanitiser.line($0.name).cut(to: max(8, width / 3)) }
        let number = String(list.rows.count).count
        let column = names.map(\.width).max() ?? 0
        let heads = zip(list.rows, names).map { row, name in
            let digits: SafeLine = "\(row.number)"
            return "  " + .blanks(number - digits.width) + digits + "  " + name
        }
        let whole = zip(heads, zip(list.rows, names)).map { head, row in
            head + .blanks(column - row.1.width) + "  " + parts(of: row.0).joined(separator: ", ")
        }
        if whole.allSatisfy({ $0.width <= width }) { return title + whole.map(\.trimmed) }
        let indent = SafeLine.blanks(min(number + 6, width / 4))
        let room = max(1, width - indent.width)
        return title
            + zip(heads, list.rows).flatMap { head, row in
                // Nothing is cut off but a name that is too long by itself: what stands last matters most.
                let rest = parts(of: row).map { $0.cut(to: max(1, room - 1)) }.joined(separator: ", ")
                return [head.cut(to: width)]
                    + SafeText(lines: [rest]).wrapped(to: room).map { (indent + $0).cut(to: width) }
            }
    }

    private static func parts(of row: ListChannels.Row) -> [SafeLine] {
        let unread: SafeLine = row.unreadCount > 0 ? "\(row.unreadCount) new" : .empty
        return [
            Sanitiser.line(row.standingText), Sanitiser.line(row.membersText),
            row.creatorText.map(Sanitiser.line) ?? .empty, unread,
        ].filter { $0.width > 0 }
    }
}
