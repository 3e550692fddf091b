import Foundation
import Models

/// What remains of a name once everything is gone that the eye does not tell apart: two names with one skeleton could
/// pass for each other.
struct NameSkeleton: Hashable, Sendable {
    let raw: String

    init(_ name: RemoteText) {
        let text = name.unsanitised
        var folded: [Unicode.Scalar] = []
        var isAfterBlank = false
        for scalar in Self.decomposed(text) where !Self.isDropped(scalar) {
            guard !Visible.isBlank(scalar) else {
                isAfterBlank = true
                continue
            }
            if isAfterBlank, !folded.isEmpty { folded.append(" ") }
            isAfterBlank = false
            folded.append(contentsOf: Self.lowerCased(LookAlikes.latin(scalar)))
        }
        var result = String.UnicodeScalarView()
        result.append(contentsOf: LookAlikes.merged(folded))
        raw = String(result)
    }

    static func == (left: Self, right: Self) -> Bool { left.raw.hasSameBytes(as: right.raw) }

    func hash(into hasher: inout Hasher) {
        for byte in raw.utf8 { hasher.combine(byte) }
    }

    private static func decomposed(_ text: String) -> String.UnicodeScalarView {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text.unicodeScalars }
        // Some look-alikes would be decomposed into what looks different: the lunate sigma into a sigma.
        var latin = String.UnicodeScalarView()
        latin.append(contentsOf: text.unicodeScalars.map(LookAlikes.latin))
        return String(latin).decomposedStringWithCompatibilityMapping.unicodeScalars
    }

    /// What takes no room, and accents: `ọ` passes for `o` at a glance.
    private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII else { return Visible.isControl(scalar) && !scalar.properties.isWhitespace }
        switch scalar.value {
        case 0x0300...0x036F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: return true
        default: break
        }
        let properties = scalar.properties
        if properties.isDefaultIgnorableCodePoint || properties.generalCategory == .format { return true }
        return Visible.isControl(scalar) && !properties.isWhitespace
    }

    private static func lowerCased(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        if scalar.isASCII {
            guard (0x41...0x5A).contains(scalar.value) else { return [scalar] }
            return [Unicode.Scalar(UInt8(scalar.value) + 0x20)]
        }
        return scalar.properties.lowercaseMapping.unicodeScalars.map(LookAlikes.latin).filter { !isDropped($0) }
    }
}
