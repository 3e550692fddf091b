import Models

/// The names to show for a circle of people, so that nobody passes for someone else.
///
/// A name shows its id as well where another's has the same skeleton, where it holds something that looks like an id, or
/// where it turns the direction of text. A name of nothing visible gives way to the id.
struct NameBook: Sendable {
    let people: [UserID: RemoteText]
    private let shown: [UserID: RemoteText]

    /// - Parameter people: As they call themselves.
    init(_ people: [UserID: RemoteText]) {
        self.people = people
        var bearers: [NameSkeleton: Int] = [:]
        let skeletons = people.mapValues { NameSkeleton($0) }
        for skeleton in skeletons.values { bearers[skeleton, default: 0] += 1 }
        var shown: [UserID: RemoteText] = [:]
        shown.reserveCapacity(people.count)
        for (id, name) in people {
            let isShared = skeletons[id].map { (bearers[$0] ?? 0) > 1 } ?? false
            shown[id] = Self.shown(name, id: id, isShared: isShared)
        }
        self.shown = shown
    }

    /// The name to show; the id for those who are not in the book.
    func name(of id: UserID) -> RemoteText { shown[id] ?? RemoteText(id.raw) }

    private static func shown(_ name: RemoteText, id: UserID, isShared: Bool) -> RemoteText {
        guard Visible.hasAnything(name.unsanitised) else { return RemoteText(id.raw) }
        let trimmed = RemoteText(Visible.trimmed(name.unsanitised))
        guard trimmed != RemoteText(id.raw) else { return trimmed }
        return isShared || isSuspicious(name) ? "\(trimmed) (\(id))" : trimmed
    }

    private static func isSuspicious(_ name: RemoteText) -> Bool {
        name.unsanitised.unicodeScalars.contains { scalar in
            switch scalar {
            case "@", "\u{FF20}", "\u{FE6B}": true
            default: Visible.turnsDirection(scalar)
            }
        }
    }
}
