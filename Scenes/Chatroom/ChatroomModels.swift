import Models
import Workers

/// The conversation with one person, or in a channel.
public enum Chatroom {
    /// The scene appears: show what is known, fetch history where it is short, follow the news.
    public enum Start {
        public struct Request: Equatable, Sendable {
            public init() {}
        }
    }

    /// The conversation as it is now.
    public enum Messages {
        public struct Response: Equatable, Sendable {
            /// Nil in a channel.
            var contactID: UserID?
            var ownID: UserID
            /// As they call themselves, for telling namesakes apart.
            var people: [UserID: RemoteText]
            /// The newest of the timeline, oldest first.
            var items: [TimelineItem]
            var outgoing: [OutgoingMessage]
            var hasOlder: Bool
            var isLoading: Bool
            var refusal: SendRefusal?
            var channelName: RemoteText?
        }

        public struct ViewModel: Equatable, Sendable {
            /// The contact's name.
            public var title: RemoteText
            /// Oldest first.
            public var rows: [Row]
            /// `older` would show more.
            public var hasOlder: Bool
            /// History is being fetched.
            public var isLoading: Bool
            /// Why nothing can be sent; nil where something can.
            public var refusal: RemoteText?
            /// Stands in place of the rows where there are none.
            public var emptyText: String?

            public init(
                title: RemoteText, rows: [Row], hasOlder: Bool = false, isLoading: Bool = false,
                refusal: RemoteText? = nil, emptyText: String? = nil
            ) {
                self.title = title
                self.rows = rows
                self.hasOlder = hasOlder
                self.isLoading = isLoading
                self.refusal = refusal
                self.emptyText = emptyText
            }
        }
    }

    /// How a request has ended of which the screen shows no more than the outcome.
    public struct OutcomeViewModel: Equatable, Sendable {
        public var outcome: Outcome

        public init(outcome: Outcome) { self.outcome = outcome }
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

    /// Who is typing, as a set that each view model replaces.
    public enum Typing {
        /// One key was pressed here.
        public struct Request: Equatable, Sendable {
            public init() {}
        }

        public struct Response: Equatable, Sendable {
            /// Sorted by id.
            var ids: [UserID]
            var people: [UserID: RemoteText]
        }

        public struct ViewModel: Equatable, Sendable {
            public var names: [RemoteText]
            /// `Bob is typing`; nil while nobody is.
            public var text: RemoteText?

            public init(names: [RemoteText], text: RemoteText?) {
                self.names = names
                self.text = text
            }
        }
    }

    /// Send a message. The message itself comes with `Messages`.
    public enum Send {
        public struct Request: Equatable, Sendable {
            public var text: String

            public init(text: String) { self.text = text }
        }

        public struct Response: Equatable, Sendable {
            enum Fault: Equatable, Sendable {
                case refused(SendRefusal)
                /// More characters than a message may have here.
                case tooLong(count: Int, limit: Int)
                case chat(ChatError)
            }

            /// How many control characters were taken out.
            var removed: Int
            var fault: Fault?
            /// Nil in a channel.
            var contactID: UserID?
            var people: [UserID: RemoteText]
        }
    }

    /// Show older messages.
    public enum Older {
        public struct Request: Equatable, Sendable {
            public init() {}
        }

        public struct Response: Equatable, Sendable {
            enum Result: Equatable, Sendable {
                /// As many older messages are shown now; the conversation comes as `Messages` too.
                case shown(Messages.Response, from: EventID?)
                case nothingOlder
                case failed(ChatError)
            }

            var result: Result
        }

        public struct ViewModel: Equatable, Sendable {
            /// What stands above the rows shown until now, oldest first: a text view prints these.
            public var rows: [Row]
            public var outcome: Outcome

            public init(rows: [Row], outcome: Outcome) {
                self.rows = rows
                self.outcome = outcome
            }
        }
    }

    /// Try again to send what has failed or waits.
    public enum Retry {
        public struct Request: Equatable, Sendable {
            public init() {}
        }

        public struct Response: Equatable, Sendable {
            /// Of messages that were not sent when it was asked for.
            var count: Int
        }
    }

