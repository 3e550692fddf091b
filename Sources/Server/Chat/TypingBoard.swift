import Models

/// Who is typing in which room, until when. Client-server API, "Typing Notifications".
struct TypingBoard: Sendable {
    enum Event: Sendable {
        case started(UserID, RoomID, until: Timestamp)
        /// Also when the message has come, or the person has left.
        case stopped(UserID, RoomID)
        /// The timer of the room has fired.
        case timePassed(RoomID)
    }

    enum Action: Equatable, Sendable {
        /// The set of people has changed.
        case publish(RoomID)
        /// Tell `timePassed` then.
        case wake(RoomID, at: Timestamp)
    }

    private struct Room: Sendable {
        /// In the order in which they began.
        var people: [(user: UserID, until: Timestamp)] = []
        var timer: Timestamp?
    }

    private var rooms: [RoomID: Room] = [:]

    func people(in room: RoomID) -> [UserID] { rooms[room]?.people.map(\.user) ?? [] }

    mutating func handle(_ event: Event, now: Timestamp) -> [Action] {
        switch event {
        case .started(let user, let room, let until): start(user, room, until)
        case .stopped(let user, let room): stop(room) { $0 == user }
        case .timePassed(let room): expire(room, now)
        }
    }

    private mutating func start(_ user: UserID, _ id: RoomID, _ until: Timestamp) -> [Action] {
        var room = rooms[id] ?? Room()
        var actions: [Action] = []
        if let index = room.people.firstIndex(where: { $0.user == user }) {
            room.people[index].until = until
        } else {
            room.people.append((user, until))
            actions.append(.publish(id))
        }
        actions += schedule(&room, id)
        rooms[id] = room
        return actions
    }

    private mutating func stop(_ id: RoomID, where isOver: (UserID) -> Bool) -> [Action] {
        guard var room = rooms[id] else { return [] }
        let count = room.people.count
        room.people.removeAll { isOver($0.user) }
        rooms[id] = room.people.isEmpty && room.timer == nil ? nil : room
        return room.people.count == count ? [] : [.publish(id)]
    }

    private mutating func expire(_ id: RoomID, _ now: Timestamp) -> [Action] {
        guard rooms[id] != nil else { return [] }
        rooms[id]?.timer = nil
        let over = Set(rooms[id]?.people.filter { $0.until <= now }.map(\.user) ?? [])
        var actions = stop(id) { over.contains($0) }
        guard var room = rooms[id] else { return actions }
        actions += schedule(&room, id)
        rooms[id] = room
        return actions
    }

    /// One timer a room: it fires at the earliest end and then looks for the next.
    private func schedule(_ room: inout Room, _ id: RoomID) -> [Action] {
        guard let next = room.people.map(\.until).min(), room.timer ?? .init(milliseconds: .max) > next else {
            return []
        }
        room.timer = next
        return [.wake(id, at: next)]
    }
}
