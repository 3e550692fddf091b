import Foundation
import TextSnapshots

/// What one playing of a golden block has shown.
public struct GoldenOutcome: Equatable, Sendable {
    public var block: GoldenBlock
    public var output: [String]
    /// Whether it was played on a server of Words' own kind.
    public var isWords: Bool

    public init(block: GoldenBlock, output: [String], isWords: Bool = true) {
        self.block = block
        self.output = output
        self.isWords = isWords
    }

    public var matches: Bool { comparison(with: block.lines).matches }

    func comparison(with lines: [String]) -> GoldenComparison {
        GoldenComparison(golden: lines, output: output, isWords: isWords)
    }
}

/// Why goldens are not rewritten; nothing has been changed then.
public enum UpdateRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    /// The environment variable `CI` is set.
    case continuousIntegration
    /// Something other than a golden block failed, so what was printed is not what the script is about.
    case otherFailure(SourceLocation)
    /// A block that is played more than once was printed differently.
    case ambiguous(SourceLocation)
    /// The file is not any more what was played.
    case changed(SourceLocation)
    case unusable(path: String, reason: String)

    public var description: String {
        switch self {
        case .continuousIntegration:
            "Nothing is updated where CI is set: a golden is looked at by somebody before it is kept."
        case .otherFailure(let location):
            "Nothing is updated: more than golden blocks failed, first at \(location). Mend that and run it again."
        case .ambiguous(let location):
            "Nothing is updated: the block at \(location) is played more than once and printed differently each time. "
                + "Put [..] or ... where it differs."
        case .changed(let location):
            "Nothing is updated: the block at \(location) was changed while the script was playing. Run it again."
        case .unusable(let path, let reason): "\(path) could not be rewritten: \(reason)"
        }
    }
}

/// Rewrites failing golden blocks to what was printed. What still matches stays, and so do all other bytes of the file.
public struct GoldenUpdate {
    private let outcomes: [GoldenOutcome]

    public init(outcomes: [GoldenOutcome]) { self.outcomes = outcomes }

    /// Whether `environment` is that of a CI run, where nobody looks at what is written.
    public static func isForbidden(in environment: [String: String]) -> Bool {
        RecordMode.all.allowed(in: environment) == .never
    }

    /// Rewrites the files, each at once or not at all.
    ///
    /// - Returns: The paths of those that have changed.
    public func apply() throws(UpdateRefusal) -> [String] {
        var edits: [String: [(block: GoldenBlock, lines: [String])]] = [:]
        for outcome in outcomes where !outcome.matches {
            let block = outcome.block
            guard edits[block.location.file]?.contains(where: { $0.block == block }) != true else { continue }
            let lines = outcome.comparison(with: block.lines).updated
            let again = outcomes.filter { $0.block.location == block.location }
            guard again.allSatisfy({ $0.comparison(with: lines).matches }) else {
                throw .ambiguous(block.location)
            }
            edits[block.location.file, default: []].append((block, lines))
        }
        var texts: [(path: String, data: Data)] = []
        for (path, blocks) in edits.sorted(by: { $0.key < $1.key }) {
            texts.append((path, try Self.edited(path, blocks)))
        }
        for text in texts { try Self.replace(text.path, with: text.data) }
        return texts.map(\.path)
    }

    private static func edited(
        _ path: String, _ edits: [(block: GoldenBlock, lines: [String])]
    ) throws(UpdateRefusal) -> Data {
        let data: Data
        do { data = try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
            throw .unusable(path: path, reason: error.localizedDescription)
        }
        var lines = [UInt8](data).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            Array($0)
        }
        for (block, new) in edits.sorted(by: { $0.block.lineNumbers.lowerBound > $1.block.lineNumbers.lowerBound }) {
            let range = block.lineNumbers.lowerBound - 1..<block.lineNumbers.upperBound - 1
            guard range.upperBound <= lines.count, zip(lines[range], block.lines).allSatisfy(Self.isSame) else {
                throw .changed(block.location)
            }
            let ending = lines[range.lowerBound].last == UInt8(ascii: "\r") ? "\r" : ""
            lines.replaceSubrange(range, with: indented(new).map { Array(($0 + ending).utf8) })
        }
        return Data(lines.joined(separator: [UInt8(ascii: "\n")]))
    }

    private static func isSame(_ line: [UInt8], _ golden: String) -> Bool {
        let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...]
        guard golden.isEmpty else { return text.elementsEqual(("  " + golden).utf8) }
        return text.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }

    /// Empty lines between others stand as blank lines, as people write them.
    private static func indented(_ lines: [String]) -> [String] {
        lines.enumerated().map { index, line in
            let isBetween = index > 0 && index < lines.count - 1
            let mark = String(GoldenLine.endMark)
            if isBetween, line.isEmpty || line == mark { return "" }
            return "  " + (line.isEmpty ? mark : line)
        }
    }

    /// Puts a new file in the place of the old one, with its mode; whoever reads sees the one or the other, whole.
    private static func replace(_ path: String, with data: Data) throws(UpdateRefusal) {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        let draft = target.deletingLastPathComponent()
            .appendingPathComponent(".\(target.lastPathComponent).\(ProcessInfo.processInfo.processIdentifier)~")
        do {
            let mode = try FileManager.default.attributesOfItem(atPath: target.path)[.posixPermissions]
            try data.write(to: draft)
            if let mode { try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: draft.path) }
            guard rename(draft.path, target.path) == 0 else {
                throw CocoaError(
                    .fileWriteUnknown, userInfo: [NSLocalizedDescriptionKey: String(cString: strerror(errno))])
            }
        } catch {
            try? FileManager.default.removeItem(at: draft)
            throw .unusable(path: path, reason: error.localizedDescription)
        }
    }
}
