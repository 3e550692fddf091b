import Scenes

/// What a predicate of a script can look at: the newest view models of the scene on top, as plain values.
///
/// All texts have been through the sanitiser, and hold what the screen shows.
public struct ScreenFacts: Equatable, Sendable {
    /// One row of the list of contacts.
    public struct ContactFact: Equatable, Sendable {
        public var name: String
        public var isOnline: Bool
        public var unreadCount: Int
    }

    /// One channel of the list.
    public struct ChannelFact: Equatable, Sendable {
        /// One's own standing towards it.
        public enum State: String, Sendable { case joined, `public`, invited }

        public var name: String
        public var state: State
        public var unreadCount: Int
    }

    /// One message of the conversation.
    public struct MessageFact: Equatable, Sendable {
        public enum State: String, Sendable { case sending, waiting, failed, sent }

        public var text: String
        public var sender: String
        public var state: State
    }

    public var scene: SceneName
    public var contacts: [ContactFact] = []
    public var channels: [ChannelFact] = []
    /// In the order of the screen.
    public var messages: [MessageFact] = []
    /// Lines that say who joined or left.
    public var statusLines: [String] = []
    /// The names of those who are typing.
    public var typing: [String] = []
    /// Errors and notices that are on the screen.
    public var errors: [String] = []
    public var screen: [String] = []

    public init(scene: SceneName) { self.scene = scene }
}
