import Models

/// The first scene: finds out whether somebody is signed in, and goes on from there.
public enum Launch {
    /// Take up the stored session.
    public enum Resume {
        public struct Request: Equatable, Sendable {
            public init() {}
        }

        public struct Response: Equatable, Sendable {
            public enum Outcome: Equatable, Sendable {
                case signedIn
                /// The session is kept; the server could not be asked.
                case offline(NetworkFault)
                case signedOut
                /// The server has ended the session.
                case ended
                /// It has run out; what is kept of it stays for its owner.
                case expired
                /// What happened to which file.
                case unreadable(String)
            }

            public var outcome: Outcome

            public init(outcome: Outcome) { self.outcome = outcome }
        }

        public struct ViewModel: Equatable, Sendable {
            public enum Destination: Equatable, Sendable { case listContacts, welcome, login }

            public var destination: Destination
            /// To be shown at the destination; only Welcome is given one, the others say their own.
            public var notice: RemoteText?

            public init(destination: Destination, notice: RemoteText? = nil) {
                self.destination = destination
                self.notice = notice
            }
        }
    }
}
