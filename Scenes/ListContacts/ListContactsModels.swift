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
            public var own: User
            /// In the order of the rows.
            public var contacts: [ContactStanding]
            /// As they call themselves, for telling namesakes apart: contacts, and oneself.
            public var people: [UserID: RemoteText]
            public var isLoading: Bool
            public var isReload: Bool

            public init(
                own: User, contacts: [ContactStanding], people: [UserID: RemoteText], isLoading: Bool, isReload: Bool
            ) {
                self.own = own
                self.contacts = contacts
                self.people = people
                self.isLoading = isLoading
                self.isReload = isReload
            }
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
            public var error: UsersError?

            public init(error: UsersError? = nil) { self.error = error }
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
            public var connection: Models.Connection

            public init(connection: Models.Connection) { self.connection = connection }
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
            public var kind: Kind
            public var id: UserID
            public var formerName: RemoteText?
            public var people: [UserID: RemoteText]

            public init(kind: Kind, id: UserID, formerName: RemoteText? = nil, people: [UserID: RemoteText]) {
                self.kind = kind
                self.id = id
                self.formerName = formerName
                self.people = people
            }
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
            public var identity: String
            /// The room shared with the new contact; nil where there is none.
            public var roomID: RoomID?
            public var fault: CreateFault?

            public init(identity: String, roomID: RoomID? = nil, fault: CreateFault? = nil) {
                self.identity = identity
                self.roomID = roomID
                self.fault = fault
            }
        }
    }

    /// Remove a contact.
    public enum Remove {
        public struct Request: Equatable, Sendable {
            public var who: String

            public init(who: String) { self.who = who }
        }

        public struct Response: Equatable, Sendable {
            public var chosen: ChosenContact
            public var error: UsersError?

            public init(chosen: ChosenContact, error: UsersError? = nil) {
                self.chosen = chosen
                self.error = error
            }
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
            public var chosen: ChosenContact
            public var isBlocking: Bool
            public var error: UsersError?

            public init(chosen: ChosenContact, isBlocking: Bool, error: UsersError? = nil) {
                self.chosen = chosen
                self.isBlocking = isBlocking
                self.error = error
            }
        }
    }

    /// Choose the contact to chat with. Where the outcome is done, go on to the chatroom.
    public enum Select {
        public struct Request: Equatable, Sendable {
            public var who: String

            public init(who: String) { self.who = who }
        }

        public struct Response: Equatable, Sendable {
            public var chosen: ChosenContact

            public init(chosen: ChosenContact) { self.chosen = chosen }
        }
    }

    /// Something nobody asked for at this moment has gone wrong.
    public enum Failure {
        public struct Response: Equatable, Sendable {
            public var error: UsersError

            public init(error: UsersError) { self.error = error }
        }

        public struct ViewModel: Equatable, Sendable {
            public var line: RemoteText

            public init(line: RemoteText) { self.line = line }
        }
    }
}
