import Foundation
import Models

/// What the platform's decoder makes of a batch: the measure for the reader.
struct DecodedSync: Decodable, Equatable {
    var next_batch: String
    var rooms = MatrixShapes.SyncRooms()
    var account_data: [MatrixShapes.MapEvent]
    var presence: [MatrixShapes.Event]

    private enum Key: String, CodingKey { case next_batch, rooms, join, invite, leave, account_data, presence }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        next_batch = try container.decode(String.self, forKey: .next_batch)
        if let parts = try? container.nestedContainer(keyedBy: Key.self, forKey: .rooms) {
            rooms.joined = Self.news(parts, .join)
            rooms.invited = Self.news(parts, .invite)
            rooms.left = Self.news(parts, .leave)
        }
        account_data = container.lenient(.account_data, as: Events<MatrixShapes.MapEvent>.self)?.events ?? []
        presence = container.lenient(.presence, as: Events<MatrixShapes.Event>.self)?.events ?? []
    }

    /// What the reader makes of the same, in parts of `size`; nil where it refuses it.
    init?(read data: Data, partSize: Int) {
        guard let sync = MatrixShapes.Sync(data) else { return nil }
        next_batch = sync.next_batch
        account_data = sync.account_data
        presence = sync.presence
        for part in sync.parts(of: partSize) {
            let more = sync.rooms(in: part)
            rooms.joined += more.joined
            rooms.invited += more.invited
            rooms.left += more.left
        }
    }

    /// The rooms that can be read; the others are passed over.
    private static func news<News: Decodable>(
        _ parts: KeyedDecodingContainer<Key>, _ key: Key
    ) -> [MatrixShapes.RoomNews<News>] {
        (parts.lenient(key, as: [String: Attempt<News>].self) ?? [:])
            .compactMap { id, room in room.value.map { MatrixShapes.RoomNews(id: RoomID(id), news: $0) } }
            .sorted { $0.id < $1.id }
    }
}

private struct Events<Element: Decodable>: Decodable {
    var events: [Element]

    private enum Key: String, CodingKey { case events }

    init(from decoder: any Decoder) throws {
        events = try decoder.container(keyedBy: Key.self).lenientArray(.events)
    }
}

extension MatrixShapes.Event: Decodable {
    private enum Key: String, CodingKey {
        case event_id, type, sender, state_key, origin_server_ts, content, unsigned, redacts
        case transaction_id, age, prev_content
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(type: try container.decode(String.self, forKey: .type))
        event_id = container.lenient(.event_id)
        sender = container.lenient(.sender)
        state_key = container.lenient(.state_key)
        origin_server_ts = container.lenient(.origin_server_ts)
        content = container.lenient(.content) ?? MatrixShapes.Content()
        let unsigned = try? container.nestedContainer(keyedBy: Key.self, forKey: .unsigned)
        transaction_id = unsigned?.lenient(.transaction_id)
        age = unsigned?.lenient(.age)
        prev_content = unsigned?.lenient(.prev_content)
        redacts = container.lenient(.redacts) ?? content.redacts
    }
}

extension MatrixShapes.PreviousContent: Decodable {
    private enum Key: String, CodingKey { case membership }

    public init(from decoder: any Decoder) throws {
        self.init()
        membership = try decoder.container(keyedBy: Key.self).lenient(.membership)
    }
}

extension MatrixShapes.Relation: Decodable {
    private enum Key: String, CodingKey { case rel_type, event_id }

    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: Key.self)
        rel_type = container.lenient(.rel_type)
        event_id = container.lenient(.event_id)
    }
}

extension MatrixShapes.NewContent: Decodable {
    private enum Key: String, CodingKey { case msgtype, body }

    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: Key.self)
        msgtype = container.lenient(.msgtype)
        body = container.lenient(.body)
    }
}

