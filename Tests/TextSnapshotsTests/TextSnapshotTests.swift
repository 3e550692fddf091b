import Foundation
import Testing

@testable import TextSnapshots

@Suite("TextSnapshot")
struct TextSnapshotTests {
    /// A test file in a folder of its own, removed with this value.
    private final class Place {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("snapshots-\(UUID().uuidString)")
        var testFile: String { folder.appendingPathComponent("SomeTests.swift").path }
        var golden: URL { TextSnapshot.golden(named: "list", testFile: testFile) }

        init(golden bytes: String? = nil) throws {
            try FileManager.default.createDirectory(
                at: golden.deletingLastPathComponent(), withIntermediateDirectories: true)
            if let bytes { try Data(bytes.utf8).write(to: golden) }
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        var bytes: Data? { FileManager.default.contents(atPath: golden.path) }
    }

    @Test("lines that equal the golden pass")
    func same() throws {
        let place = try Place(golden: "Contacts\n  Bob\n")

        let failure = TextSnapshot(mode: .never, environment: [:])
            .failure(of: ["Contacts", "  Bob"], named: "list", testFile: place.testFile)

        #expect(failure == nil)
    }

    @Test("another text fails with the difference and the next step, and the golden stays")
    func different() throws {
        let place = try Place(golden: "Contacts\n  Bob\n")

        let failure = TextSnapshot(mode: .never, environment: [:])
            .failure(of: ["Contacts", "  Bob "], named: "list", testFile: place.testFile)

        let text = try #require(failure?.description)
        #expect(text.contains("-  Bob\n+  Bob ¬"))
        #expect(text.contains("TEXT_SNAPSHOTS=failed"))
        #expect(text.contains(place.golden.path))
        #expect(place.bytes == Data("Contacts\n  Bob\n".utf8))
    }

    @Test("a missing golden fails and is not written unless asked for")
    func missing() throws {
        let place = try Place()

        let failure = TextSnapshot(mode: .never, environment: [:])
            .failure(of: ["a"], named: "list", testFile: place.testFile)

        #expect(failure?.reason == .missing)
        #expect(failure?.description.contains("TEXT_SNAPSHOTS=missing") == true)
        #expect(place.bytes == nil)
    }

    @Test("the mode decides what is written, and what is written fails", arguments: RecordMode.allCases)
    func modes(mode: RecordMode) throws {
        let absent = try Place()
        let differing = try Place(golden: "old\n")
        let equal = try Place(golden: "new\n")
        let snapshot = TextSnapshot(mode: mode, environment: [:])

        let failures = [absent, differing, equal].map {
            snapshot.failure(of: ["new"], named: "list", testFile: $0.testFile)
        }

        let wasRecorded = failures.map { $0?.reason == .recorded }
        let isNew = [absent, differing].map { $0.bytes == Data("new\n".utf8) }
        switch mode {
        case .never: #expect(wasRecorded == [false, false, false] && isNew == [false, false])
        case .missing: #expect(wasRecorded == [true, false, false] && isNew == [true, false])
        case .failed: #expect(wasRecorded == [true, true, false] && isNew == [true, true])
        case .all: #expect(wasRecorded == [true, true, true] && isNew == [true, true])
        }
        #expect((failures[2] == nil) == (mode != .all))
    }

    @Test("nothing is written under CI, whatever the mode", arguments: RecordMode.allCases)
    func ci(mode: RecordMode) throws {
        let place = try Place()

        let failure = TextSnapshot(mode: mode, environment: ["CI": "true"])
            .failure(of: ["a"], named: "list", testFile: place.testFile)

        #expect(failure?.reason == .missing)
        #expect(place.bytes == nil)
    }

    @Test("the environment names the mode")
    func environment() {
        #expect(RecordMode.named(by: [:]) == .never)
        #expect(RecordMode.named(by: ["TEXT_SNAPSHOTS": "failed"]) == .failed)
        #expect(RecordMode.named(by: ["TEXT_SNAPSHOTS": "sometimes"]) == .never)
        #expect(RecordMode.named(by: ["TEXT_SNAPSHOTS": "all", "CI": "1"]) == .never)
        #expect(RecordMode.named(by: ["TEXT_SNAPSHOTS": "all", "CI": "false"]) == .all)
    }

    @Test("a golden that cannot be written is said, not ignored")
    func unwritable() throws {
        let place = try Place()
        let file = place.folder.appendingPathComponent("SomeTests.swift")
        try Data().write(to: file)

        let failure = TextSnapshot(mode: .all, environment: [:])
            .failure(of: ["a"], named: "list", testFile: file.appendingPathComponent("Inner.swift").path)

        guard case .unusable = failure?.reason else {
            Issue.record("expected an unusable golden, got \(String(describing: failure))")
            return
        }
    }

    @Test("CR in a golden is explained")
    func carriageReturn() throws {
        let place = try Place(golden: "a\r\n")

        let failure = TextSnapshot(mode: .never, environment: [:])
            .failure(of: ["a"], named: "list", testFile: place.testFile)

        #expect(failure?.description.contains("-a\\r\n+a") == true)
        #expect(failure?.description.contains(".gitattributes") == true)
    }

    @Test("a text in the test passes or fails with the text to put there")
    func inline() {
        let snapshot = TextSnapshot(mode: .never, environment: [:])

        #expect(snapshot.failure(of: ["a", "  b"], with: "a\n  b") == nil)
        #expect(snapshot.failure(of: ["a", "  b"], with: "a\n  b\n") == nil)
        #expect(snapshot.failure(of: [], with: "") == nil)
        let failure = snapshot.failure(of: ["a", "  \\b"], with: "a")
        #expect(failure?.description.contains("\"\"\"\na\n  \\\\b\n\"\"\"") == true)
    }

    @Test("comparing throws what failure says")
    func throwing() {
        #expect(throws: SnapshotFailure.self) {
            try TextSnapshot(mode: .never, environment: [:]).compare(["a"], with: "b")
        }
    }

    @Test("a golden's name cannot leave its folder")
    func names() {
        let golden = TextSnapshot.golden(named: "../a b/c", testFile: "/tests/SomeTests.swift")

        #expect(golden.path == "/tests/Goldens/SomeTests/..-a-b-c.txt")
    }
}
