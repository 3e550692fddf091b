/// Why a comparison did not pass, in words that end with the next step.
public struct SnapshotFailure: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Reason: Equatable, Sendable {
        /// The golden and the text differ.
        case different(UnifiedDiff)
        /// There is no golden yet.
        case missing
        /// The golden was written just now and waits to be looked at.
        case recorded
        /// The golden could not be read or written; the system's words.
        case unusable(String)
    }

    public let reason: Reason
    /// The golden's path; nil for one that stands in the test itself.
    public let path: String?
    /// What to print: what happened, to what, and what to do next.
    public let description: String
}

extension SnapshotFailure {
    static func different(_ difference: UnifiedDiff, path: String?, hint: String?, actual: String) -> Self {
        var text = path.map { "The text differs from \($0):" } ?? "The text differs from what the test expects:"
        text += "\n\n\(difference)\n"
        if let hint { text += "\n\(hint)" }
        if path != nil {
            text += "\nIf the new text is right, run the test again with TEXT_SNAPSHOTS=failed, then look at the change"
            text += " and commit it."
        } else {
            text += "\nIf the new text is right, put it into the test:\n\n\(literal(actual))"
        }
        return Self(reason: .different(difference), path: path, description: text)
    }

    static func missing(path: String) -> Self {
        Self(
            reason: .missing, path: path,
            description: "There is no \(path) to compare with. Run the test again with TEXT_SNAPSHOTS=missing to write"
                + " it, then look at it and commit it.")
    }

    static func recorded(path: String) -> Self {
        Self(
            reason: .recorded, path: path,
            description: "Written: \(path). Look at it, then run the test again without TEXT_SNAPSHOTS.")
    }

    static func unusable(_ what: String, path: String) -> Self {
        Self(
            reason: .unusable(what), path: path,
            description: "\(path) cannot be used: \(what). See that the folder is there and may be written to.")
    }

    /// The text as a multi-line string literal of Swift that bears whatever it holds.
    static func literal(_ text: String) -> String {
        let body = SnapshotLine.split(text.utf8).map { line in
            String(decoding: line.bytes, as: UTF8.self).replacing("\\", with: "\\\\")
        }
        return (["\"\"\""] + body + ["\"\"\""]).joined(separator: "\n")
    }
}
