import Models

/// A value as one line of Swift-like text, safe to print: `Login.Account.Request(identity: "a@b", password: <redacted>)`.
enum TraceDescription {
    /// How deep a value is looked into; below it stands `…`.
    private static let maximumDepth = 8

    static func describe(_ value: Any) -> String { describe(value, depth: 0) }

    private static func describe(_ value: Any, depth: Int) -> String {
        guard depth < maximumDepth else { return "…" }
        switch value {
        case is Secret: return "<redacted>"
        case let text as RemoteText: return quoted(text.unsanitised)
        case let text as String: return quoted(text)
        case let number as any BinaryInteger: return "\(number)"
        case let flag as Bool: return "\(flag)"
        case let time as Timestamp: return time.iso8601 ?? "\(time.milliseconds) ms"
        case let duration as Duration: return "\(duration.milliseconds) ms"
        case let identifier as any CustomStringConvertible where typeName(of: value).hasPrefix("Identifier<"):
            return quoted(identifier.description)
        default: return composed(value, depth: depth)
        }
    }

    private static func composed(_ value: Any, depth: Int) -> String {
        let mirror = Mirror(reflecting: value)
        let children = mirror.children.map { child in (child.label, describe(child.value, depth: depth + 1)) }
        switch mirror.displayStyle {
        case .optional: return children.first?.1 ?? "nil"
        case .collection, .set: return "[" + children.map(\.1).joined(separator: ", ") + "]"
        case .dictionary:
            return "[" + mirror.children.map { entry($0.value, depth) }.sorted().joined(separator: ", ") + "]"
        case .enum:
            guard let (label, payload) = children.first, let label else { return ".\(escaped("\(value)"))" }
            return ".\(label)" + (payload.hasPrefix("(") ? payload : "(\(payload))")
        case .tuple: return "(" + labelled(children) + ")"
        default: return "\(typeName(of: value))(" + labelled(children) + ")"
        }
    }

    private static func labelled(_ children: [(String?, String)]) -> String {
        children.map { label, text in
            guard let label, !label.hasPrefix(".") else { return text }
            return "\(label): \(text)"
        }.joined(separator: ", ")
    }

    private static func entry(_ pair: Any, _ depth: Int) -> String {
        Mirror(reflecting: pair).children.map { describe($0.value, depth: depth + 1) }.joined(separator: ": ")
    }

    /// Without the module's name.
    private static func typeName(of value: Any) -> String {
        let whole = String(reflecting: type(of: value))
        guard let dot = whole.firstIndex(of: ".") else { return whole }
        return String(whole[whole.index(after: dot)...])
    }

    private static func quoted(_ text: String) -> String { "\"" + escaped(text) + "\"" }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\"", "\\": result += "\\" + String(scalar)
            default:
                let isSafe =
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse:
                        false
                    default: true
                    }
                result +=
                    isSafe ? String(scalar) : "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            }
        }
        return result
    }
}
