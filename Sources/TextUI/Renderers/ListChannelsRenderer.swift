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
        return title
            + zip(list.rows, names).flatMap { row, name in
                let digits: SafeLine = "\(row.number)"
                let head = "  " + .blanks(number - digits.width) + digits + "  "
                let unread: SafeLine = row.unreadCount > 0 ? "\(row.unreadCount) new" : .empty
                let rest = [
                    Sanitiser.line(row.standingText), Sanitiser.line(row.membersText),
                    row.creatorText.map(Sanitiser.line) ?? .empty, unread,
                ].filter { $0.width > 0 }.joined(separator: ", ")
                let whole = head + name.padded(to: column) + "  " + rest
                if whole.width <= width { return [whole.trimmed] }
                let indent = SafeLine.blanks(min(head.width + 2, width / 4))
                return [(head + name).cut(to: width), indent + rest.cut(to: width - indent.width)]
            }
    }
}
