import Foundation
import Models

extension MatrixChatService {
    func createRoom(_ room: NewRoom) async throws(ChatServiceError) -> RoomID {
        var content: [String: JSONValue] = [
            "name": .string(room.name), "preset": room.isPrivate ? "private_chat" : "public_chat",
            "visibility": room.isPrivate ? "private" : "public",
        ]
        if let alias = room.alias { content["room_alias_name"] = .string(alias) }
        let body = JSONValue.object(content).serialized()
        let answer: MatrixShapes.RoomIDAnswer = try await ask(call(.create, ["createRoom"], "POST", body))
        return answer.room_id
    }

    func room(named alias: String) async throws(ChatServiceError) -> FoundRoom? {
        do {
            let answer: MatrixShapes.AliasAnswer = try await ask(call(.alias, ["directory", "room", alias]))
            return FoundRoom(id: answer.room_id, servers: answer.servers)
        } catch {
            guard case .notFound = error else { throw error }
            return nil
        }
    }

    func publicRooms(since: String?) async throws(ChatServiceError) -> MatrixShapes.PublicRooms {
        var call = call(.publicRooms, ["publicRooms"])
        call.query = [("limit", "500")]
        if let since { call.query.append(("since", since)) }
        return try await ask(call)
    }

    func invite(_ user: UserID, to room: RoomID) async throws(ChatServiceError) {
        let content: JSONValue = ["user_id": .string(user.raw)]
        try await tell(call(.invite, ["rooms", room.raw, "invite"], "POST", content.serialized()))
    }

    func kick(_ user: UserID, from room: RoomID, reason: String) async throws(ChatServiceError) {
        let content: JSONValue = ["user_id": .string(user.raw), "reason": .string(reason)]
        try await tell(call(.kick, ["rooms", room.raw, "kick"], "POST", content.serialized()))
    }

    func forget(_ room: RoomID) async throws(ChatServiceError) {
        try await tell(call(.forget, ["rooms", room.raw, "forget"], "POST", "{}"))
    }

    func setState(_ type: String, to content: JSONValue, in room: RoomID) async throws(ChatServiceError) {
        try await tell(call(.state, ["rooms", room.raw, "state", type], "PUT", content.serialized()))
    }

    func unlist(_ room: RoomID) async throws(ChatServiceError) {
        try await tell(call(.listing, ["directory", "list", "room", room.raw], "PUT", #"{"visibility":"private"}"#))
    }

    func aliases(of room: RoomID) async throws(ChatServiceError) -> [String] {
        let answer: JSONValue = try await ask(call(.alias, ["rooms", room.raw, "aliases"]))
        return (answer["aliases"]?.array ?? []).compactMap(\.string)
    }

    func removeAlias(_ alias: String) async throws(ChatServiceError) {
        do { try await tell(call(.alias, ["directory", "room", alias], "DELETE")) } catch {
            guard case .notFound = error else { throw error }
        }
    }

    func presentMembers(of room: RoomID) async throws(ChatServiceError) -> [UserID] {
        let answer: JSONValue = try await ask(call(.members, ["rooms", room.raw, "members"]))
        return (answer["chunk"]?.array ?? []).compactMap { event in
            let membership = event["content"]?["membership"]?.string
            guard membership == "join" || membership == "invite" else { return nil }
            return event["state_key"]?.string.map { UserID($0) }
        }
    }

    func announce(
        _ type: String, _ content: JSONValue, in room: RoomID, transaction: TransactionID
    ) async throws(ChatServiceError) {
        let segments = ["rooms", room.raw, "send", type, transaction.raw]
        try await tell(call(.announce, segments, "PUT", content.serialized()))
    }
}
