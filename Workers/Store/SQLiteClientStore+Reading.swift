import Models
import SQLite

extension SQLiteClientStore {
    /// Rooms with more known members than this bear only those that their name may need, until one is opened.
    static let membersAtOnce: Int64 = 12
    /// How much of a timeline is read when its room is opened.
    static let itemsAtOnce = 150

    static func readNumbers(_ connection: SQLiteConnection) throws -> [RoomID: Int64] {
        var numbers: [RoomID: Int64] = [:]
        _ = try connection.rows("SELECT id, number FROM rooms") { numbers[RoomID($0.text(0))] = $0.integer(1) }
        return numbers
    }

    func readChat(_ connection: SQLiteConnection) throws -> StoredChat {
        var chat = StoredChat()
        chat.position = try connection.first("SELECT value FROM facts WHERE name = 'position'") { $0.text(0) }
        chat.rooms = try readRooms(connection)
        chat.roomsWithGaps = try connection.rows(
            "SELECT DISTINCT rooms.id FROM gaps JOIN rooms ON rooms.number = gaps.room ORDER BY rooms.number"
        ) { RoomID($0.text(0)) }
        _ = try connection.rows("SELECT user, room FROM direct_rooms ORDER BY user, place") { row in
            chat.directRooms[UserID(row.text(0)), default: []].append(RoomID(row.text(1)))
        }
        _ = try connection.rows("SELECT id, state, last_active_at FROM presences") { row in
            guard let state = Presence.State(rawValue: row.text(1)) else { return }
            let lastActiveAt = row.optionalInteger(2).map { Timestamp(milliseconds: $0) }
            chat.presences[UserID(row.text(0))] = Presence(state: state, lastActiveAt: lastActiveAt)
        }
        chat.outbox = try connection.rows(
            """
            SELECT room, transaction_id, body, content, created_at, state, event, reason FROM outbox ORDER BY number
            """
        ) { StoreRows.message($0) }
        return chat
    }

    private func readRooms(_ connection: SQLiteConnection) throws -> [RoomState] {
        var members = try readMembersForLists(connection)
        return try connection.rows(
            """
            SELECT number, id, membership, name, alias, join_rule, creator, inviter, heroes, joined, invited, unread,
                newest_id, newest_sender, newest_at, newest_kind, newest_text, newest_transaction,
                deletion, is_direct, is_encrypted, replacement
            FROM rooms ORDER BY number
            """
        ) { row in
            var room = RoomState(id: RoomID(row.text(1)), membership: Membership(rawValue: row.text(2)) ?? .leave)
            room.name = row.optionalText(3).map { RemoteText($0) }
            room.canonicalAlias = row.optionalText(4)
            room.joinRule = row.optionalText(5)
            room.creator = row.optionalText(6).map { UserID($0) }
            room.inviter = row.optionalText(7).map { UserID($0) }
            room.heroes = StoreRows.people(row.text(8))
            room.joinedCount = row.optionalInteger(9).map { Int($0) }
            room.invitedCount = row.optionalInteger(10).map { Int($0) }
            room.unreadCount = Int(row.integer(11))
            room.members = members.removeValue(forKey: row.integer(0)) ?? [:]
            room.deletion = RoomState.Deletion(rawValue: row.integer(18)) ?? .none
            room.isDirect = row.bool(19)
            room.isEncrypted = row.bool(20)
            room.replacement = row.optionalText(21).map { RoomID($0) }
            if !row.isNull(12) { room.timeline.items = [StoreRows.item(row, 12)] }
            // What is above it is stored or at the server; it is known once the room is opened.
            room.timeline.hasOlder = true
            return room
        }
    }

    private func readMembersForLists(_ connection: SQLiteConnection) throws -> [Int64: [UserID: Member]] {
        var members: [Int64: [UserID: Member]] = [:]
        _ = try connection.rows(
            """
            SELECT members.room, members.id, members.name, members.membership FROM rooms
            JOIN members ON members.room = rooms.number WHERE rooms.known_members <= ?
            """, Self.membersAtOnce
        ) { row in
            let member = Self.member(row, 1)
            members[row.integer(0), default: [:]][member.id] = member
        }
        let large = try connection.rows("SELECT number, heroes FROM rooms WHERE known_members > ?", Self.membersAtOnce)
        {
            (number: $0.integer(0), heroes: StoreRows.people($0.text(1)))
        }
        for (number, heroes) in large {
            for hero in heroes {
                members[number, default: [:]][hero] = try connection.first(
                    "SELECT id, name, membership FROM members WHERE room = ? AND id = ?", number, hero.raw
                ) { Self.member($0, 0) }
            }
        }
        return members
    }

    private static func member(_ row: borrowing SQLiteRow, _ first: Int32) -> Member {
        Member(
            id: UserID(row.text(first)), displayName: row.optionalText(first + 1).map { RemoteText($0) },
            membership: Membership(rawValue: row.text(first + 2)) ?? .leave)
    }
}

