import Foundation

/// Compares what a scene shows with a golden: a text that somebody has looked at and kept.
///
/// Beside the test, as a file that a review shows line by line:
///
///     @Test("an empty list says so")
///     func empty() throws {
///         let lines = ContactsRenderer.lines(of: [], width: 40)
///
///         try TextSnapshot().compare(lines, named: "empty")
///     }
///
/// looks at `Goldens/ContactsRendererTests/empty.txt` in the folder of the test's file. Where there is no such file, or
/// another text in it, the comparison throws a `SnapshotFailure` whose description shows the difference and says what
/// to do. Run the tests with `TEXT_SNAPSHOTS=missing`, `failed` or `all` to have goldens written (see `RecordMode`), and
/// tell the package to leave the folder alone: `exclude: ["Goldens"]` on the test target.
///
/// Or within the test:
///
///     try TextSnapshot().compare(lines, with: """
///         Contacts
///           (no contacts yet)
///         """)
///
/// The library depends on no test framework: in Swift Testing a thrown failure fails the test with its description;
/// elsewhere, `failure(of:named:)` hands it back. A golden file always ends in one LF; bytes are compared, nothing else.
public struct TextSnapshot: Sendable {
    /// When goldens are written.
    public let mode: RecordMode
    /// How many unchanged lines a difference shows around a change.
    public let context: Int

    /// - Parameter mode: `never` under `CI`, whatever is asked for here; by default what `TEXT_SNAPSHOTS` names.
    public init(mode: RecordMode = .named(), context: Int = 4) {
        self.mode = mode.allowed()
        self.context = context
    }

    init(mode: RecordMode, environment: [String: String]) {
        self.mode = mode.allowed(in: environment)
        context = 4
    }

    /// Compares `lines` with the golden file `Goldens/<test file>/<name>.txt` beside the test.
    ///
    /// - Throws: What differs, or that there is nothing to compare with, or that a golden was written.
    public func compare(_ lines: [String], named name: String, testFile: String = #filePath) throws(SnapshotFailure) {
        if let failure = failure(of: lines, named: name, testFile: testFile) { throw failure }
    }

    /// Compares `lines` with a text that stands in the test.
    public func compare(_ lines: [String], with expected: String) throws(SnapshotFailure) {
        if let failure = failure(of: lines, with: expected) { throw failure }
    }

    /// What `compare` would throw; nil where all bytes are the same.
    public func failure(of lines: [String], named name: String, testFile: String = #filePath) -> SnapshotFailure? {
        let golden = Self.golden(named: name, testFile: testFile)
        let actual = Data(Self.text(of: lines).utf8)
        guard FileManager.default.fileExists(atPath: golden.path) else {
            return mode == .never ? .missing(path: golden.path) : record(actual, at: golden)
        }
        guard let expected = FileManager.default.contents(atPath: golden.path) else {
            return .unusable("it could not be read", path: golden.path)
        }
        if mode == .all { return record(actual, at: golden) }
        guard
            let difference = UnifiedDiff(
                expectedText: expected, actualText: actual, context: context, expectedName: golden.lastPathComponent)
        else { return nil }
        if mode == .failed { return record(actual, at: golden) }
        return .different(
            difference, path: golden.path, hint: Self.hint(expected), actual: String(decoding: actual, as: UTF8.self))
    }

    /// What `compare` would throw; nil where all bytes are the same.
    public func failure(of lines: [String], with expected: String) -> SnapshotFailure? {
        let actual = Self.text(of: lines)
        let wanted = expected.isEmpty || expected.utf8.last == UInt8(ascii: "\n") ? expected : expected + "\n"
        return UnifiedDiff(expectedText: wanted.utf8, actualText: actual.utf8, context: context)
            .map { .different($0, path: nil, hint: nil, actual: actual) }
    }

    /// Where the golden of that name stands. Only letters, digits, `-`, `_` and `.` go into the file's name.
    public static func golden(named name: String, testFile: String) -> URL {
        let file = URL(fileURLWithPath: testFile)
        let allowed = name.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" }
        return file.deletingLastPathComponent()
            .appendingPathComponent("Goldens", isDirectory: true)
            .appendingPathComponent(file.deletingPathExtension().lastPathComponent, isDirectory: true)
            .appendingPathComponent(String(allowed) + ".txt", isDirectory: false)
    }

    private static func text(of lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

    private func record(_ bytes: Data, at golden: URL) -> SnapshotFailure {
        do {
            try FileManager.default.createDirectory(
                at: golden.deletingLastPathComponent(), withIntermediateDirectories: true)
            try bytes.write(to: golden, options: .atomic)
        } catch {
            return .unusable(error.localizedDescription, path: golden.path)
        }
        return .recorded(path: golden.path)
    }

    /// Where all that differs may be the line ends, say so.
    private static func hint(_ expected: Data) -> String? {
        guard expected.contains(UInt8(ascii: "\r")) else { return nil }
        return
            "The golden has CR in its line ends. If a checkout put them there, write `*.txt -text` into .gitattributes."
    }
}
