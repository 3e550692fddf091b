import Models

/// From events to what is shown of them.
extension RoomReduction {
    /// What `event` shows as a line of its own; nil for all that shows otherwise or not at all.
    ///
    /// `followsKnown` says whether what is known of the members is how it was right before the event.
    func item(for event: MatrixShapes.Event, _ id: EventID, followsKnown: Bool) -> TimelineItem? {
        guard let sender = event.sender, !ledger.redacted.contains(id),
            let content = event.state_key == nil
                ? message(event, sender, id) : standing(event, followsKnown: followsKnown)
        else { return nil }
        return TimelineItem(
            id: id, sender: sender, timestamp: event.origin_server_ts, content: content,
            transactionID: sender == ownID ? event.transaction_id : nil)
    }

    private func message(
        _ event: MatrixShapes.Event, _ sender: UserID, _ id: EventID
    ) -> TimelineItem.Content? {
        if event.type == "m.room.encrypted" { return .message(Message(kind: .encrypted, body: "")) }
        guard event.type == "m.room.message", event.content.relates_to?.rel_type != "m.replace",
            let message = Message(msgtype: event.content.msgtype, body: event.content.body)
        else { return nil }
        return .message(ledger.edits[RoomLedger.EditKey(target: id, sender: sender)] ?? message)
    }

    /// A person came or went. A change of name or picture is a `join` after a `join`, and no line.
    private func standing(_ event: MatrixShapes.Event, followsKnown: Bool) -> TimelineItem.Content? {
        guard event.type == "m.room.member", let key = event.state_key,
            let membership = event.content.membership
        else { return nil }
        let person = UserID(key)
        let known = followsKnown ? room.members[person]?.membership : nil
        let before = event.prev_content?.membership ?? known
        switch membership {
        case .join: return before == .join ? nil : .joined(person)
        case .leave, .ban: return before == nil || before == .join ? .left(person) : nil
        case .invite, .knock: return nil
        }
    }

    /// Works in the newest edit so far of one message.
    mutating func apply(_ edit: Edit) {
        ledger.edits[edit.key] = edit.message
        guard let index = room.timeline.items.lastIndex(where: { $0.id == edit.key.target }),
            room.timeline.items[index].sender == edit.key.sender,
            case .message = room.timeline.items[index].content
        else { return }
        room.timeline.items[index].content = .message(edit.message)
    }

    /// That a redaction is allowed was for the server to decide.
    mutating func applyRedaction(_ event: MatrixShapes.Event) {
        guard event.type == "m.room.redaction", let target = event.redacts else { return }
        ledger.redacted.insert(target)
        room.timeline.items.removeAll { $0.id == target }
    }
}

/// What a message is to say instead, by whoever sent the edit.
struct Edit {
    var key: RoomLedger.EditKey
    var message: Message

    /// Nil where the event is no edit.
    init?(_ event: MatrixShapes.Event) {
        guard event.type == "m.room.message", let sender = event.sender,
            let relation = event.content.relates_to, relation.rel_type == "m.replace",
            let target = relation.event_id,
            let message = Message(
                msgtype: event.content.new_content?.msgtype, body: event.content.new_content?.body)
        else { return nil }
        key = RoomLedger.EditKey(target: target, sender: sender)
        self.message = message
    }
}

extension Message {
    /// Nil where there is no text to show.
    init?(msgtype: String?, body: RemoteText?) {
        guard let body else { return nil }
        let kind: Kind =
            switch msgtype {
            case "m.emote": .emote
            case "m.notice": .notice
            case "m.image", "m.file", "m.audio", "m.video": .media
            default: .text
            }
        self.init(kind: kind, body: body)
    }
}
