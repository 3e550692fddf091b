import Models

/// The content of `m.direct`: by person, the rooms that are shared with them alone. It is read whole, changed and written
/// whole; what cannot be read of it stays as it is. Client-server API, "Direct Messaging".
struct DirectRooms: Equatable, Sendable {
    static let type = "m.direct"

    private var people: [String: JSONValue]

    init(_ content: JSONValue?) { people = content?.object ?? [:] }

    var content: JSONValue { .object(people) }

    var persons: [UserID] { people.keys.sorted().map { UserID($0) } }

    func rooms(with person: UserID) -> [RoomID] {
        (people[person.raw]?.array ?? []).compactMap { $0.string.map { RoomID($0) } }
    }

    var byPerson: [UserID: [RoomID]] {
        Dictionary(persons.map { ($0, rooms(with: $0)) }, uniquingKeysWith: { first, _ in first })
    }

    /// False where it is there already.
    mutating func add(_ room: RoomID, with person: UserID) -> Bool {
        let rooms = people[person.raw]?.array ?? []
        guard !rooms.contains(.string(room.raw)) else { return false }
        people[person.raw] = .array(rooms + [.string(room.raw)])
        return true
    }

    /// False where there was nothing to remove.
    mutating func remove(_ person: UserID) -> Bool { people.removeValue(forKey: person.raw) != nil }
}

/// The content of `m.ignored_user_list`. Client-server API, "Ignoring Users".
struct IgnoredUsers: Equatable, Sendable {
    static let type = "m.ignored_user_list"

    private var content: [String: JSONValue]

    init(_ content: JSONValue?) { self.content = content?.object ?? [:] }

    var value: JSONValue { .object(content) }

    var people: Set<UserID> { Set((content["ignored_users"]?.object ?? [:]).keys.map { UserID($0) }) }

    mutating func set(_ person: UserID, isIgnored: Bool) {
        var people = content["ignored_users"]?.object ?? [:]
        people[person.raw] = isIgnored ? .object([:]) : nil
        content["ignored_users"] = .object(people)
    }
}
