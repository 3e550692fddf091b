import Models
import Workers

/// How long a scene goes on by itself when the server asks to wait.
struct Patience: Equatable, Sendable {
    /// Of all waits together; a longer one is said instead.
    static let limit = Duration.seconds(30)
    static let maximumTries = 5

    private var waited = Duration.zero
    private var tries = 0

    /// How long to wait before the next try; nil where the error is to be said.
    mutating func wait(after error: UsersError) -> Duration? {
        let asked: Duration? =
            switch error {
            case .limited(let wait), .network(.limited(let wait)): wait
            default: nil
            }
        guard let asked, tries < Self.maximumTries, waited + max(asked, .zero) <= Self.limit else { return nil }
        tries += 1
        waited += max(asked, .zero)
        return max(asked, .zero)
    }
}
