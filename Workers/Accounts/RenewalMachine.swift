import Models

/// Decides when an access token is used, when it is renewed, and when the session is over. It does nothing itself.
///
/// | state | what a request gets |
/// |---|---|
/// | signed out | `noSession` |
/// | holding, good for longer than the margin | the token |
/// | holding, about to run out or refused by the server | a renewal, started by the first that asks |
/// | renewing | the outcome of that renewal |
/// | ended | the error that ended it, `unauthenticated` or `expired`, without asking the server again |
public struct RenewalMachine: Equatable, Sendable {
    public enum State: Equatable, Sendable {
        case signedOut
        case holding(UserToken)
        case renewing(UserToken)
        case ended(UsersError)
    }

    public enum Event: Equatable, Sendable {
        case signedIn(UserToken, at: Timestamp)
        case signedOut
        /// The server has said that the session is over, or has run out.
        case sessionEnded(UsersError)
        /// A request is about to be made.
        case needed(at: Timestamp)
        /// The server did not take this access token.
        case refused(Secret)
        case renewed(UserToken, at: Timestamp)
        /// The server, or nobody, answered something that is no verdict on the session.
        case renewalFailed(UsersError, at: Timestamp)
        case renewalRefused(UsersError)
    }

    public enum Action: Equatable, Sendable {
        case use(UserToken)
        case renew(UserToken)
        case joinRenewal
        case fail(UsersError)
    }

    public private(set) var state = State.signedOut
    /// How long before its end a token is renewed: a minute, or a tenth of the life of one that lives shorter.
    private var margin = Self.longestMargin

    static let longestMargin = Duration.seconds(60)

    public init() {}

    public mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .signedIn(let token, let now): return hold(token, now)
        case .renewed(let token, let now):
            // Used whatever its expiry says: a server that gives tokens of no life must not be asked for ever.
            guard case .renewing = state else { return [] }
            return hold(token, now)
        case .signedOut:
            state = .signedOut
            return []
        case .sessionEnded(let error):
            state = .ended(error)
            return []
        case .needed(let now): return need(now)
        case .refused(let secret): return refuse(secret)
        case .renewalFailed(let error, let now):
            guard case .renewing(let token) = state else { return [] }
            state = .holding(token)
            return now < token.expiresAt && error.mayPass ? [.use(token)] : [.fail(error)]
        case .renewalRefused(let error):
            guard case .renewing = state else { return [] }
            state = .ended(error)
            return [.fail(error)]
        }
    }

    private mutating func hold(_ token: UserToken, _ now: Timestamp) -> [Action] {
        state = .holding(token)
        margin = min(Self.longestMargin, max(.zero, (token.expiresAt - now) / 10))
        return [.use(token)]
    }

    private mutating func need(_ now: Timestamp) -> [Action] {
        switch state {
        case .signedOut: return [.fail(.noSession)]
        case .ended(let error): return [.fail(error)]
        case .renewing: return [.joinRenewal]
        case .holding(let token):
            guard token.expiresAt - now <= margin, token.refreshToken != nil else { return [.use(token)] }
            state = .renewing(token)
            return [.renew(token)]
        }
    }

    private mutating func refuse(_ secret: Secret) -> [Action] {
        switch state {
        case .signedOut: return [.fail(.noSession)]
        case .ended(let error): return [.fail(error)]
        case .renewing: return [.joinRenewal]
        // Renewed since the refused request was sent: that token was another.
        case .holding(let token) where token.accessToken != secret: return [.use(token)]
        case .holding(let token):
            state = .renewing(token)
            return [.renew(token)]
        }
    }
}

extension UsersError {
    /// Whether the server does not take the token.
    var refusesToken: Bool { self == .unauthenticated || self == .expired }

    /// Whether the same request may succeed later without anyone doing anything about it.
    var mayPass: Bool {
        switch self {
        case .network, .limited: true
        default: false
        }
    }
}
