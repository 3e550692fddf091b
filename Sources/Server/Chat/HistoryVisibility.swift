import Models
import SQLite

/// Which events of a room a person may see. Client-server API, "Room History Visibility".
struct HistoryVisibility: Sendable {
    /// Where each rule began to hold, in order; before the first, history is shared.
    private var periods: [(start: Int64, rule: String)]
    private let record: MembershipRecord?
    private let mayRead: ClosedRange<Int64>?

    /// For somebody whose standing in the room is `record`, nil for a stranger.
    init(of room: RoomID, for record: MembershipRecord?, _ connection: SQLiteConnection) throws {
        self.record = record
        periods = try connection.rows(
            """
            SELECT position, content FROM events
            WHERE room_id = ? AND type = 'm.room.history_visibility' AND state_key = '' ORDER BY position
            """, room.raw
        ) { ($0.integer(0), RawObject(trusted: $0.blob(1))["history_visibility"] ?? "shared") }
        mayRead = Self.stay(record)
    }

    /// Whether the person may read anything of the room by being or having been in it.
    var isMember: Bool { mayRead != nil }
    /// Whether anybody at all may read the room now.
    var isWorldReadable: Bool { periods.last?.rule == "world_readable" }
    /// The newest position that may show.
    var end: Int64 { isWorldReadable ? .max : mayRead?.upperBound ?? 0 }

    func allows(_ position: Int64) -> Bool {
        let rule = periods.last { $0.start <= position }?.rule ?? "shared"
        if rule == "world_readable" { return true }
        guard let mayRead, let record, position <= mayRead.upperBound else { return false }
        return switch rule {
        case "joined": position >= record.joinedAt
        case "invited": position >= (record.invitedAt > 0 ? min(record.invitedAt, record.joinedAt) : record.joinedAt)
        default: true
        }
    }

    /// From the beginning to the end of the latest stay; nil for somebody who never was in the room or forgot it.
    private static func stay(_ record: MembershipRecord?) -> ClosedRange<Int64>? {
        guard let record, record.joinedAt > 0, !record.isForgotten else { return nil }
        return record.membership == .join ? 0...Int64.max : 0...record.leftAt
    }
}
