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
            public var contactID: UserID?
            public var ownID: UserID
            /// As they call themselves, for telling namesakes apart.
            public var people: [UserID: RemoteText]
            /// The newest of the timeline, oldest first.
            public var items: [TimelineItem]
            public var outgoing: [OutgoingMessage]
            public var hasOlder: Bool
            public var isLoading: Bool
            public var refusal: SendRefusal?
            public var channelName: RemoteText?

            public init(
                contactID: UserID? = nil, ownID: UserID, people: [UserID: RemoteText], items: [TimelineItem],
                outgoing: [OutgoingMessage], hasOlder: Bool, isLoading: Bool, refusal: SendRefusal? = nil,
                channelName: RemoteText? = nil
            ) {
                self.contactID = contactID
                self.ownID = ownID
                self.people = people
                self.items = items
                self.outgoing = outgoing
                self.hasOlder = hasOlder
                self.isLoading = isLoading
                self.refusal = refusal
                self.channelName = channelName
            }
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
            public var connection: Models.Connection

            public init(connection: Models.Connection) { self.connection = connection }
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
            public var ids: [UserID]
            public var people: [UserID: RemoteText]

            public init(ids: [UserID], people: [UserID: RemoteText]) {
                self.ids = ids
                self.people = people
            }
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
            public enum Fault: Equatable, Sendable {
                case refused(SendRefusal)
                /// More characters than a message may have here.
                case tooLong(count: Int, limit: Int)
                case chat(ChatError)
            }

            /// How many control characters were taken out.
            public var removed: Int
            public var fault: Fault?
            /// Nil in a channel.
            public var contactID: UserID?
            public var people: [UserID: RemoteText]

            public init(removed: Int, fault: Fault? = nil, contactID: UserID? = nil, people: [UserID: RemoteText]) {
                self.removed = removed
                self.fault = fault
                self.contactID = contactID
                self.people = people
            }
        }
    }

    /// Show older messages.
    public enum Older {
        public struct Request: Equatable, Sendable {
            public init() {}
        }

        public struct Response: Equatable, Sendable {
            public enum Result: Equatable, Sendable {
                /// As many older messages are shown now; the conversation comes as `Messages` too.
                case shown(Messages.Response, from: EventID?)
                case nothingOlder
                case failed(ChatError)
            }

            public var result: Result

            public init(result: Result) { self.result = result }
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
            public var count: Int

            public init(count: Int) { self.count = count }
        }
    }

    /// Mark all that is shown as read.
    public enum Read {
        public struct Request: Equatable, Sendable {
            public init() {}
        }

        public struct Response: Equatable, Sendable {
            public var isOnTop: Bool

            public init(isOnTop: Bool) { self.isOnTop = isOnTop }
        }
    }

    /// Who is in the room.
    public enum Members {
        public struct Request: Equatable, Sendable {
            public init() {}
        }

        public struct Response: Equatable, Sendable {
            public var members: [Member]
            public var ownID: UserID
            public var presences: [UserID: Presence]
            public var people: [UserID: RemoteText]

            public init(members: [Member], ownID: UserID, presences: [UserID: Presence], people: [UserID: RemoteText]) {
                self.members = members
                self.ownID = ownID
                self.presences = presences
                self.people = people
            }
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

    /// Something nobody asked for at this moment has gone wrong.
    public enum Failure {
        public struct Response: Equatable, Sendable {
            public var error: ChatError
            /// The channel could not be joined.
            public var isJoin: Bool

            public init(error: ChatError, isJoin: Bool = false) {
                self.error = error
                self.isJoin = isJoin
            }
        }

        public struct ViewModel: Equatable, Sendable {
            public var line: RemoteText

            public init(line: RemoteText) { self.line = line }
        }
    }

    /// Why nothing can be sent into the room.
    public enum SendRefusal: Equatable, Sendable {
        /// The other person is not in the room any more.
        case otherHasLeft
        /// One is not in the room oneself.
        case notMember
        /// The channel's history is not there yet.
        case stillLoading
        /// Others would send encrypted, and plain words have no place there.
        case encrypted
        /// Another room has taken this one's place.
        case replaced
        /// The channel could not be joined.
        case notJoined
    }
}
