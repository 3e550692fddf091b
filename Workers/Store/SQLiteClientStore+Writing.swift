import Models
import SQLite

extension SQLiteClientStore {
    /// The position comes last, though all of it holds or none.
    func write(_ changes: StoreChanges, _ connection: SQLiteConnection) throws {
        for change in changes.outbox {
            switch change {
            case .put(let message): try put(message, connection)
            case .remove(let id):
                try run(connection, "DELETE FROM outbox WHERE transaction_id = ?", id.raw)
            }
        }
        for room in changes.rooms { try write(room, connection) }
        if let directRooms = changes.directRooms { try write(directRooms, connection) }
        for (person, presence) in changes.presences {
            try run(
                connection, "INSERT OR REPLACE INTO presences VALUES (?, ?, ?)", person.raw, presence.state.rawValue,
                presence.lastActiveAt?.milliseconds)
        }
        switch changes.position {
        case .move(let position): try run(connection, "INSERT OR REPLACE INTO facts VALUES ('position', ?)", position)
        case .forget: try run(connection, "DELETE FROM facts WHERE name = 'position'")
        case nil: break
        }
    }

    /// A message that is there already keeps its place.
    func put(_ stored: StoredMessage, _ connection: SQLiteConnection) throws {
        let message = stored.entry.message
        let (state, event, reason) = StoreRows.columns(of: message.state)
        try run(
            connection,
            """
            INSERT INTO outbox (transaction_id, room, body, content, created_at, state, event, reason)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (transaction_id) DO UPDATE SET state = excluded.state, event = excluded.event,
                reason = excluded.reason
            """, message.transactionID.raw, stored.room.raw, message.body.unsanitised, [UInt8](stored.entry.content),
            message.createdAt.milliseconds, state, event, reason)
    }

    private func write(_ directRooms: [UserID: [RoomID]], _ connection: SQLiteConnection) throws {
        try run(connection, "DELETE FROM direct_rooms")
        for (person, rooms) in directRooms {
            for (place, room) in rooms.enumerated() {
                try run(connection, "INSERT INTO direct_rooms VALUES (?, ?, ?)", person.raw, place, room.raw)
            }
        }
    }

    func write(_ contacts: [Contact], _ connection: SQLiteConnection) throws {
        try run(connection, "DELETE FROM contacts")
        for (place, contact) in contacts.enumerated() {
            let (user, room) = (contact.user, contact.room)
            try run(
                connection, "INSERT INTO contacts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", place, user.id,
                user.name.unsanitised, user.email?.unsanitised, user.chatID.raw, room.id.raw, room.name?.unsanitised,
                room.createdByID?.raw, room.isPrivate, room.createdAt?.milliseconds, room.updatedAt?.milliseconds)
        }
        try run(connection, "INSERT OR REPLACE INTO facts VALUES ('contacts', '')")
    }
}

extension SQLiteClientStore {
    private func write(_ changes: RoomChanges, _ connection: SQLiteConnection) throws {
        let number = try write(changes.room, changes.ledger, connection)
        for member in changes.members {
            try run(
                connection, "INSERT OR REPLACE INTO members VALUES (?, ?, ?, ?)", number, member.id.raw,
                member.displayName?.unsanitised, member.membership.rawValue)
        }
        for change in changes.items { try write(change, number, connection) }
        for mark in changes.marks {
            try run(
                connection, "INSERT OR IGNORE INTO marks VALUES (?, ?, ?)", number, mark.kind.rawValue, mark.event.raw)
        }
        for (key, message) in changes.edits {
            let (kind, text) = StoreRows.columns(of: .message(message))
            try run(
                connection, "INSERT OR REPLACE INTO edits VALUES (?, ?, ?, ?, ?)", number, key.target.raw,
                key.sender.raw, kind, text)
        }
        for (id, gap) in changes.gaps {
            try run(
                connection, "INSERT OR REPLACE INTO gaps VALUES (?, ?, ?, ?, ?)", number, id.raw, gap.position, gap.end,
                gap.isDeferred)
        }
        for id in changes.closedGaps {
            try run(connection, "DELETE FROM gaps WHERE room = ? AND id = ?", number, id.raw)
        }
    }

