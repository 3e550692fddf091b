import Models

/// A place in the stream of a server, as clients hold it. Opaque to them.
///
/// Typing and presence are not stored, so they have a stream of their own, which begins anew with every start of the
/// server: `boot` tells the starts apart.
struct SyncToken: Equatable, Sendable {
    /// Everything stored up to here is known.
    var position: Int64
    var boot: Int64 = 0
    /// Everything fleeting up to here is known.
    var fleeting: Int64 = 0

    static let start = SyncToken(position: 0)

    var text: String { "s\(position)_\(boot)_\(fleeting)" }

    /// A place in the history of rooms: between the events up to `position` and those after it.
    static func history(_ position: Int64) -> String { "p\(position)" }
}

extension SyncToken {
    /// Reads what `text` or `history` wrote; nil for anything else.
    init?(_ text: String) {
        guard let kind = text.first, kind == "s" || kind == "p" else { return nil }
        let parts = text.dropFirst().split(separator: "_", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(part) : nil
        }
        guard numbers.count == parts.count, numbers.count == (kind == "s" ? 3 : 1) else { return nil }
        self.init(position: numbers[0])
        if kind == "s" { (boot, fleeting) = (numbers[1], numbers[2]) }
    }
}
