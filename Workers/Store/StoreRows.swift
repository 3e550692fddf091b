import Foundation
import Models
import SQLite

/// How values stand in the columns of a store.
enum StoreRows {
    /// Kinds of timeline items, and of what messages say.
    enum ItemKind: Int64 {
        case text = 0, emote = 1, notice = 2, media = 3, encrypted = 4, joined = 10, left = 11, gap = 20

        init(_ kind: Message.Kind) {
            self =
                switch kind {
                case .text: .text
                case .emote: .emote
                case .notice: .notice
                case .media: .media
                case .encrypted: .encrypted
                }
        }

        var messageKind: Message.Kind? {
            switch self {
            case .text: .text
            case .emote: .emote
            case .notice: .notice
            case .media: .media
            case .encrypted: .encrypted
            case .joined, .left, .gap: nil
            }
        }
    }

    static func columns(of content: TimelineItem.Content) -> (kind: Int64, text: String) {
        switch content {
        case .message(let message): (ItemKind(message.kind).rawValue, message.body.unsanitised)
        case .joined(let person): (ItemKind.joined.rawValue, person.raw)
        case .left(let person): (ItemKind.left.rawValue, person.raw)
        case .gap: (ItemKind.gap.rawValue, "")
        }
    }

    static func content(kind: Int64, text: String) -> TimelineItem.Content {
        switch ItemKind(rawValue: kind) {
        case .joined: .joined(UserID(text))
        case .left: .left(UserID(text))
        case .gap: .gap
        case let kind: .message(Message(kind: kind?.messageKind ?? .text, body: RemoteText(text)))
        }
    }

    /// Reads `id, sender, at, kind, text, transaction_id` from column `first` on.
    static func item(_ row: borrowing SQLiteRow, _ first: Int32) -> TimelineItem {
        TimelineItem(
            id: EventID(row.text(first)), sender: UserID(row.text(first + 1)),
            timestamp: row.optionalInteger(first + 2).map { Timestamp(milliseconds: $0) },
            content: content(kind: row.integer(first + 3), text: row.text(first + 4)),
            transactionID: row.optionalText(first + 5).map { TransactionID($0) })
    }

    /// User ids hold no line breaks: the specification allows printable ASCII only. One that does is left out.
    static func joined(_ people: [UserID]) -> String {
        people.map(\.raw).filter { !$0.utf8.contains(0x0A) }.joined(separator: "\n")
    }

    static func people(_ text: String) -> [UserID] { text.split(separator: "\n").map { UserID(String($0)) } }

    /// Of the states of a message only those that outlive the process.
    enum MessageState: Int64 {
        case due = 0, sent = 1, tooLarge = 2, refused = 3, notMember = 4, sessionEnded = 5
    }

    static func columns(of state: OutgoingMessage.State) -> (state: Int64, event: String?, reason: String?) {
        switch state {
        case .sending, .waiting: (MessageState.due.rawValue, nil, nil)
        case .sent(let event): (MessageState.sent.rawValue, event.raw, nil)
        case .failed(.tooLarge): (MessageState.tooLarge.rawValue, nil, nil)
        case .failed(.refused(let words)): (MessageState.refused.rawValue, nil, words.unsanitised)
        case .failed(.notMember): (MessageState.notMember.rawValue, nil, nil)
        case .failed(.sessionEnded): (MessageState.sessionEnded.rawValue, nil, nil)
        }
    }

    static func state(_ state: Int64, event: String?, reason: String?) -> OutgoingMessage.State {
        switch MessageState(rawValue: state) {
        case .sent: event.map { .sent(EventID($0)) } ?? .waiting
        case .tooLarge: .failed(.tooLarge)
        case .refused: .failed(.refused(RemoteText(reason ?? "")))
        case .notMember: .failed(.notMember)
        case .sessionEnded: .failed(.sessionEnded)
        case .due, nil: .waiting
        }
    }

    /// Reads `room, transaction_id, body, content, created_at, state, event, reason`.
    static func message(_ row: borrowing SQLiteRow) -> StoredMessage {
        let message = OutgoingMessage(
            transactionID: TransactionID(row.text(1)), body: RemoteText(row.text(2)),
            createdAt: Timestamp(milliseconds: row.integer(4)),
            state: state(row.integer(5), event: row.optionalText(6), reason: row.optionalText(7)))
        return StoredMessage(
            room: RoomID(row.text(0)), entry: Outbox.Entry(message: message, content: Data(row.blob(3))))
    }
}