    /// Mark all that is shown as read.
    public enum Read {
        public struct Request: Equatable, Sendable {
            public init() {}
        }

        public struct Response: Equatable, Sendable {
            var isOnTop: Bool
        }
    }

    /// Who is in the room.
    public enum Members {
        public struct Request: Equatable, Sendable {
            public init() {}
        }

        public struct Response: Equatable, Sendable {
            var members: [Member]
            var ownID: UserID
            var presences: [UserID: Presence]
            var people: [UserID: RemoteText]
        }

        public struct ViewModel: Equatable, Sendable {
            public struct Row: Equatable, Sendable {
                public var id: UserID
                public var name: RemoteText
                public var initials: RemoteText
                public var isOwn: Bool
                /// `joined`, `invited`, `has left` …
                public var standingText: String
                /// `online`, `last seen …` or `offline`; nil for those who are not in the room.
                public var presenceText: String?

                public init(
                    id: UserID, name: RemoteText, initials: RemoteText, isOwn: Bool, standingText: String,
                    presenceText: String?
                ) {
                    self.id = id
                    self.name = name
                    self.initials = initials
                    self.isOwn = isOwn
                    self.standingText = standingText
                    self.presenceText = presenceText
                }
            }

            public var title: String
            public var rows: [Row]

            public init(title: String = "Members", rows: [Row]) {
                self.title = title
                self.rows = rows
            }
        }
    }

    /// The scene is on top, or something stands over it: receipts go out only while it is on top.
    public enum Visibility {
        public struct Request: Equatable, Sendable {
            public var isOnTop: Bool

            public init(isOnTop: Bool) { self.isOnTop = isOnTop }
        }
    }

    /// What a person does with the channel that is open.
    public enum Act {
        public enum Kind: Equatable, Sendable {
            case leave
            /// Somebody is asked in, by name, e-mail address or id.
            case invite(String)
            /// Asks for the confirmation.
            case delete, confirmDelete, cancelDelete
        }

        public struct Request: Equatable, Sendable {
            public var kind: Kind

            public init(kind: Kind) { self.kind = kind }
        }

        public struct Response: Equatable, Sendable {
            enum Result: Equatable, Sendable {
                case done
                case invited(UserID)
                case asking, cancelled, notAsked
                case noChannel, notCreator, general
                case nobody(String)
                case ambiguous(String, [UserID])
                case failed(ChatError)
            }

            var kind: Kind
            var result: Result
            var name: RemoteText
            var people: [UserID: RemoteText]
        }

        public struct ViewModel: Equatable, Sendable {
            /// Whether something is to be confirmed or cancelled.
            public var isAsking: Bool
            public var outcome: Outcome

            public init(isAsking: Bool = false, outcome: Outcome) {
                self.isAsking = isAsking
                self.outcome = outcome
            }
        }
    }

    /// The channel is open no more: go on to General, which says why.
    public enum Close {
        public struct Response: Equatable, Sendable {
            enum Reason: Equatable, Sendable { case left, removed, deleted }

            var reason: Reason
            var name: RemoteText
        }

        public struct ViewModel: Equatable, Sendable {
            public var notice: RemoteText

            public init(notice: RemoteText) { self.notice = notice }
        }
    }

    /// Why one is here, where nobody asked to be.
    public enum Notice {
        public struct ViewModel: Equatable, Sendable {
            public var line: RemoteText

            public init(line: RemoteText) { self.line = line }
        }
    }

    /// Something nobody asked for at this moment has gone wrong.
    public enum Failure {
        public struct Response: Equatable, Sendable {
            var error: ChatError
            /// The channel could not be joined.
            var isJoin = false
        }

        public struct ViewModel: Equatable, Sendable {
            public var line: RemoteText

            public init(line: RemoteText) { self.line = line }
        }
    }

    /// Why nothing can be sent into the room.
    enum SendRefusal: Equatable, Sendable {
        /// The other person is not in the room any more.
        case otherHasLeft
        /// One is not in the room oneself.
        case notMember
        /// The channel's history is not there yet.
        case stillLoading
    }
}
