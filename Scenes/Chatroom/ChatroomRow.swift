import Models

extension Chatroom {
    /// One row of the conversation. Ids are unique within the rows and stay the same for as long as the row is the same.
    public enum Row: Equatable, Sendable {
        /// The calendar day changes here; `text` is the day of what stands below.
        case day(id: String, text: String)
        case message(MessageRow)
        /// `User X has joined`, `User X has left`.
        case status(id: String, text: RemoteText, timeText: String)
        /// Messages are missing here.
        case gap(id: String, text: String)

        public var id: String {
            switch self {
            case .day(let id, _), .status(let id, _, _), .gap(let id, _): id
            case .message(let row): row.id
            }
        }
    }

    public struct MessageRow: Equatable, Sendable {
        public enum State: Equatable, Sendable {
            /// Its first attempt is under way.
            case sending
            /// Not sent yet; tried again by itself.
            case waiting
            /// The server has it.
            case sent
            /// Not sent, and not tried again unless asked for.
            case failed(reason: RemoteText)
        }

        public enum Kind: Equatable, Sendable { case text, emote, notice, media }

        /// The same before and after the server has the message.
        public var id: String
        public var senderID: UserID
        /// Shows the id as well where it could pass for somebody else's.
        public var senderName: RemoteText
        public var initials: RemoteText
        public var isOwn: Bool
        /// `HH:mm`, or `unknown time`.
        public var timeText: String
        public var kind: Kind
        /// Ready to be shown; of an emote `* Name body`. May hold newlines and tabs.
        public var body: RemoteText
        public var state: State

        public init(
            id: String, senderID: UserID, senderName: RemoteText, initials: RemoteText, isOwn: Bool,
            timeText: String,
            kind: Kind = .text, body: RemoteText, state: State = .sent
        ) {
            self.id = id
            self.senderID = senderID
            self.senderName = senderName
            self.initials = initials
            self.isOwn = isOwn
            self.timeText = timeText
            self.kind = kind
            self.body = body
            self.state = state
        }
    }
}
