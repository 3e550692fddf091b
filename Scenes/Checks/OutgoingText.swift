/// A message as it is typed, made fit to be sent.
struct OutgoingText: Equatable, Sendable {
    /// Without control characters other than tab and newline; a line ends with one newline.
    let text: String
    /// How many control characters were taken out.
    let removed: Int

    init(_ typed: String) {
        var kept = String.UnicodeScalarView()
        var removed = 0
        var scalars = typed.unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            if scalar == "\r", scalars.first == "\n" { continue }
            let isControl = scalar.properties.generalCategory == .control && scalar != "\n" && scalar != "\t"
            if isControl { removed += 1 } else { kept.append(scalar) }
        }
        text = String(kept)
        self.removed = removed
    }

    /// Nothing of it can be seen.
    var isEmpty: Bool { !text.unicodeScalars.contains { !Visible.isBlank($0) } }
}
