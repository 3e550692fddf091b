import Models
import Workers

/// Make an account and sign in to it.
public enum Signup {
    /// The fields of the form, in their order.
    public enum Field: String, Equatable, Sendable, CaseIterable { case name, email, password }

    /// Make the account.
    public enum Account {
        public struct Request: Equatable, Sendable {
            public var name: String
            public var email: String
            public var password: Secret

            public init(name: String, email: String, password: Secret) {
                self.name = name
                self.email = email
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

    /// What the view shows before anything was asked.
    public static var title: String { "Sign up" }
}
