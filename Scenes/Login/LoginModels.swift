import Models
import Workers

/// Sign in to an account that exists.
public enum Login {
    /// Why the scene is shown though nobody asked for it.
    public enum Reason: Equatable, Sendable {
        /// The server no longer honours the session, and nothing of it is left here.
        case sessionEnded
        /// The session has run out; what is here, and what is not sent yet, stays for its owner.
        case sessionExpired
    }

    /// The fields of the form, in their order.
    public enum Field: String, Equatable, Sendable, CaseIterable { case identity, password }

    /// The scene appears.
    public enum Start {
        public struct Request: Equatable, Sendable {
            public init() {}
        }

        public struct Response: Equatable, Sendable {
            public var reason: Reason?

            public init(reason: Reason? = nil) { self.reason = reason }
        }

        public struct ViewModel: Equatable, Sendable {
            public var title = "Sign in"
            /// Why one is here, where nobody asked to be.
            public var notice: RemoteText?

            public init(notice: RemoteText?) { self.notice = notice }
        }
    }

    /// Sign in.
    public enum Account {
        public struct Request: Equatable, Sendable {
            /// An e-mail address on a Words server, a user name or full id on a plain homeserver.
            public var identity: String
            public var password: Secret

            public init(identity: String, password: Secret) {
                self.identity = identity
                self.password = password
            }
        }

        public struct Response: Equatable, Sendable {
            /// How far it has come.
            public enum Progress: Equatable, Sendable {
                case busy
                /// The server asked to wait; another try follows by itself.
                case waiting(Duration)
                case signedIn
                /// Refused here, before anything was sent.
                case unfit([Field: FieldFault], AccountIdentities = .emailAddresses)
                case failed(UsersError)
            }

            public var progress: Progress

            public init(progress: Progress) { self.progress = progress }
        }

        public struct ViewModel: Equatable, Sendable {
            /// What is wrong with one field, to be shown beside it.
            public struct FieldError: Equatable, Sendable {
                public var field: Field
                public var text: RemoteText

                public init(field: Field, text: RemoteText) {
                    self.field = field
                    self.text = text
                }
            }

            /// A request is under way, or another follows by itself; nothing else can be asked meanwhile.
            public var isBusy: Bool
            /// What is going on, while it takes longer than a request.
            public var status: RemoteText?
            /// In the order of the fields.
            public var fieldErrors: [FieldError]
            public var generalError: RemoteText?
            /// Go on to the contacts.
            public var isSignedIn: Bool

            public init(
                isBusy: Bool = false, status: RemoteText? = nil, fieldErrors: [FieldError] = [],
                generalError: RemoteText? = nil, isSignedIn: Bool = false
            ) {
                self.isBusy = isBusy
                self.status = status
                self.fieldErrors = fieldErrors
                self.generalError = generalError
                self.isSignedIn = isSignedIn
            }
        }
    }
}
