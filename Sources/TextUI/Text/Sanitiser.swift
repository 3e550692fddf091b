import Models

/// The only way from text that somebody wrote to a line on the screen.
///
/// Whatever could command a terminal or hide from the reader is shown instead: a C0 control or DEL as its picture
/// (`␛`, `␇`, `␡`), every other control, bidirectional control, zero-width or invisible character, separator, tag,
/// private or unassigned code point as `<U+202E>`. What remains are printable characters alone. Joiners survive only
/// where they do what they are for: within an emoji, and between letters of scripts that are written with them.
public enum Sanitiser {
    /// One line, whatever the text holds; a line feed shows as `␊`.
    public static func line(_ text: String) -> SafeLine {
        if let columns = ColumnWidth.printableASCIICount(of: text) {
            return SafeLine(text: text, width: columns, make: .ascii)
        }
        if let columns = SimpleText.width(of: text) { return SafeLine(text: text, width: columns, make: .simple) }
        return ColumnWidth.withWidths { widths in
            var cleaner = ClusterCleaner(widths: widths)
            cleaner.clean(text)
            return SafeLine(text: cleaner.text, width: cleaner.width, make: .clusters)
        }
    }

    public static func line(_ text: RemoteText) -> SafeLine { line(text.unsanitised) }

    /// The lines of a text, parted at its line feeds; blank lines at its end are left out.
    public static func text(_ text: RemoteText) -> SafeText {
        let bytes = text.unsanitised.utf8
        guard bytes.contains(UInt8(ascii: "\n")) else { return SafeText(lines: [line(text)]) }
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { line(String(Substring($0))) }
        while lines.count > 1, lines.last?.isBlank == true { lines.removeLast() }
        return SafeText(lines: lines)
    }

    /// What to show in place of a scalar that must not be printed; nil for one that may.
    static func notation(for scalar: UnicodeScalar) -> String? {
        switch scalar.value {
        case 0x20..<0x7F: return nil
        case 0..<0x20: return UnicodeScalar(0x2400 + scalar.value).map { String($0) }
        case 0x7F: return "\u{2421}"
        case 0xA1..<0x300 where scalar.value != 0xAD: return nil
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: break
        default: if !scalar.properties.isDefaultIgnorableCodePoint { return nil }
        }
        return number(of: scalar)
    }

    /// `<U+202E>`.
    static func number(of scalar: UnicodeScalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "<U+\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)>"
    }
}

/// Cleans a text cluster by cluster.
private struct ClusterCleaner {
    /// More marks than any orthography stacks on one letter; what lies beyond is spelled out.
    private static let limitOfMarks = 8
    /// England, Scotland and Wales: the only flags that are written with tags.
    private static let taggedFlags = ["gbeng", "gbsct", "gbwls"].map { region in
        [0x1F3F4] + region.unicodeScalars.map { $0.value + 0xE0000 } + [0xE007F]
    }

    let widths: Widths
    var text = ""
    var width = 0
    private var kept: [UnicodeScalar] = []

    init(widths: Widths) { self.widths = widths }

    mutating func clean(_ source: String) {
        text.reserveCapacity(source.utf8.count + 16)
        var index = source.startIndex
        while index < source.endIndex {
            let character = source[index]
            index = source.index(after: index)
            if let byte = character.utf8.first, character.utf8.count == 1, byte >= 0x20, byte < 0x7F {
                text.append(character)
                width += 1
            } else {
                append(
                    Array(character.unicodeScalars),
                    before: index < source.endIndex ? source.unicodeScalars[index] : nil)
            }
        }
    }

    private mutating func append(_ cluster: [UnicodeScalar], before next: UnicodeScalar?) {
        let isFlag = cluster.count == 7 && Self.taggedFlags.contains(cluster.map(\.value))
        var marks = 0
        for (position, scalar) in cluster.enumerated() {
            var notation = Sanitiser.notation(for: scalar)
            if notation != nil, isFlag || Self.isExcused(position, in: cluster, before: next) { notation = nil }
            if notation == nil, position > 0, widths.of(scalar) == 0, !Self.isPartOfEmoji(scalar) {
                marks += 1
                if marks > Self.limitOfMarks { notation = Sanitiser.number(of: scalar) }
            }
            if let notation {
                flush()
                text += notation
                width += notation.unicodeScalars.count
            } else {
                kept.append(scalar)
            }
        }
        flush()
    }

    /// Prints what has been kept. Marks without a letter get a dotted circle to stand on; other letters that only ever
    /// follow one, like the vowels of Hangul, are spelled out.
    private mutating func flush() {
        defer { kept.removeAll(keepingCapacity: true) }
        guard let first = kept.first else { return }
        var columns = widths.of(kept)
        if columns == 0 {
            switch first.properties.generalCategory {
            case .nonspacingMark, .spacingMark, .enclosingMark:
                text += "\u{25CC}"
                columns = 1
            default:
                let spelled = kept.map(Sanitiser.number).joined()
                text += spelled
                width += spelled.utf8.count
                return
            }
        }
        text.unicodeScalars.append(contentsOf: kept)
        width += columns
    }

    private static func isPartOfEmoji(_ scalar: UnicodeScalar) -> Bool {
        scalar.value == 0x200D || scalar.value == 0xFE0F || scalar.value == 0x20E3 || scalar.value > 0xE0000
    }

    /// Whether an invisible character does there what it is for.
    private static func isExcused(_ position: Int, in cluster: [UnicodeScalar], before next: UnicodeScalar?) -> Bool {
        guard position > 0 else { return false }
        let previous = cluster[position - 1]
        let following = position + 1 < cluster.count ? cluster[position + 1] : next
        switch cluster[position].value {
        case 0xFE0E, 0xFE0F:
            return Widths.isPictograph(previous) || (previous.properties.isEmoji && following?.value == 0x20E3)
        case 0x200D:
            if previous.properties.canonicalCombiningClass == .virama { return true }
            guard position + 1 < cluster.count, let following else { return false }
            return Widths.isPictograph(following) && (Widths.isPictograph(previous) || previous.value == 0xFE0F)
        case 0x200C:
            guard let following, following.properties.isAlphabetic else { return false }
            return previous.properties.canonicalCombiningClass == .virama
                || (isArabicLetter(previous) && isArabicLetter(following))
        default: return false
        }
    }

    private static func isArabicLetter(_ scalar: UnicodeScalar) -> Bool {
        let isArabic = (0x620..<0x700).contains(scalar.value) || (0x750..<0x780).contains(scalar.value)
        return isArabic && scalar.properties.isAlphabetic
    }
}
