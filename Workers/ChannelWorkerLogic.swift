import Models

/// What scenes ask about channels: rooms that are not shared with one person alone.
public protocol ChannelWorkerLogic: Sendable {
    /// Sees to it that one is in the channel that everybody is in: joins it, and makes it where there is none. Nil where
    /// this server is to have none.
    func joinGeneral() async throws(ChatError) -> RoomID?
    /// The rooms that anybody may join, in the server's order.
    func publicRooms() async throws(ChatError) -> [PublicRoom]
    /// Makes a channel and returns its room. Of public ones no two bear the same name: `taken`.
    func createChannel(_ name: String, isPrivate: Bool) async throws(ChatError) -> RoomID
    /// Takes a channel away for everybody. Throws where nothing was done; once the channel is marked as deleted it is gone
    /// from all lists, and what is left to do is done now or the next time there is a connection.
    func deleteChannel(_ room: RoomID) async throws(ChatError) -> ChannelDeletion
    func invite(_ user: UserID, to room: RoomID) async throws(ChatError)
}

public enum ChannelDeletion: Equatable, Sendable {
    case complete
    /// Cut off half way, by this; it is finished with the next connection.
    case unfinished(ChatError)
}
