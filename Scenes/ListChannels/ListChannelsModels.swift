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
            public var channels: [ChannelStanding]
            /// As they call themselves, for telling namesakes apart.
            public var people: [UserID: RemoteText]
            public var ownID: UserID
            public var ownName: RemoteText
            public var isLoading: Bool
            public var isReload: Bool

            public init(
                channels: [ChannelStanding], people: [UserID: RemoteText], ownID: UserID, isLoading: Bool,
                isReload: Bool, ownName: RemoteText = ""
            ) {
                self.channels = channels
                self.people = people
                self.ownID = ownID
                self.ownName = ownName
                self.isLoading = isLoading
                self.isReload = isReload
            }
        }

        /// How a fetch that somebody asked for has ended: what of it has failed.
        public struct Ending: Equatable, Sendable {
            public var failures: [Failure.Response]

            public init(failures: [Failure.Response]) { self.failures = failures }
        }

        public struct ViewModel: Equatable, Sendable {
            public var title: String
            /// Who one is, for a prompt.
            public var ownName: RemoteText
            public var rows: [Row]
            /// Stands in place of the rows where there are none.
            public var emptyText: String?
            /// The first sync has not ended yet.
            public var isLoading: Bool
            /// The list has been loaded as a whole: a text view prints it.
            public var isReload: Bool

            public init(
                title: String = "Channels", ownName: RemoteText = "", rows: [Row], emptyText: String? = nil,
                isLoading: Bool = false,
                isReload: Bool = false
            ) {
                self.title = title
                self.ownName = ownName
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
            public var connection: Models.Connection

            public init(connection: Models.Connection) { self.connection = connection }
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
            public var kind: Kind
            public var channel: ChannelStanding
            public var formerName: RemoteText?
            public var people: [UserID: RemoteText]

            public init(
                kind: Kind, channel: ChannelStanding, formerName: RemoteText? = nil, people: [UserID: RemoteText]
            ) {
                self.kind = kind
                self.channel = channel
                self.formerName = formerName
                self.people = people
            }
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
            public var name: String
            public var roomID: RoomID?
            public var fault: CreateFault?

            public init(name: String, roomID: RoomID? = nil, fault: CreateFault? = nil) {
                self.name = name
                self.roomID = roomID
                self.fault = fault
            }
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
            public var kind: Kind
            public var chosen: ChosenChannel
            public var fault: ActFault?
            /// A deletion that was cut off, by this.
            public var unfinished: ChatError?

            public init(kind: Kind, chosen: ChosenChannel, fault: ActFault? = nil, unfinished: ChatError? = nil) {
                self.kind = kind
                self.chosen = chosen
                self.fault = fault
                self.unfinished = unfinished
            }
        }
    }

    /// Delete, behind a confirmation; and log out, too.
    public enum Confirmation {
        public struct Request: Equatable, Sendable {
            public init() {}
        }

        public struct Response: Equatable, Sendable {
            /// The channel that would be deleted.
            public var channel: ChannelStanding?
            public var isCancelled: Bool

            public init(channel: ChannelStanding?, isCancelled: Bool = false) {
                self.channel = channel
                self.isCancelled = isCancelled
            }
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
            public var chosen: ChosenChannel

            public init(chosen: ChosenChannel) { self.chosen = chosen }
        }
    }

    /// Why one is here, where nobody asked to be.
    public enum Notice {
        public struct Response: Equatable, Sendable {
            public var notice: RemoteText

            public init(notice: RemoteText) { self.notice = notice }
        }
    }

    /// Something nobody asked for at this moment has gone wrong.
    public enum Failure {
        public struct Response: Equatable, Sendable {
            public enum What: Equatable, Sendable { case general, list }

            public var what: What
            public var error: ChatError

            public init(what: What, error: ChatError) {
                self.what = what
                self.error = error
            }
        }

        public struct ViewModel: Equatable, Sendable {
            public var line: RemoteText

            public init(line: RemoteText) { self.line = line }
        }
    }
}
