import Models
import SQLite

/// What accounts and contacts need of the chat.
protocol ContactRooms: Sendable {
    /// The one private room of two people: made if there was none, with both in it and in both their `m.direct` maps. In
    /// one that there was, `user` is joined again; `other`, where they have left it, is only invited.
    func enterDirectRoom(_ user: UserID, with other: UserID) async throws -> RoomID
    /// `user` leaves the room and keeps its history; the other person stays.
    func leaveDirectRoom(_ room: RoomID, _ user: UserID) async throws
    /// Gives the account its new name, where there is one, and tells everybody who shares a room with it. `body` is done
    /// in the same transaction, first.
    func rename<Result: Sendable>(
        _ user: UserID, to name: String?, after body: @escaping @Sendable (SQLiteConnection) throws -> Result
    ) async throws -> Result
}

extension Chat {
    func rename<Result: Sendable>(
        _ user: UserID, to name: String?, after body: @escaping @Sendable (SQLiteConnection) throws -> Result
    ) async throws -> Result {
        try await write { transaction in
            let result = try body(transaction.connection)
            if let name { try transaction.rename(user, to: name) }
            return result
        }
    }
}
