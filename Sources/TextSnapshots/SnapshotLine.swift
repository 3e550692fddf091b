/// A line of a snapshot: its bytes, which alone decide whether it is the same as another.
struct SnapshotLine: Hashable {
    var bytes: [UInt8]
    /// Whether an LF stood behind it.
    var isEnded = true

    /// The lines of a text; a text that ends in LF has no empty line after it.
    static func split(_ text: some Sequence<UInt8>) -> [SnapshotLine] {
        var lines: [SnapshotLine] = []
        var bytes: [UInt8] = []
        for byte in text {
            if byte == UInt8(ascii: "\n") {
                lines.append(SnapshotLine(bytes: bytes))
                bytes = []
            } else {
                bytes.append(byte)
            }
        }
        if !bytes.isEmpty { lines.append(SnapshotLine(bytes: bytes, isEnded: false)) }
        return lines
    }

    /// What a reader takes the line for: without what cannot be seen, compared by canonical equivalence.
    var looks: String {
        let text = String(decoding: bytes, as: UTF8.self)
        return String(String.UnicodeScalarView(text.unicodeScalars.filter { !Self.isInvisible($0) }))
    }

    /// The line with all that cannot be seen spelled out, and `¬` behind trailing blanks.
    ///
    /// - Parameter spelled: Whether to spell out every character beyond ASCII.
    func visible(spelled: Bool) -> String {
        var shown = ""
        if let text = String(validating: bytes, as: UTF8.self) {
            for scalar in text.unicodeScalars {
                switch scalar {
                case "\t": shown += "\t"
                case "\r": shown += "\\r"
                case _ where Self.isInvisible(scalar) || (spelled && !scalar.isASCII):
                    shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
                default: shown.unicodeScalars.append(scalar)
                }
            }
        } else {
            for byte in bytes {
                shown +=
                    (0x20..<0x7F).contains(byte)
                    ? String(UnicodeScalar(byte)) : "\\x" + String(byte, radix: 16, uppercase: true)
            }
        }
        return shown.hasSuffix(" ") || shown.hasSuffix("\t") ? shown + "¬" : shown
    }

    /// Controls, format characters and separators. Joiners and variation selectors count too, but for those that
    /// emoji are made with, which would make every family and heart illegible.
    private static func isInvisible(_ scalar: UnicodeScalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
        case .format: scalar.value != 0x200D
        case .spaceSeparator: scalar != " "
        default: false
        }
    }
}
