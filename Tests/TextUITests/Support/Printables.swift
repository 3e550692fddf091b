/// Whether a scalar may reach a terminal: an opinion of the tests' own, by Unicode's categories and not by the
/// sanitiser's code. Joiners and selectors are printable only where the text holds what they join.
func isPrintable(in text: String) -> (UnicodeScalar) -> Bool {
    let mayJoin = text.unicodeScalars.contains {
        $0.properties.isEmoji || $0.properties.canonicalCombiningClass == .virama || (0x600..<0x780).contains($0.value)
    }
    return { scalar in
        switch scalar.value {
        case 0x200C, 0x200D, 0xFE0E, 0xFE0F: return mayJoin
        case 0xE0061...0xE007A, 0xE007F: return text.unicodeScalars.contains("\u{1F3F4}")
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return false
        default: return !scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}
