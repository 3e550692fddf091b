import Models
import SQLite

/// Reads what one sync tells one person, in one snapshot of the database. Client-server API, `GET /sync`.
struct SyncReader {
    let events: EventReader
    let plan: SyncPlan
    let viewer: Viewer
    let filter: SyncFilter
    let fullState: Bool
    let chat: Chat
    /// The person's own name, for which messages are searched.
    let name: String

    static let timelineLimit = 20

    /// The answer, and whether it tells anything at all.
    func answer() throws -> (body: [UInt8], isEmpty: Bool) {
        let data = try accountData()
        var joined: [(RoomID, [UInt8])] = []
        var invited: [(RoomID, [UInt8])] = []
        var left: [(RoomID, [UInt8])] = []
        for room in try rooms(with: data).sorted(by: { $0.id < $1.id }) where filter.includes(room.id) {
            switch room.record.membership {
            case .join:
                let own = data.filter { $0.room == room.id }
                if let part = try SyncRoom(self, room).joined(own) { joined.append((room.id, part)) }
            case .invite: invited.append((room.id, try SyncRoom(self, room).invited()))
            case .leave, .ban, .knock:
                guard plan.since != nil || filter.includesLeft else { continue }
                if let part = try SyncRoom(self, room).left() { left.append((room.id, part)) }
            }
        }
        let global = data.filter { $0.room == nil && filter.accountData.passes(type: $0.type) }
        let presence = plan.presence.filter { filter.presence.passes(type: "m.presence", sender: $0.user) }
        let isEmpty = joined.isEmpty && invited.isEmpty && left.isEmpty && global.isEmpty && presence.isEmpty
        let parts = [("invite", invited), ("join", joined), ("leave", left)].filter { !$0.1.isEmpty }
        return (body(parts, global, presence), isEmpty)
    }

    private func body(
        _ parts: [(String, [(RoomID, [UInt8])])], _ data: [SQLiteConnection.AccountDatum],
        _ presence: [SyncPlan.Presence]
    ) -> [UInt8] {
        let size = parts.reduce(1_024) { $0 + $1.1.reduce(0) { $0 + $1.1.count + 64 } }
        var buffer = JSONBuffer(capacity: size)
        buffer.object { buffer in
            let showsRules = plan.since == nil && filter.accountData.passes(type: "m.push_rules")
            if !data.isEmpty || showsRules {
                buffer.name("account_data")
                buffer.events { buffer in
                    if showsRules { buffer.raw(Self.pushRules) }
                    for datum in data { buffer.event(datum.type, datum.content) }
                }
            }
            if plan.since == nil {
                buffer.raw(Self.firstOnly)
            }
            buffer.member("next_batch", plan.upTo.text)
            if !presence.isEmpty {
                buffer.name("presence")
                buffer.events { buffer in
                    for news in presence { news.person.write(to: &buffer, of: news.user, now: viewer.now) }
                }
            }
            if !parts.isEmpty {
                buffer.name("rooms")
                buffer.object { buffer in
                    for (name, rooms) in parts {
                        buffer.name(name)
                        buffer.object { buffer in
                            for (id, bytes) in rooms {
                                buffer.name(id.raw)
                                buffer.raw(bytes)
                            }
                        }
                    }
                }
            }
        }
        return buffer.bytes
    }

    private static let firstOnly = Array(
        #""device_lists":{"changed":[],"left":[]},"device_one_time_keys_count":{},"to_device":{"events":[]}"#.utf8)
    private static let pushRules = Array(#"{"content":\#(PushRules.json),"type":"m.push_rules"}"#.utf8)

    private func accountData() throws -> [SQLiteConnection.AccountDatum] {
        guard plan.since == nil || plan.hasAccountData || fullState else { return [] }
        let start = fullState ? 0 : plan.since?.position ?? 0
        return try events.connection.accountData(of: viewer.user, after: start, upTo: plan.upTo.position)
    }

    /// The rooms of the plan, and those of which only account data is new; all where the full state is wanted.
    private func rooms(with data: [SQLiteConnection.AccountDatum]) throws -> [SyncPlan.Room] {
        var rooms = plan.rooms
        var known = Set(rooms.map(\.id))
        let further = fullState ? chat.joinedRooms(of: viewer.user) : data.compactMap(\.room)
        for id in further where !known.contains(id) {
            guard let record = chat.record(of: viewer.user, in: id), record.membership == .join else { continue }
            known.insert(id)
            rooms.append(
                SyncPlan.Room(
                    id: id, record: record, typing: nil, hasNewReceipts: false, hasNewEvents: false,
                    hasNewStandings: false))
        }
        return rooms
    }
}

extension JSONBuffer {
    /// `{"events":[…]}`, the form of every list in a sync.
    mutating func events(_ body: (inout JSONBuffer) throws -> Void) rethrows {
        try object { buffer in
            buffer.name("events")
            try buffer.array(body)
        }
    }

    /// An event that has only a type and a content.
    mutating func event(_ type: String, _ content: [UInt8]) {
        object { buffer in
            buffer.name("content")
            buffer.raw(content)
            buffer.member("type", type)
        }
    }
}

extension PresenceBoard.Person {
    /// The content of `m.presence`, without braces.
    func writeContent(to buffer: inout JSONBuffer, now: Timestamp) {
        if state != .offline { buffer.member("currently_active", state == .online) }
        if let lastActiveAt { buffer.member("last_active_ago", max(0, (now - lastActiveAt).milliseconds)) }
        buffer.member("presence", state.rawValue)
        if let message { buffer.member("status_msg", message) }
    }

    func write(to buffer: inout JSONBuffer, of user: UserID, now: Timestamp) {
        buffer.object { buffer in
            buffer.name("content")
            buffer.object { writeContent(to: &$0, now: now) }
            buffer.member("sender", user.raw)
            buffer.member("type", "m.presence")
        }
    }
}

/// This server sends no pushes; clients that ask for the rules get none.
enum PushRules {
    static let json = #"{"global":{"content":[],"override":[],"room":[],"sender":[],"underride":[]}}"#
}
