import Models
import Workers

/// What a channel adds to a conversation.
extension Chatroom {
    /// What is being typed, measured where a message may have so many characters: a view tells of every change.
    public enum Draft {
        public struct Request: Equatable, Sendable {
            /// As much as there is of it.
            public var text: String

            public init(text: String) { self.text = text }
        }

        public struct Response: Equatable, Sendable {
            /// In characters as people see them.
            public var count: Int
            public var limit: Int
            /// Whether so much is typed that the limit is worth a word.
            public var isNear: Bool

            public init(count: Int, limit: Int, isNear: Bool) {
                self.count = count
                self.limit = limit
                self.isNear = isNear
            }
        }

        public struct ViewModel: Equatable, Sendable {
            /// `203 of 256 characters`; nil while there is room enough.
            public var counterText: String?
            /// How many more characters there is room for; below zero where it is too long.
            public var left: Int

            public init(counterText: String?, left: Int) {
                self.counterText = counterText
                self.left = left
            }
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
            public enum Result: Equatable, Sendable {
                case done
                case invited(UserID)
                case asking, cancelled, notAsked
                case noChannel, notCreator, general
                case nobody(String)
                case ambiguous(String, [UserID])
                case failed(ChatError)
            }

            public var kind: Kind
            public var result: Result
            public var name: RemoteText
            public var people: [UserID: RemoteText]

            public init(kind: Kind, result: Result, name: RemoteText, people: [UserID: RemoteText]) {
                self.kind = kind
                self.result = result
                self.name = name
                self.people = people
            }
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
            public enum Reason: Equatable, Sendable { case left, removed, deleted }

            public var reason: Reason
            public var name: RemoteText
            /// What has cut off the deletion.
            public var unfinished: ChatError?

            public init(reason: Reason, name: RemoteText, unfinished: ChatError? = nil) {
                self.reason = reason
                self.name = name
                self.unfinished = unfinished
            }
        }

        public struct ViewModel: Equatable, Sendable {
            public var notice: RemoteText

            public init(notice: RemoteText) { self.notice = notice }
        }
    }

    /// Why one is here, where nobody asked to be.
    public enum Notice {
        public struct Response: Equatable, Sendable {
            public var notice: RemoteText

            public init(notice: RemoteText) { self.notice = notice }
        }

        public struct ViewModel: Equatable, Sendable {
            public var line: RemoteText

            public init(line: RemoteText) { self.line = line }
        }
    }
}
