/// Whether a person is there. Matrix client-server API, "Presence".
public struct Presence: Equatable, Sendable {
    public enum State: String, Sendable, Codable { case online, unavailable, offline }

    public var state: State
    /// When they were last active, by this machine's clock; nil where the server does not say.
    public var lastActiveAt: Timestamp?

    public init(state: State, lastActiveAt: Timestamp? = nil) {
        self.state = state
        self.lastActiveAt = lastActiveAt
    }
}
