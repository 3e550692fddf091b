import Models

/// Where a name stands in a list: blind to case and accents, by the rules of one locale; then by id, so that the order is
/// the same every time.
struct SortKey: Equatable, Comparable, Sendable {
    let text: String
    let id: UserID

    init(name: RemoteText, id: UserID, folding: NameFolding) {
        let visible = Visible.trimmed(name.unsanitised)
        text = folding.folded(visible.isEmpty ? id.raw : visible)
        self.id = id
    }

    static func < (left: Self, right: Self) -> Bool {
        left.text == right.text ? left.id < right.id : left.text < right.text
    }
}
