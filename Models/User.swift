/// A person with an account on the service.
public struct User: Equatable, Sendable {
    /// The number the Words API gives accounts; 0 on a plain Matrix homeserver, which has none.
    public var id: Int
    public var name: RemoteText
    /// Absent for accounts made through Matrix registration.
    public var email: RemoteText?
    /// The Matrix user id; `chatkit_id` in the Words API.
    public var chatID: UserID

    public init(id: Int, name: RemoteText, email: RemoteText?, chatID: UserID) {
        self.id = id
        self.name = name
        self.email = email
        self.chatID = chatID
    }
}
