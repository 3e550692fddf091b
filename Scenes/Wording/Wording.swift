import Models
import Workers

/// Errors and events in words for people: what happened, to what, what to do next.
enum Wording {
    /// - Parameter what: What happened to which file.
    static func unreadableSession(_ what: String) -> RemoteText {
        "The stored session could not be read: \(what). Sign in again to replace it."
    }
}
