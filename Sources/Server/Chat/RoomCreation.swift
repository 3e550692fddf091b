import Models
import SQLite

/// What a new room is to be. Client-server API, `POST /createRoom`.
struct RoomCreation {
    enum Preset: String, Sendable {
        case privateChat = "private_chat"
        case trustedPrivateChat = "trusted_private_chat"
        case publicChat = "public_chat"

        var joinRule: String { self == .publicChat ? "public" : "invite" }
        var guestAccess: String { self == .publicChat ? "forbidden" : "can_join" }
    }

    struct State: Sendable {
        var type: String
        var key: String
        var content: RawObject
    }

    static let versions = ["10"]

    var preset = Preset.privateChat
    var isListed = false
    var name: String?
    var topic: String?
    /// The local part of its first alias.
    var aliasName: String?
    var invitees: [UserID] = []
    var isDirect = false
    var initialState: [State] = []
    var powerOverride: [String: JSONValue] = [:]
    var creationContent: [String: JSONValue] = [:]
    var version = "10"
    /// The two people whose one private room it is.
    var people: (UserID, UserID)?
}

extension ChatTransaction {
    /// Makes the room with all that belongs to it; if any part of it is refused there is no room.
    func create(_ creation: RoomCreation, by creator: UserID) throws -> RoomID {
        let room = try makeRoom(creation, by: creator)
        let alias = try creation.aliasName.map { try makeAlias($0, of: room, by: creator) }
        for state in openingState(creation, creator, alias) {
            if state.type == "m.room.member" {
                let content = try memberContent(.join, of: creator, in: room)
                try appendMembership(.join, of: creator, in: room, by: creator, content: content)
            } else {
                try requireCoherence(state, in: room, creator)
                try append(state, to: room, by: creator)
            }
        }
        for invitee in creation.invitees {
            try requireAccount(invitee)
            try change(invitee, to: .invite, in: room, by: creator, isDirect: creation.isDirect)
        }
        return room
    }

    /// Throws where the levels that are wished for are none, or would keep the creator from setting what is wished for too.
    private func requireCoherence(_ state: RoomCreation.State, in room: RoomID, _ creator: UserID) throws {
        if state.type == "m.room.power_levels", let problem = PowerLevels.problem(in: state.content) {
            throw MatrixError(400, "M_INVALID_ROOM_STATE", problem)
        }
        guard state.type != "m.room.create", state.type != "m.room.power_levels" else { return }
        let power = try power(in: room)
        guard power.level(of: creator) < power.needed(for: state.type, isState: true) else { return }
        throw MatrixError(
            400, "M_INVALID_ROOM_STATE",
            "With these power levels the creator of the room could not set \(state.type), as asked for.")
    }

    private func makeRoom(_ creation: RoomCreation, by creator: UserID) throws -> RoomID {
        guard RoomCreation.versions.contains(creation.version) else {
            throw MatrixError(
                400, "M_UNSUPPORTED_ROOM_VERSION", "This server does not know room version \(creation.version).")
        }
        var room: RoomID
        repeat {
            room = RoomID("!\(identifiers.next(length: 18)):\(serverName)")
        } while try connection.exists("SELECT 1 FROM rooms WHERE room_id = ?", room.raw)
        let pair = creation.people.map { (min($0, $1), max($0, $1)) }
        try connection.run(
            "INSERT INTO rooms VALUES (?, ?, ?, ?, ?, ?, ?)", room.raw, creator.raw, creation.version,
            creation.isListed, pair?.0.raw, pair?.1.raw, now.milliseconds)
        return room
    }

    private func append(_ state: RoomCreation.State, to room: RoomID, by creator: UserID) throws {
        guard state.type != "m.room.encryption" else {
            throw MatrixError.forbidden("This server does not encrypt rooms.")
        }
        try append(Draft(type: state.type, stateKey: state.key, content: state.content), to: room, by: creator)
    }

    /// The state of a new room in the order that it is written, each piece once.
    private func openingState(
        _ creation: RoomCreation, _ creator: UserID, _ alias: String?
    ) -> [RoomCreation.State] {
        var states: [RoomCreation.State] = []
        func set(_ type: String, _ content: [String: JSONValue]) {
            set(RoomCreation.State(type: type, key: "", content: RawObject(content)))
        }
        func set(_ state: RoomCreation.State) {
            if let index = states.firstIndex(where: { $0.type == state.type && $0.key == state.key }) {
                // The creation and the creator's own standing are not for the asker to write.
                if index > 1 { states[index] = state }
            } else {
                states.append(state)
            }
        }
        var create = creation.creationContent
        create["creator"] = .string(creator.raw)
        create["room_version"] = .string(creation.version)
        set("m.room.create", create)
        set(RoomCreation.State(type: "m.room.member", key: creator.raw, content: .empty))
        set("m.room.power_levels", powerContent(creation, creator))
        if let alias { set("m.room.canonical_alias", ["alias": .string(alias)]) }
        set("m.room.join_rules", ["join_rule": .string(creation.preset.joinRule)])
        set("m.room.history_visibility", ["history_visibility": "shared"])
        set("m.room.guest_access", ["guest_access": .string(creation.preset.guestAccess)])
        for state in creation.initialState where state.type != "m.room.member" { set(state) }
        if let name = creation.name { set("m.room.name", ["name": .string(name)]) }
        if let topic = creation.topic { set("m.room.topic", ["topic": .string(topic)]) }
        return states
    }

    private func powerContent(_ creation: RoomCreation, _ creator: UserID) -> [String: JSONValue] {
        var users = [creator.raw: JSONValue.integer(100)]
        if let people = creation.people {
            users[people.0.raw] = 100
            users[people.1.raw] = 100
        }
        if creation.preset == .trustedPrivateChat {
            for invitee in creation.invitees { users[invitee.raw] = 100 }
        }
        let events: JSONValue = [
            "m.room.avatar": 50, "m.room.canonical_alias": 50, "m.room.encryption": 100,
            "m.room.history_visibility": 100, "m.room.name": 50, "m.room.power_levels": 100,
            "m.room.server_acl": 100, "m.room.tombstone": 100,
        ]
        let content: [String: JSONValue] = [
            "ban": 50, "events": events, "events_default": 0, "invite": 0, "kick": 50, "redact": 50,
            "state_default": 50, "users": .object(users), "users_default": 0,
        ]
        return content.merging(creation.powerOverride) { _, override in override }
    }
}

extension RawObject {
    /// Content written here, with its keys in order.
    init(_ members: [String: JSONValue]) {
        self.init(trusted: [UInt8](JSONValue.object(members).serialized()))
    }
}
