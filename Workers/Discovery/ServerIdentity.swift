import Models

/// What sessions and stores belong to: one server, and its kind as soon as that is known.
final class ServerIdentity: Sendable {
    let endpoint: String
    private let known: Locked<SessionKey.Kind?>

    init(endpoint: String, kind: SessionKey.Kind? = nil) {
        self.endpoint = endpoint
        known = Locked(kind)
    }

    /// By the server's word, or by that of a session which it has given; nil before there was either.
    var kind: SessionKey.Kind? { known.withLock { $0 } }

    var key: SessionKey { SessionKey(endpoint: endpoint, kind: kind ?? .words) }

    func learn(_ kind: SessionKey.Kind) { known.withLock { $0 = kind } }
}
