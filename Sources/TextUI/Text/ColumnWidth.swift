import CTerminal

/// How many columns of a terminal a text takes, by grapheme cluster.
///
/// The C library's `wcwidth` knows single scalars: 2 for East Asian wide and full-width, 0 for combining marks. What it
/// cannot know is decided here per `Character`: emoji with modifiers, joined families, flags and keycaps take 2.
public enum ColumnWidth {
    /// The columns of `text`, which must hold no controls.
    public static func of(_ text: String) -> Int {
        if let count = printableASCIICount(of: text) { return count }
        return withWidths { width in text.reduce(0) { $0 + width.of($1.unicodeScalars) } }
    }

    /// The columns of one cluster; 0 where it consists of combining marks alone.
    public static func of(_ character: Character) -> Int {
        withWidths { $0.of(character.unicodeScalars) }
    }

    /// How many characters `text` has, where all are printable ASCII, one column each.
    static func printableASCIICount(of text: String) -> Int? {
        let isPrintable = { (bytes: UnsafeBufferPointer<UInt8>) in
            bytes.reduce(true) { $0 && $1 >= 0x20 && $1 < 0x7F }
        }
        let utf8 = text.utf8
        return (utf8.withContiguousStorageIfAvailable(isPrintable) ?? utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
            ? utf8.count : nil
    }

    /// Gives `body` the means to measure many clusters in a row.
    static func withWidths<Result>(_ body: (Widths) -> Result) -> Result {
        let previous = uselocale(locale_t(bitPattern: utf8Locale))
        defer { uselocale(previous) }
        return body(Widths())
    }

    /// A locale of this module's own, made once, so that neither `LANG` nor `setlocale` changes a width. Kept as a
    /// number because the pointer type is not `Sendable`; the locale is never changed or freed.
    private static let utf8Locale: UInt = {
        let made = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil) ?? newlocale(LC_CTYPE_MASK, "en_US.UTF-8", nil)
        return UInt(bitPattern: made)
    }()
}

/// Measures clusters; valid only within `ColumnWidth.withWidths`, which sets the thread's locale.
struct Widths {
    fileprivate init() {}

    /// The columns of the scalars of one cluster: the sum of what each takes where it stands.
    func of(_ scalars: some Collection<UnicodeScalar>) -> Int {
        var columns = 0
        var previous: UnicodeScalar?
        for scalar in scalars {
            columns += of(scalar, after: previous)
            previous = scalar
        }
        return columns
    }

    /// What a scalar adds: nothing where it is part of an emoji, one where it makes an emoji of a narrow character.
    private func of(_ scalar: UnicodeScalar, after previous: UnicodeScalar?) -> Int {
        guard let previous else { return of(scalar) }
        switch scalar.value {
        case 0xFE0F: return previous.properties.isEmoji && of(previous) == 1 ? 1 : 0
        case 0x20E3: return previous.isASCII && previous.properties.isEmoji ? 1 : 0
        case 0x1F3FB...0x1F3FF: return previous.properties.isEmojiModifierBase ? 0 : 2
        case 0x1F1E6...0x1F1FF: return Self.isRegionalIndicator(previous) ? 0 : 2
        case 0xE0020...0xE007F: return 0
        default: return previous.value == 0x200D && Self.isPictograph(scalar) ? 0 : of(scalar)
        }
    }

    func of(_ scalar: UnicodeScalar) -> Int {
        if scalar.isASCII { return 1 }
        if Self.isRegionalIndicator(scalar) || scalar.properties.isEmojiPresentation { return 2 }
        let width = Int(wcwidth(wchar_t(bitPattern: scalar.value)))
        if width >= 0 { return width }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: return 1
        }
    }

    static func isRegionalIndicator(_ scalar: UnicodeScalar) -> Bool { (0x1F1E6...0x1F1FF).contains(scalar.value) }

    /// An emoji that is one by itself, unlike a digit or `#`.
    static func isPictograph(_ scalar: UnicodeScalar) -> Bool { scalar.value > 0xA8 && scalar.properties.isEmoji }
}