extension SQLiteClientStore {
    func readTimeline(of id: RoomID, _ connection: SQLiteConnection) throws -> StoredTimeline? {
        guard let number = numbers[id] else { return nil }
        var timeline = StoredTimeline()
        _ = try connection.first(
            "SELECT older_position, read_up_to, direct_inviter FROM rooms WHERE number = ?", number
        ) { row in
            timeline.ledger.olderPosition = row.optionalText(0)
            timeline.ledger.readUpTo = row.optionalText(1).map { EventID($0) }
            timeline.ledger.directInviter = row.optionalText(2).map { UserID($0) }
        }
        timeline.members = try connection.rows("SELECT id, name, membership FROM members WHERE room = ?", number) {
            Self.member($0, 0)
        }
        try readLedger(&timeline.ledger, number, connection)
        // Back to the oldest gap at least: what is between the gaps and the end must be there when they are filled.
        let page = try readItems(
            number, above: nil, limit: Self.itemsAtOnce, downTo: try oldestGap(number, connection), connection)
        timeline.items = page.items
        timeline.hasOlder = page.hasOlder
        return timeline
    }

    private func readLedger(_ ledger: inout RoomLedger, _ number: Int64, _ connection: SQLiteConnection) throws {
        let shown = try connection.rows("SELECT id FROM items WHERE room = ? AND kind <> 20", number) {
            EventID($0.text(0))
        }
        ledger.known = Set(shown)
        _ = try connection.rows("SELECT kind, event FROM marks WHERE room = ?", number) { row in
            let event = EventID(row.text(1))
            switch RoomChanges.Mark.Kind(rawValue: row.integer(0)) {
            case .seen: ledger.known.insert(event)
            case .redacted: ledger.redacted.insert(event)
            case .appliedState: ledger.appliedState.insert(event)
            case nil: break
            }
        }
        _ = try connection.rows("SELECT target, sender, kind, text FROM edits WHERE room = ?", number) { row in
            let key = RoomLedger.EditKey(target: EventID(row.text(0)), sender: UserID(row.text(1)))
            if case .message(let message) = StoreRows.content(kind: row.integer(2), text: row.text(3)) {
                ledger.edits[key] = message
            }
        }
        _ = try connection.rows("SELECT id, position, ending, is_deferred FROM gaps WHERE room = ?", number) { row in
            ledger.gaps[EventID(row.text(0))] = RoomLedger.Gap(
                position: row.text(1), end: row.optionalText(2), isDeferred: row.bool(3))
        }
    }

    private func oldestGap(_ number: Int64, _ connection: SQLiteConnection) throws -> Int64? {
        try connection.first("SELECT min(ordinal) FROM items WHERE room = ? AND kind = 20", number) {
            $0.optionalInteger(0)
        } ?? nil
    }

    func readItems(
        in id: RoomID, above event: EventID, limit: Int, _ connection: SQLiteConnection
    ) throws -> StoredPage {
        let ordinal = try numbers[id].flatMap { number in
            try connection.first("SELECT ordinal FROM items WHERE room = ? AND id = ?", number, event.raw) {
                $0.integer(0)
            }
        }
        guard let number = numbers[id], let ordinal else { return StoredPage(items: [], hasOlder: false) }
        return try readItems(number, above: ordinal, limit: limit, downTo: nil, connection)
    }

    /// The newest `limit` items above `ordinal`, and more where one of them must not be left out.
    private func readItems(
        _ number: Int64, above ordinal: Int64?, limit: Int, downTo lowest: Int64?, _ connection: SQLiteConnection
    ) throws -> StoredPage {
        let bound = try connection.first(
            "SELECT ordinal FROM items WHERE room = ? AND ordinal < ? ORDER BY ordinal DESC LIMIT 1 OFFSET ?", number,
            ordinal ?? Int64.max, limit - 1
        ) { $0.integer(0) }
        let first = min(bound ?? .min, lowest ?? .max)
        let items = try connection.rows(
            """
            SELECT id, sender, at, kind, text, transaction_id FROM items
            WHERE room = ? AND ordinal >= ? AND ordinal < ? ORDER BY ordinal
            """, number, first, ordinal ?? Int64.max
        ) { StoreRows.item($0, 0) }
        let hasOlder =
            first == .min
            ? false
            : try connection.exists("SELECT 1 FROM items WHERE room = ? AND ordinal < ? LIMIT 1", number, first)
        return StoredPage(items: items, hasOlder: hasOlder)
    }

    func readContacts(_ connection: SQLiteConnection) throws -> [Contact]? {
        guard try connection.exists("SELECT 1 FROM facts WHERE name = 'contacts'") else { return nil }
        return try connection.rows(
            """
            SELECT id, name, email, chat_id, room, room_name, room_creator, is_private, created_at, updated_at
            FROM contacts ORDER BY place
            """
        ) { row in
            let user = User(
                id: Int(row.integer(0)), name: RemoteText(row.text(1)),
                email: row.optionalText(2).map { RemoteText($0) },
                chatID: UserID(row.text(3)))
            let room = Room(
                id: RoomID(row.text(4)), name: row.optionalText(5).map { RemoteText($0) },
                createdByID: row.optionalText(6).map { UserID($0) }, isPrivate: row.bool(7),
                createdAt: row.optionalInteger(8).map { Timestamp(milliseconds: $0) },
                updatedAt: row.optionalInteger(9).map { Timestamp(milliseconds: $0) })
            return Contact(user: user, room: room)
        }
    }
}
