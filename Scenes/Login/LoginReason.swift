import Models
import Workers

/// What ends a session, as the reason to sign in again; nil where it does not.
extension Login.Reason {
    init?(_ changes: Set<ChatUpdate.Change>) {
        if changes.contains(.sessionEnded) {
            self = .sessionEnded
        } else if changes.contains(.sessionExpired) {
            self = .sessionExpired
        } else {
            return nil
        }
    }

    init?(_ error: UsersError) {
        switch error {
        case .unauthenticated, .noSession: self = .sessionEnded
        case .expired: self = .sessionExpired
        default: return nil
        }
    }

    init?(_ error: ChatError) {
        switch error {
        case .sessionEnded: self = .sessionEnded
        case .sessionExpired: self = .sessionExpired
        default: return nil
        }
    }
}