    /// - Returns: The number that stands for the room.
    private func write(
        _ room: RoomState, _ ledger: RoomLedger, _ connection: SQLiteConnection
    ) throws -> Int64 {
        let number: Int64
        if let known = numbers[room.id] {
            number = known
        } else {
            try run(
                connection,
                """
                INSERT OR IGNORE INTO rooms (id, membership, heroes, unread, known_members) VALUES (?, '', '', 0, 0)
                """, room.id.raw)
            number =
                try connection.first("SELECT number FROM rooms WHERE id = ?", room.id.raw) { $0.integer(0) } ?? 0
            numbers[room.id] = number
        }
        try run(
            connection,
            """
            UPDATE rooms SET membership = ?, name = ?, alias = ?, join_rule = ?, creator = ?, inviter = ?, heroes = ?,
                joined = ?, invited = ?, unread = ?, known_members = ?, deletion = ?,
                is_direct = ?, is_encrypted = ?, replacement = ?
            WHERE number = ?
            """, room.membership.rawValue, room.name?.unsanitised, room.canonicalAlias, room.joinRule,
            room.creator?.raw,
            room.inviter?.raw, StoreRows.joined(room.heroes), room.joinedCount, room.invitedCount, room.unreadCount,
            room.members.count, room.deletion.rawValue, room.isDirect ? 1 : 0, room.isEncrypted ? 1 : 0,
            room.replacement?.raw, number)
        try run(
            connection,
            """
            UPDATE rooms SET older_position = ?, read_up_to = ?, direct_inviter = ? WHERE number = ?
            """, ledger.olderPosition, ledger.readUpTo?.raw, ledger.directInviter?.raw, number)
        try writeNewest(of: room.timeline, number, connection)
        return number
    }

    /// What a list shows of the room stands with it, so that a list reads no timelines.
    private func writeNewest(of timeline: Timeline, _ number: Int64, _ connection: SQLiteConnection) throws {
        let newest = timeline.newestMessage
        let content = newest.map { StoreRows.columns(of: $0.content) }
        try run(
            connection,
            """
            UPDATE rooms SET newest_id = ?, newest_sender = ?, newest_at = ?, newest_kind = ?, newest_text = ?,
                newest_transaction = ?
            WHERE number = ?
            """, newest?.id.raw, newest?.sender.raw, newest?.timestamp?.milliseconds, content?.kind, content?.text,
            newest?.transactionID?.raw, number)
    }
}

extension SQLiteClientStore {
    private func write(_ change: RoomChanges.ItemChange, _ number: Int64, _ connection: SQLiteConnection) throws {
        switch change {
        case .remove(let id): try run(connection, "DELETE FROM items WHERE room = ? AND id = ?", number, id.raw)
        case .replace(let item):
            let (kind, text) = StoreRows.columns(of: item.content)
            try run(
                connection,
                """
                UPDATE items SET sender = ?, at = ?, kind = ?, text = ?, transaction_id = ? WHERE room = ? AND id = ?
                """, item.sender.raw, item.timestamp?.milliseconds, kind, text, item.transactionID?.raw, number,
                item.id.raw)
        case .append(let items):
            try insert(items, from: (try highest(number, connection) ?? 0) + 1, number, connection)
        case .prepend(let items):
            try insert(items, from: (try lowest(number, connection) ?? 0) - Int64(items.count), number, connection)
        case .insert(let items, let above):
            let ordinal = try connection.first(
                "SELECT ordinal FROM items WHERE room = ? AND id = ?", number, above.raw
            ) { $0.integer(0) }
            guard let ordinal else { return try write(.append(items), number, connection) }
            try run(
                connection, "UPDATE items SET ordinal = ordinal + ? WHERE room = ? AND ordinal > ?", items.count,
                number,
                ordinal)
            try insert(items, from: ordinal + 1, number, connection)
        }
    }

    private func lowest(_ number: Int64, _ connection: SQLiteConnection) throws -> Int64? {
        try connection.first("SELECT min(ordinal) FROM items WHERE room = ?", number) { $0.optionalInteger(0) } ?? nil
    }

    private func highest(_ number: Int64, _ connection: SQLiteConnection) throws -> Int64? {
        try connection.first("SELECT max(ordinal) FROM items WHERE room = ?", number) { $0.optionalInteger(0) } ?? nil
    }

    /// What is there already keeps its place.
    private func insert(
        _ items: [TimelineItem], from first: Int64, _ number: Int64, _ connection: SQLiteConnection
    ) throws {
        var ordinal = first
        for item in items {
            let (kind, text) = StoreRows.columns(of: item.content)
            try run(
                connection, "INSERT OR IGNORE INTO items VALUES (?, ?, ?, ?, ?, ?, ?, ?)", number, item.id.raw, ordinal,
                item.sender.raw, item.timestamp?.milliseconds, kind, text, item.transactionID?.raw)
            ordinal += 1
        }
    }
}
