import Models

/// What the chat must know of its server beside its address.
struct ServerFacts: Sendable {
    /// Held by whoever reads, changes and writes back what the account keeps.
    var turn = Turn()
    /// Nil as long as the server has not said.
    var kind: @Sendable () -> SessionKey.Kind? = { nil }
}
