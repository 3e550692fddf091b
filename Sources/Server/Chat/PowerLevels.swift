import Models

/// Who may do what in a room. Client-server API, `m.room.power_levels`, with its defaults for missing keys.
struct PowerLevels: Equatable, Sendable {
    var users: [String: Int64] = [:]
    var usersDefault: Int64 = 0
    var events: [String: Int64] = [:]
    var eventsDefault: Int64 = 0
    var stateDefault: Int64 = 50
    var invite: Int64 = 0
    var kick: Int64 = 50
    var ban: Int64 = 50
    var redact: Int64 = 50

    /// Without a power event the creator may do everything.
    init(content: RawObject?, creator: UserID) {
        guard let content else {
            users = [creator.raw: 100]
            return
        }
        users = content.object("users")?.integers ?? [:]
        usersDefault = content.integer("users_default") ?? 0
        events = content.object("events")?.integers ?? [:]
        eventsDefault = content.integer("events_default") ?? 0
        stateDefault = content.integer("state_default") ?? 50
        invite = content.integer("invite") ?? 0
        kick = content.integer("kick") ?? 50
        ban = content.integer("ban") ?? 50
        redact = content.integer("redact") ?? 50
    }

    /// What keeps `content` from being levels: they are integers, and people have user ids. Nil where it is fine. Room
    /// version 10, rule 9.
    static func problem(in content: RawObject) -> String? {
        let plain = ["ban", "events_default", "invite", "kick", "redact", "state_default", "users_default"]
        for name in plain where content[raw: name] != nil && content.integer(name) == nil {
            return "The level \(name) has to be an integer."
        }
        for name in ["events", "notifications", "users"] where content[raw: name] != nil {
            guard let levels = content.object(name), levels.integers.count == Set(levels.names).count else {
                return "The levels under \(name) have to be integers."
            }
        }
        for person in content.object("users")?.names ?? [] where !UserID(person).isWellFormed {
            return "\(person) is no user id."
        }
        return nil
    }

    func level(of user: UserID) -> Int64 { users[user.raw] ?? usersDefault }

    /// What it takes to send an event of `type`.
    func needed(for type: String, isState: Bool) -> Int64 {
        events[type] ?? (isState ? stateDefault : eventsDefault)
    }

    /// Why `user` may not replace these levels by `new`; nil where it is allowed. Nobody may give, take or change what
    /// is above their own level, nor lower somebody as powerful as they are. Room version 10, rule 9.
    func objection(to new: PowerLevels, by user: UserID) -> String? {
        let own = level(of: user)
        let pairs: [(Int64, Int64)] = [
            (usersDefault, new.usersDefault), (eventsDefault, new.eventsDefault), (stateDefault, new.stateDefault),
            (invite, new.invite), (kick, new.kick), (ban, new.ban), (redact, new.redact),
        ]
        for (old, new) in pairs where old != new && max(old, new) > own {
            return "You cannot change a level that is above your own (\(own))."
        }
        for type in Set(events.keys).union(new.events.keys) where events[type] != new.events[type] {
            if max(events[type] ?? .min, new.events[type] ?? .min) > own {
                return "You cannot change a level that is above your own (\(own))."
            }
        }
        for person in Set(users.keys).union(new.users.keys) where users[person] != new.users[person] {
            if new.users[person] ?? .min > own { return "You cannot give more power than you have (\(own))." }
            if person != user.raw, users[person] ?? .min >= own {
                return "You cannot change the power of \(person), who has as much as you."
            }
        }
        return nil
    }
}
