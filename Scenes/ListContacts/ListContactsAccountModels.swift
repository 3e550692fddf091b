import Models
import Workers

/// What the list offers for one's own account: another name, another password, logging out.
extension ListContacts {
    /// Change one's own name.
    public enum Rename {
        public struct Request: Equatable, Sendable {
            public var name: String

            public init(name: String) { self.name = name }
        }

        public struct Response: Equatable, Sendable {
            /// As the server keeps it now.
            public var name: RemoteText?
            public var fault: AccountFault?

            public init(name: RemoteText? = nil, fault: AccountFault? = nil) {
                self.name = name
                self.fault = fault
            }
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
            public var fault: AccountFault?

            public init(fault: AccountFault? = nil) { self.fault = fault }
        }
    }

    /// Log out, behind a confirmation.
    public enum Logout {
        public struct Request: Equatable, Sendable {
            public init() {}
        }

        public struct Response: Equatable, Sendable {
            public enum Step: Equatable, Sendable {
                /// To be confirmed or cancelled; this many messages of one's own would be lost.
                case confirm(unsent: Int)
                case cancelled
                case loggedOut(LogoutOutcome)
                /// There is nothing to confirm.
                case notAsked
            }

            public var step: Step

            public init(step: Step) { self.step = step }
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
            public var reason: Login.Reason

            public init(reason: Login.Reason) { self.reason = reason }
        }

        public struct ViewModel: Equatable, Sendable {
            public init() {}
        }
    }
}
