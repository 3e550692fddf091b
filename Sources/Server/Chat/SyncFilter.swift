import Models

/// What a client wants to hear of. Client-server API, "Filtering".
struct SyncFilter: Sendable {
    var rooms: Set<RoomID>?
    var notRooms: Set<RoomID> = []
    var includesLeft = false
    var timeline = EventFilter()
    var state = EventFilter()
    var ephemeral = EventFilter()
    var roomAccountData = EventFilter()
    var accountData = EventFilter()
    var presence = EventFilter()
    /// The fields of events to be sent, as dotted paths; nil for all.
    var fields: [String]?

    /// Everything.
    init() {}

    init(_ value: JSONValue) throws(MatrixError) {
        guard value.object != nil else { throw .badJSON("A filter is an object.") }
        fields = try EventFilter.list(value, "event_fields")
        accountData = try EventFilter(value["account_data"])
        presence = try EventFilter(value["presence"])
        guard let room = value["room"], room != .null else { return }
        guard room.object != nil else { throw .badJSON("room has to be an object.") }
        rooms = try EventFilter.list(room, "rooms").map { Set($0.map { RoomID($0) }) }
        notRooms = Set(try EventFilter.list(room, "not_rooms")?.map { RoomID($0) } ?? [])
        includesLeft = try EventFilter.flag(room, "include_leave") ?? false
        timeline = try EventFilter(room["timeline"])
        state = try EventFilter(room["state"])
        ephemeral = try EventFilter(room["ephemeral"])
        roomAccountData = try EventFilter(room["account_data"])
    }

    func includes(_ room: RoomID) -> Bool { !notRooms.contains(room) && rooms?.contains(room) ?? true }
}

/// Which events of one list pass. What is excluded wins over what is included.
struct EventFilter: Sendable {
    var types: [String]?
    var notTypes: [String] = []
    var senders: Set<String>?
    var notSenders: Set<String> = []
    var rooms: Set<RoomID>?
    var notRooms: Set<RoomID> = []
    var limit: Int?
    /// Only events whose content has a `url`, or only those without; nil for both.
    var hasURL: Bool?
    /// Members only as far as they are needed to show the events.
    var isLazy = false

    /// Everything.
    init() {}

    init(_ value: JSONValue?) throws(MatrixError) {
        guard let value, value != .null else { return }
        guard value.object != nil else { throw .badJSON("A filter of events is an object.") }
        types = try Self.list(value, "types")
        notTypes = try Self.list(value, "not_types") ?? []
        senders = try Self.list(value, "senders").map { Set($0) }
        notSenders = Set(try Self.list(value, "not_senders") ?? [])
        rooms = try Self.list(value, "rooms").map { Set($0.map { RoomID($0) }) }
        notRooms = Set(try Self.list(value, "not_rooms")?.map { RoomID($0) } ?? [])
        hasURL = try Self.flag(value, "contains_url")
        isLazy = try Self.flag(value, "lazy_load_members") ?? false
        if let limit = value["limit"], limit != .null {
            guard let number = limit.integer, number > 0 else { throw .badJSON("limit has to be above 0.") }
            self.limit = Int(min(number, 1_000))
        }
    }

    /// Whether nothing can pass.
    var isClosed: Bool { types?.isEmpty ?? false }
    /// Whether everything passes, in every room.
    var isOpen: Bool {
        types == nil && notTypes.isEmpty && senders == nil && notSenders.isEmpty && rooms == nil && notRooms.isEmpty
            && hasURL == nil
    }

    func passes(type: String, sender: UserID? = nil, room: RoomID? = nil) -> Bool {
        if isOpen { return true }
        if notTypes.contains(where: { Self.matches(type, $0) }) { return false }
        if let types, !types.contains(where: { Self.matches(type, $0) }) { return false }
        if let sender {
            if notSenders.contains(sender.raw) { return false }
            if let senders, !senders.contains(sender.raw) { return false }
        }
        if let room {
            if notRooms.contains(room) { return false }
            if let rooms, !rooms.contains(room) { return false }
        }
        return true
    }

    func passes(_ event: StoredEvent) -> Bool {
        guard passes(type: event.type, sender: event.sender, room: event.roomID) else { return false }
        guard let hasURL else { return true }
        return (RawObject(trusted: event.content)["url"] != nil) == hasURL
    }

    /// Whether it is true under `key`; nil where there is no such key.
    static func flag(_ value: JSONValue, _ key: String) throws(MatrixError) -> Bool? {
        guard let value = value[key], value != .null else { return nil }
        guard let flag = value.bool else { throw .badJSON("\(key) is either true or false.") }
        return flag
    }

    /// The strings under `key`; nil where there is no such key.
    static func list(_ value: JSONValue, _ key: String) throws(MatrixError) -> [String]? {
        guard let list = value[key], list != .null else { return nil }
        guard let items = list.array else { throw .badJSON("\(key) has to be a list of strings.") }
        let strings = items.compactMap(\.string)
        guard strings.count == items.count else { throw .badJSON("\(key) has to be a list of strings.") }
        return strings
    }

    /// Whether `text` matches `pattern`, in which `*` stands for anything.
    private static func matches(_ text: String, _ pattern: String) -> Bool {
        let parts = pattern.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
        guard parts.count > 1, let first = parts.first, let last = parts.last else {
            return text.utf8.elementsEqual(pattern.utf8)
        }
        var rest = Array(text.utf8)[...]
        guard rest.starts(with: first) else { return false }
        rest = rest.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let found = position(of: Array(part), in: rest) else { return false }
            rest = rest[(found + part.count)...]
        }
        return rest.count >= last.count && rest.suffix(last.count).elementsEqual(last)
    }

    private static func position(of part: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= part.count else { return nil }
        return (bytes.startIndex...(bytes.endIndex - part.count)).first { bytes[$0...].starts(with: part) }
    }
}
