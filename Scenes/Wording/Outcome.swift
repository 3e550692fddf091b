import Models

/// How something that a person asked for has ended, in words.
public enum Outcome: Equatable, Sendable {
    /// Done. `line` says so where no other view model shows it, or says what else is to be known.
    case done(line: RemoteText? = nil)
    /// Refused or gone wrong: what happened, to what, what to do next.
    case failed(line: RemoteText)
}

/// Whether what is shown is current.
public struct Banner: Equatable, Sendable {
    public enum Kind: Equatable, Sendable { case connecting, online, offline, ended }

    public var kind: Kind
    /// A line to be shown for as long as it holds; nil while online.
    public var text: RemoteText?

    public init(kind: Kind, text: RemoteText? = nil) {
        self.kind = kind
        self.text = text
    }
}
