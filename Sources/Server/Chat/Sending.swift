import Models
import SQLite

/// Putting events into rooms. Client-server API, "Sending events to a room" and "Redactions".
extension ChatTransaction {
    /// Stores a message of `sender`; the same transaction again gives the same event.
    func send(
        _ type: String, _ content: RawObject, to room: RoomID, by sender: UserID, transaction: ClientTransaction
    ) throws -> EventID {
        let endpoint = "send/\(room)/\(type)"
        return try once(endpoint, transaction, by: sender) {
            try requirePower(for: type, isState: false, of: sender, in: room)
            try requireListener(in: room, for: sender)
            return try append(Draft(type: type, content: content, transaction: transaction), to: room, by: sender)
        }
    }

    /// Sets a piece of the room's state. Setting what is set already stores nothing.
    func setState(
        _ type: String, _ key: String, _ content: RawObject, in room: RoomID, by sender: UserID
    ) throws -> EventID {
        if type == "m.room.member" { return try setMember(key, content, in: room, by: sender) }
        try requirePower(for: type, isState: true, of: sender, in: room)
        try requireNotBlocked(in: room, sender)
        try checkState(type, key, content, in: room, by: sender)
        let current = try connection.first(
            """
            SELECT event_id, content, sender FROM events WHERE room_id = ? AND type = ? AND state_key = ?
            ORDER BY position DESC LIMIT 1
            """, room.raw, type, key
        ) { (EventID($0.text(0)), $0.blob(1), UserID($0.text(2))) }
        if let current, current.1 == content.bytes, current.2 == sender { return current.0 }
        return try append(Draft(type: type, stateKey: key, content: content), to: room, by: sender)
    }

    /// Takes the content of an event away and stores why.
    func redact(
        _ target: EventID, reason: String?, in room: RoomID, by sender: UserID, transaction: ClientTransaction
    ) throws -> EventID {
        try once("redact/\(room)/\(target)", transaction, by: sender) {
            try requirePower(for: "m.room.redaction", isState: false, of: sender, in: room)
            guard let event = try connection.event(target, in: room) else {
                throw MatrixError.notFound("There is no such event in this room.")
            }
            let power = try power(in: room)
            guard event.sender == sender || power.level(of: sender) >= power.redact else {
                throw MatrixError.forbidden("You do not have the power to remove other people's messages.")
            }
            let isBlocked = try connection.isBlocked(sender, in: room, serverName)
            var buffer = JSONBuffer()
            buffer.object { buffer in
                if let reason, !isBlocked { buffer.member("reason", reason) }
                buffer.member("redacts", target.raw)
            }
            let content = RawObject(trusted: buffer.bytes)
            let draft = Draft(
                type: "m.room.redaction", content: content, redacts: target, transaction: transaction)
            let id = try append(draft, to: room, by: sender)
            try connection.run(
                "UPDATE events SET content = ?, notifies = 0, redacted_by = ? WHERE position = ?",
                Redaction.remains(of: event).bytes, news.position, event.position)
            if event.type == "m.room.power_levels" { forgetPower(setBy: target) }
            noteChangedEvents()
            return id
        }
    }

    /// Does `work` unless this user's device has done it already under the same id; then gives what came of it.
    private func once(
        _ endpoint: String, _ transaction: ClientTransaction, by user: UserID, _ work: () throws -> EventID
    ) throws -> EventID {
        if let known = try TransactionTable.event(of: transaction, at: endpoint, by: user, connection) { return known }
        let id = try work()
        try TransactionTable.insert(transaction, at: endpoint, by: user, event: id, now: now, connection)
        return id
    }

    /// Throws unless `user` is in the room and may send events of `type`.
    func requirePower(for type: String, isState: Bool, of user: UserID, in room: RoomID) throws {
        guard try membership(of: user, in: room)?.membership == .join else { throw MatrixError.notInRoom }
        let power = try power(in: room)
        guard power.level(of: user) >= power.needed(for: type, isState: isState) else {
            throw MatrixError.forbidden("You do not have the power to send \(type) in this room.")
        }
    }

    private func checkState(
        _ type: String, _ key: String, _ content: RawObject, in room: RoomID, by sender: UserID
    ) throws {
        switch type {
        case "m.room.create": throw MatrixError.forbidden("A room is created only once.")
        case "m.room.encryption": throw MatrixError.forbidden("This server does not encrypt rooms.")
        case "m.room.power_levels":
            if let problem = PowerLevels.problem(in: content) { throw MatrixError.badJSON(problem) }
            let power = try power(in: room)
            if let objection = power.objection(to: PowerLevels(content: content, creator: sender), by: sender) {
                throw MatrixError.forbidden(objection)
            }
        case "m.room.join_rules", "m.room.history_visibility": try requireNoPair(room)
        case "m.room.canonical_alias": try checkAlias(content, in: room)
        default: break
        }
        if key.hasPrefix("@"), key != sender.raw {
            throw MatrixError.forbidden("State under a person's id can only be set by that person.")
        }
    }

    private func checkAlias(_ content: RawObject, in room: RoomID) throws {
        let others = try EventFilter.list(content.value, "alt_aliases") ?? []
        for alias in [content["alias"]].compactMap({ $0 }) + others where !alias.isEmpty {
            let leadsHere = try connection.exists(
                "SELECT 1 FROM aliases WHERE alias = ? AND room_id = ?", alias, room.raw)
            guard leadsHere else {
                throw MatrixError(400, "M_BAD_ALIAS", "The alias \(alias) does not lead to this room.")
            }
        }
    }
}

/// What is left of an event once it has been redacted. Room version 10, "Redactions".
enum Redaction {
    private static let keptKeys: [String: [String]] = [
        "m.room.member": ["membership"],
        "m.room.create": ["creator"],
        "m.room.join_rules": ["join_rule", "allow"],
        "m.room.history_visibility": ["history_visibility"],
        "m.room.power_levels": [
            "ban", "events", "events_default", "kick", "redact", "state_default", "users", "users_default",
        ],
    ]

    static func remains(of event: StoredEvent) -> RawObject {
        let content = RawObject(trusted: event.content)
        var buffer = JSONBuffer()
        buffer.object { buffer in
            for key in keptKeys[event.type] ?? [] {
                guard let value = content[raw: key] else { continue }
                buffer.name(key)
                buffer.raw(value)
            }
        }
        return RawObject(trusted: buffer.bytes)
    }
}
