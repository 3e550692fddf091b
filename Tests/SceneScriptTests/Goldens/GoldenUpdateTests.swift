import Foundation
import Testing

@testable import SceneScript

@Suite("GoldenUpdate")
struct GoldenUpdateTests {
    /// A script in a folder of its own.
    private final class ScriptOnDisk {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("words-\(UUID().uuidString)")
        var path: String { folder.appendingPathComponent("a.scene").path }

        init(_ text: String) throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        var text: String { String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self) }

        /// The outcomes of a playing in which each block shows the next of `outputs`.
        func outcomes(_ outputs: [[String]]) throws -> [GoldenOutcome] {
            let goldens = try SceneParser.parse(path: path).steps.compactMap(\.golden)
            return zip(goldens, outputs).map { GoldenOutcome(block: $0, output: $1) }
        }
    }

    @Test("rewrites failing blocks and no other byte, and a second time nothing")
    func rewrites() throws {
        let script = try ScriptOnDisk(
            "# x  \n\na> help\n  one\n  [..]o\n\n\n# \u{E9} e\u{301}\r\nb> help\r\n  same\r\nb> help\r\n  old\r\n\r\n  x\r\na> help\n  last"
        )
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: script.path)
        let outputs = [["eins", "two"], ["same"], ["new", "", "x", ""], ["last", "more"]]

        let changed = try GoldenUpdate(outcomes: script.outcomes(outputs)).apply()
        let text = script.text
        let again = try GoldenUpdate(outcomes: script.outcomes(outputs)).apply()

        #expect(changed == [script.path])
        #expect(
            text.utf8.elementsEqual(
                ("# x  \n\na> help\n  eins\n  [..]o\n\n\n# \u{E9} e\u{301}\r\nb> help\r\n  same\r\nb> help\r\n  new\r\n\r\n  x\r\n  ¬\r\na> help\n"
                    + "  last\n  more").utf8), "\(text)")
        #expect(again == [])
        #expect(script.text == text)
        let attributes = try FileManager.default.attributesOfItem(atPath: script.path)
        #expect(attributes[.posixPermissions] as? Int == 0o640)
        #expect(try FileManager.default.contentsOfDirectory(atPath: script.folder.path) == ["a.scene"])
    }

    @Test("a block that is printed differently each time is refused, and nothing is written")
    func ambiguous() throws {
        let script = try ScriptOnDisk("a> help\n  one\n")
        let outcomes = try script.outcomes([["two"]]) + script.outcomes([["three"]])
        let location = SourceLocation(file: script.path, line: 2)

        #expect(throws: UpdateRefusal.ambiguous(location)) { try GoldenUpdate(outcomes: outcomes).apply() }
        #expect(script.text == "a> help\n  one\n")
    }

    @Test("a file that was changed while it played is left alone")
    func changed() throws {
        let script = try ScriptOnDisk("a> help\n  one\n")
        let outcomes = try script.outcomes([["two"]])
        try Data("# new\na> help\n  one\n".utf8).write(to: URL(fileURLWithPath: script.path))
        let location = SourceLocation(file: script.path, line: 2)

        #expect(throws: UpdateRefusal.changed(location)) { try GoldenUpdate(outcomes: outcomes).apply() }
        #expect(script.text == "# new\na> help\n  one\n")
    }

    @Test("a link to a script stays a link")
    func link() throws {
        let script = try ScriptOnDisk("a> help\n  one\n")
        let link = script.folder.appendingPathComponent("link.scene").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: script.path)
        let block = try #require(SceneParser.parse(path: link).steps.first?.golden)

        _ = try GoldenUpdate(outcomes: [GoldenOutcome(block: block, output: ["two"])]).apply()

        #expect(script.text == "a> help\n  two\n")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == script.path)
    }

    @Test(
        "where CI is set nothing may be written",
        arguments: [("1", true), ("true", true), ("", false), ("0", false), ("false", false)])
    func continuousIntegration(_ value: String, _ isForbidden: Bool) {
        #expect(GoldenUpdate.isForbidden(in: ["CI": value]) == isForbidden)
        #expect(!GoldenUpdate.isForbidden(in: [:]))
    }
}
