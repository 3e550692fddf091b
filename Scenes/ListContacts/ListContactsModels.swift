import Models
import Workers

/// The people one chats with.
///
/// Requests that are about one contact name them by `who`: the number of a row, a name as shown, an id, or an e-mail
/// address.
public enum ListContacts {
    /// The scene appears: connect to the chat service, fetch the contacts, follow the news.
    public enum Start {
        public struct Request: Equatable, Sendable {
            public init() {}
        }
    }

    /// The list.
    public enum Fetch {
        /// Fetch again because somebody asks for it.
        public struct Request: Equatable, Sendable {
            public init() {}
        }

        public struct Response: Equatable, Sendable {
            var own: User
            /// In the order of the rows.
            var contacts: [ContactStanding]
            /// As they call themselves, for telling namesakes apart: contacts, and oneself.
            var people: [UserID: RemoteText]
            var isLoading: Bool
            var isReload: Bool
        }

        /// The whole list as it is now.
        public struct ViewModel: Equatable, Sendable {
            public var title: String
            public var ownName: RemoteText
            public var ownID: UserID
            public var rows: [Row]
            /// Stands in place of the rows where there are none.
            public var emptyText: String?
            /// Not fetched yet.
            public var isLoading: Bool
            /// The list has been loaded as a whole, for the first time or because somebody asked: a text view prints
            /// it. Otherwise the screen changes, and what is worth a line comes as an `Event`.
            public var isReload: Bool

            public init(
                title: String = "Contacts", ownName: RemoteText, ownID: UserID, rows: [Row],
                emptyText: String? = nil,
                isLoading: Bool = false, isReload: Bool = false
            ) {
                self.title = title
                self.ownName = ownName
                self.ownID = ownID
                self.rows = rows
                self.emptyText = emptyText
                self.isLoading = isLoading
                self.isReload = isReload
            }
        }

        /// How a fetch that somebody asked for has ended; the list itself comes as a `ViewModel`.
        public struct Ending: Equatable, Sendable {
            var error: UsersError?
        }
    }

    /// How a request has ended that changes something, and of which the screen shows no more than the outcome.
    public struct OutcomeViewModel: Equatable, Sendable {
        public var outcome: Outcome
        /// The room shared with the contact that the request was about.
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

    /// Something happened to one contact, here or elsewhere: worth one line, exactly once.
    public enum Event {
        public enum Kind: Equatable, Sendable { case added, addedAgain, removed, left, returned, joined, renamed }

        public struct Response: Equatable, Sendable {
            var kind: Kind
            var id: UserID
            var formerName: RemoteText?
            var people: [UserID: RemoteText]
        }

        public struct ViewModel: Equatable, Sendable {
            public var kind: Kind
            public var id: UserID
            public var line: RemoteText

            public init(kind: Kind, id: UserID, line: RemoteText) {
                self.kind = kind
                self.id = id
                self.line = line
            }
        }
    }

    /// Add a contact. The new contact itself comes as an `Event`.
    public enum Create {
        public struct Request: Equatable, Sendable {
            /// An e-mail address or a Matrix id.
            public var identity: String

            public init(identity: String) { self.identity = identity }
        }

        public struct Response: Equatable, Sendable {
            var identity: String
            /// The room shared with the new contact; nil where there is none.
            var roomID: RoomID?
            var fault: CreateFault?
        }
    }

    /// Remove a contact.
    public enum Remove {
        public struct Request: Equatable, Sendable {
            public var who: String

            public init(who: String) { self.who = who }
        }

        public struct Response: Equatable, Sendable {
            var chosen: ChosenContact
            var error: UsersError?
        }
    }

    /// Keep somebody from adding one and writing to one, or let them again.
    public enum Block {
        public struct Request: Equatable, Sendable {
            public var who: String
            public var isBlocking: Bool

            public init(who: String, isBlocking: Bool = true) {
                self.who = who
                self.isBlocking = isBlocking
            }
        }

        public struct Response: Equatable, Sendable {
            var chosen: ChosenContact
            var isBlocking: Bool
            var error: UsersError?
        }
    }

    /// Choose the contact to chat with. Where the outcome is done, go on to the chatroom.
    public enum Select {
        public struct Request: Equatable, Sendable {
            public var who: String

            public init(who: String) { self.who = who }
        }

        public struct Response: Equatable, Sendable {
            var chosen: ChosenContact
        }
    }

    /// Change one's own name.
    public enum Rename {
        public struct Request: Equatable, Sendable {
            public var name: String

            public init(name: String) { self.name = name }
        }

        public struct Response: Equatable, Sendable {
            /// As the server keeps it now.
            var name: RemoteText?
            var fault: AccountFault?
        }
    }

    /// Change one's own password.
    public enum ChangePassword {
        public struct Request: Equatable, Sendable {
            public var current: Secret
            public var new: Secret

            public init(current: Secret, new: Secret) {
                self.current = current
                self.new = new
            }
        }

        public struct Response: Equatable, Sendable {
            var fault: AccountFault?
        }
    }

    /// Log out, behind a confirmation.
    public enum Logout {
        public struct Request: Equatable, Sendable {
            public init() {}
        }

        public struct Response: Equatable, Sendable {
            enum Step: Equatable, Sendable {
                /// To be confirmed or cancelled; this many messages of one's own would be lost.
                case confirm(unsent: Int)
                case cancelled
                case loggedOut(LogoutOutcome)
                /// There is nothing to confirm.
                case notAsked
            }

            var step: Step
        }

        public struct ViewModel: Equatable, Sendable {
            public enum Step: Equatable, Sendable { case confirm, cancelled, loggedOut, notAsked }

            public var step: Step
            public var title: String
            public var message: RemoteText?
            /// To be shown at Welcome.
            public var notice: RemoteText?

            public init(step: Step, title: String, message: RemoteText? = nil, notice: RemoteText? = nil) {
                self.step = step
                self.title = title
                self.message = message
                self.notice = notice
            }
        }
    }

    /// The session is over: go on to Login, which says why.
    public enum SessionEnd {
        public struct Response: Equatable, Sendable {
            var reason: Login.Reason
        }

        public struct ViewModel: Equatable, Sendable {
            public init() {}
        }
    }

    /// Something nobody asked for at this moment has gone wrong.
    public enum Failure {
        public struct Response: Equatable, Sendable {
            var error: UsersError
        }

        public struct ViewModel: Equatable, Sendable {
            public var line: RemoteText

            public init(line: RemoteText) { self.line = line }
        }
    }
}
