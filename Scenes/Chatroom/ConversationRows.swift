import Models

/// Turns a conversation into rows: day separators where the calendar day changes, then what happened, then what is on
/// its way.
struct ConversationRows {
    let book: NameBook
    let ownID: UserID
    let dayText: DayText
    let now: Timestamp

    private var rows: [Chatroom.Row] = []
    private var lastDay: Int?
    /// How many separators bear the same day: clocks of servers go back, too.
    private var separators: [Int: Int] = [:]

    init(book: NameBook, ownID: UserID, dayText: DayText, now: Timestamp) {
        self.book = book
        self.ownID = ownID
        self.dayText = dayText
        self.now = now
    }

    static func rowID(of item: TimelineItem) -> String {
        // Under the transaction's id the message stood here before the server had it.
        item.transactionID?.raw ?? item.id.raw
    }

    mutating func rows(of response: Chatroom.Messages.Response) -> [Chatroom.Row] {
        rows = []
        rows.reserveCapacity(response.items.count + response.outgoing.count + 8)
        for item in response.items {
            if item.content != .gap { separate(at: item.timestamp) }
            rows.append(row(item))
        }
        for message in response.outgoing {
            separate(at: message.createdAt)
            rows.append(.message(row(message)))
        }
        return rows
    }

    private mutating func separate(at timestamp: Timestamp?) {
        guard let day = dayText.dayNumber(timestamp), day != lastDay else { return }
        lastDay = day
        let repetition = separators[day, default: 0]
        separators[day] = repetition + 1
        let id = repetition == 0 ? "day \(day)" : "day \(day) \(repetition + 1)"
        rows.append(.day(id: id, text: dayText.day(timestamp, now: now)))
    }

    private func row(_ item: TimelineItem) -> Chatroom.Row {
        let id = Self.rowID(of: item)
        switch item.content {
        case .message(let message): return .message(row(message, of: item, id: id))
        case .joined(let user):
            return .status(
                id: id, text: "User \(book.name(of: user)) has joined", timeText: dayText.time(item.timestamp))
        case .left(let user):
            return .status(
                id: id, text: "User \(book.name(of: user)) has left", timeText: dayText.time(item.timestamp))
        case .gap: return .gap(id: id, text: "messages missing here")
        }
    }

    private func row(_ message: Message, of item: TimelineItem, id: String) -> Chatroom.MessageRow {
        let name = book.name(of: item.sender)
        return Chatroom.MessageRow(
            id: id, senderID: item.sender, senderName: name, initials: initials(of: item.sender),
            isOwn: item.sender == ownID, timeText: dayText.time(item.timestamp), kind: kind(message.kind),
            body: message.kind == .emote ? "* \(name) \(message.body)" : Wording.body(of: message))
    }

    private func row(_ message: OutgoingMessage) -> Chatroom.MessageRow {
        Chatroom.MessageRow(
            id: message.transactionID.raw, senderID: ownID, senderName: book.name(of: ownID),
            initials: initials(of: ownID), isOwn: true, timeText: dayText.time(message.createdAt),
            body: message.body, state: state(message.state))
    }

    private func initials(of id: UserID) -> RemoteText {
        let name = book.people[id] ?? ""
        return Initials.of(Visible.hasAnything(name.unsanitised) ? name : RemoteText(id.localPart))
    }

    private func kind(_ kind: Message.Kind) -> Chatroom.MessageRow.Kind {
        switch kind {
        case .text: .text
        case .emote: .emote
        case .notice, .encrypted: .notice
        case .media: .media
        }
    }

    private func state(_ state: OutgoingMessage.State) -> Chatroom.MessageRow.State {
        switch state {
        case .sending: .sending
        case .waiting: .waiting
        case .sent: .sent
        case .failed(let failure): .failed(reason: Wording.explain(failure).reason)
        }
    }
}
