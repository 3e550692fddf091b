import Models

let general = RoomID("!general:words.test")
let tea = RoomID("!tea:words.test")

/// A batch in which Alice is in these rooms; the first is General where it is so named.
func joined(_ next: String, _ rooms: [RoomID: [String]]) -> String {
    let parts = rooms.sorted { $0.key < $1.key }.map { room, events in
        "\"\(room)\":{\"timeline\":{\"events\":[\(events.joined(separator: ","))]}}"
    }
    return "{\"next_batch\":\"\(next)\",\"rooms\":{\"join\":{\(parts.joined(separator: ","))}}}"
}

func stateEvent(_ id: String, _ type: String, _ content: String, key: String = "", by: UserID = alice) -> String {
    """
    {"type":"\(type)","state_key":"\(key)","event_id":"\(id)","sender":"\(by)","content":\(content)}
    """
}

/// A channel of Alice's with her in it.
func teaEvents(by creator: UserID = alice) -> [String] {
    [
        stateEvent("$t1", "m.room.create", "{\"creator\":\"\(creator)\"}", by: creator),
        stateEvent("$t2", "m.room.member", #"{"membership":"join"}"#, key: alice.raw),
        stateEvent("$t3", "m.room.join_rules", #"{"join_rule":"public"}"#, by: creator),
        stateEvent("$t4", "m.room.name", #"{"name":"Tea"}"#, by: creator),
    ]
}

func generalEvents() -> [String] {
    [
        stateEvent("$g1", "m.room.create", #"{"creator":"@bob:words.test"}"#, by: bob),
        stateEvent("$g2", "m.room.canonical_alias", ##"{"alias":"#general:words.test"}"##, by: bob),
    ]
}
