import Models

@testable import TextUI

/// Text that others wrote: what comes out commands no terminal and is as wide as it says.
enum SanitiserTarget {
    static func problem(with input: [UInt8]) -> String? {
        guard let first = input.first else { return nil }
        let columns = Int(first % 120) + 1
        let text = Sanitiser.text(RemoteText(String(decoding: input.dropFirst(), as: UTF8.self)))
        for line in text.lines {
            if let problem = Self.problem(of: line, columns: .max) { return problem }
            if let problem = Self.problem(of: line.cut(to: columns), columns: columns) { return "cut: \(problem)" }
            if let problem = Self.problem(of: Sanitiser.line(line.text), columns: .max) { return "again: \(problem)" }
        }
        for line in text.wrapped(to: columns) {
            if let problem = Self.problem(of: line, columns: columns) { return "wrapped: \(problem)" }
        }
        return nil
    }

    private static func problem(of line: SafeLine, columns: Int) -> String? {
        let text = line.text
        if let scalar = text.unicodeScalars.first(where: { !isHarmless($0) }) {
            return "U+\(String(scalar.value, radix: 16)) in \(text.debugDescription)"
        }
        if line.width != ColumnWidth.of(text) { return "says it is \(line.width) wide: \(text.debugDescription)" }
        // A cluster of two columns in a line of one has nowhere else to go.
        if line.width > max(columns, 2) { return "wider than \(columns): \(text.debugDescription)" }
        return nil
    }

    private static func isHarmless(_ scalar: UnicodeScalar) -> Bool {
        switch scalar.value {
        // Joiners, variations and tags: in an emoji or between letters.
        case 0x200C, 0x200D, 0xFE0E, 0xFE0F, 0xE0061...0xE007A, 0xE007F: return true
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return false
        default: return !scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}