extension MatrixShapes.Content: Decodable {
    private enum Key: String, CodingKey {
        case relates_to = "m.relates_to"
        case new_content = "m.new_content"
        case is_deleted = "org.words.deleted"
        case deleted_room = "org.words.deleted_room"
        case redacts
        case msgtype, body, membership, displayname, is_direct, name, alias, topic, join_rule, creator, replacement_room
        case user_ids, presence, last_active_ago, currently_active
    }

    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: Key.self)
        msgtype = container.lenient(.msgtype)
        body = container.lenient(.body)
        membership = container.lenient(.membership)
        displayname = container.lenient(.displayname)
        is_direct = container.lenient(.is_direct)
        name = container.lenient(.name)
        alias = container.lenient(.alias)
        topic = container.lenient(.topic)
        join_rule = container.lenient(.join_rule)
        creator = container.lenient(.creator)
        is_deleted = container.lenient(.is_deleted)
        replacement_room = container.lenient(.replacement_room)
        deleted_room = container.lenient(.deleted_room)
        user_ids = container.contains(.user_ids) ? container.lenientArray(.user_ids) : nil
        presence = container.lenient(.presence)
        last_active_ago = container.lenient(.last_active_ago)
        currently_active = container.lenient(.currently_active)
        relates_to = container.lenient(.relates_to)
        new_content = container.lenient(.new_content)
        redacts = container.lenient(.redacts)
    }
}

extension MatrixShapes.MapEvent: Decodable {
    private enum Key: String, CodingKey { case type, content }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            type: try container.decode(String.self, forKey: .type),
            content: try container.decode(JSONValue.self, forKey: .content))
    }
}

private struct Hero: Decodable {
    var id: UserID?

    init(from decoder: any Decoder) throws { id = try? UserID(from: decoder) }
}

extension MatrixShapes.JoinedRoom: Decodable {
    private enum Key: String, CodingKey {
        case timeline, state, ephemeral, summary, unread_notifications
        case heroes = "m.heroes"
        case joined = "m.joined_member_count"
        case invited = "m.invited_member_count"
        case notification_count, highlight_count
    }

    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: Key.self)
        timeline = container.lenient(.timeline) ?? MatrixShapes.TimelinePart()
        state = container.lenient(.state, as: Events<MatrixShapes.Event>.self)?.events ?? []
        ephemeral = container.lenient(.ephemeral, as: Events<MatrixShapes.Event>.self)?.events ?? []
        let maps = container.lenient(.ephemeral, as: Events<MatrixShapes.MapEvent>.self)?.events ?? []
        receipts = maps.filter { $0.type == "m.receipt" }
        let summary = try? container.nestedContainer(keyedBy: Key.self, forKey: .summary)
        // A hero that cannot be read is passed over, as everywhere else.
        heroes = summary?.lenient(.heroes, as: [Hero].self)?.compactMap(\.id)
        joinedCount = summary?.lenient(.joined)
        invitedCount = summary?.lenient(.invited)
        let unread = try? container.nestedContainer(keyedBy: Key.self, forKey: .unread_notifications)
        notificationCount = unread?.lenient(.notification_count)
        highlightCount = unread?.lenient(.highlight_count)
    }
}

extension MatrixShapes.InvitedRoom: Decodable {
    private enum Key: String, CodingKey { case invite_state }

    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: Key.self)
        state = container.lenient(.invite_state, as: Events<MatrixShapes.Event>.self)?.events ?? []
    }
}

extension MatrixShapes.LeftRoom: Decodable {
    private enum Key: String, CodingKey { case timeline, state }

    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: Key.self)
        timeline = container.lenient(.timeline) ?? MatrixShapes.TimelinePart()
        state = container.lenient(.state, as: Events<MatrixShapes.Event>.self)?.events ?? []
    }
}

extension MatrixShapes.TimelinePart: Decodable {
    private enum Key: String, CodingKey { case events, limited, prev_batch }

    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: Key.self)
        events = container.lenientArray(.events)
        limited = container.lenient(.limited) ?? false
        prev_batch = container.lenient(.prev_batch)
    }
}

private struct Attempt<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}
