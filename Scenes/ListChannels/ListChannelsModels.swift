import Models
import Workers

/// The rooms that several people share: those one is in, those one is invited to, and those that anybody may join.
///
/// Requests that are about one channel name it by `which`: the number of a row, its name, or the id of its room.
public enum ListChannels {
    /// The scene appears: enter General, fetch the public list, follow the news.
    public enum Start {
        public struct Request: Equatable, Sendable {
            public init() {}
        }
    }

    /// The list.
    public enum Fetch {
        /// Fetch again because somebody asks for it; General is tried again too.
        public struct Request: Equatable, Sendable {
            public init() {}
        }

        public struct Response: Equatable, Sendable {
            /// In the order of the rows.
            var channels: [ChannelStanding]
            /// As they call themselves, for telling namesakes apart.
            var people: [UserID: RemoteText]
            var ownID: UserID
            var isLoading: Bool
            var isReload: Bool
        }

        public struct ViewModel: Equatable, Sendable {
            public var title: String
            public var rows: [Row]
            /// Stands in place of the rows where there are none.
            public var emptyText: String?
            /// The first sync has not ended yet.
            public var isLoading: Bool
            /// The list has been loaded as a whole: a text view prints it.
            public var isReload: Bool

            public init(
                title: String = "Channels", rows: [Row], emptyText: String? = nil, isLoading: Bool = false,
                isReload: Bool = false
            ) {
                self.title = title
                self.rows = rows
                self.emptyText = emptyText
                self.isLoading = isLoading
                self.isReload = isReload
            }
        }
    }

    /// How a request has ended that changes something.
    public struct OutcomeViewModel: Equatable, Sendable {
        public var outcome: Outcome
        public var roomID: RoomID?

        public init(outcome: Outcome, roomID: RoomID? = nil) {
            self.outcome = outcome
            self.roomID = roomID
        }
    }

    /// Whether what is shown is current.
    public enum Reachability {
        public struct Response: Equatable, Sendable {
            var connection: Models.Connection
        }

        public struct ViewModel: Equatable, Sendable {
            public var banner: Banner

            public init(banner: Banner) { self.banner = banner }
        }
    }

    /// Something happened to one channel, here or elsewhere: worth one line, exactly once.
    public enum Event {
        public enum Kind: Equatable, Sendable { case added, invited, joined, left, renamed, removed, deleted }

        public struct Response: Equatable, Sendable {
            var kind: Kind
            var channel: ChannelStanding
            var formerName: RemoteText?
            var people: [UserID: RemoteText]
        }

        public struct ViewModel: Equatable, Sendable {
            public var kind: Kind
            public var line: RemoteText

            public init(kind: Kind, line: RemoteText) {
                self.kind = kind
                self.line = line
            }
        }
    }

    /// Make a channel. The channel itself comes as an `Event`.
    public enum Create {
        public struct Request: Equatable, Sendable {
            public var name: String
            public var isPrivate: Bool

            public init(name: String, isPrivate: Bool = false) {
                self.name = name
                self.isPrivate = isPrivate
            }
        }

        public struct Response: Equatable, Sendable {
            var name: String
            var roomID: RoomID?
            var fault: CreateFault?
        }
    }

    /// What a person does with one channel.
    public enum Act {
        public enum Kind: Equatable, Sendable { case join, accept, decline, delete }

        public struct Request: Equatable, Sendable {
            public var kind: Kind
            public var which: String

            public init(kind: Kind, which: String) {
                self.kind = kind
                self.which = which
            }
        }

        public struct Response: Equatable, Sendable {
            var kind: Kind
            var chosen: ChosenChannel
            var fault: ActFault?
            /// A deletion that was cut off, by this.
            var unfinished: ChatError?
        }
    }

    /// Delete, behind a confirmation; and log out, too.
    public enum Confirmation {
        public struct Request: Equatable, Sendable {
            public init() {}
        }

        public struct Response: Equatable, Sendable {
            /// The channel that would be deleted.
            var channel: ChannelStanding?
            var isCancelled = false
        }

        public struct ViewModel: Equatable, Sendable {
            /// Whether something is to be confirmed or cancelled.
            public var isAsking: Bool
            public var outcome: Outcome

            public init(isAsking: Bool, outcome: Outcome) {
                self.isAsking = isAsking
                self.outcome = outcome
            }
        }
    }

    /// Choose the channel to chat in. Where the outcome is done, go on to the chatroom.
    public enum Select {
        public struct Request: Equatable, Sendable {
            public var which: String

            public init(which: String) { self.which = which }
        }

        public struct Response: Equatable, Sendable {
            var chosen: ChosenChannel
        }
    }

    /// Something nobody asked for at this moment has gone wrong.
    public enum Failure {
        public struct Response: Equatable, Sendable {
            enum What: Equatable, Sendable { case general, list }

            var what: What
            var error: ChatError
        }

        public struct ViewModel: Equatable, Sendable {
            public var line: RemoteText

            public init(line: RemoteText) { self.line = line }
        }
    }
}
