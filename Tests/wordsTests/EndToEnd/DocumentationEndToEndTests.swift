import ChildProcesses
import Foundation
import Testing

@testable import SceneScript

/// What the documents show is what happens, and what they name is there.
@Suite final class DocumentationEndToEndTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private let home = FileManager.default.temporaryDirectory.appendingPathComponent("words-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: home) }

    private static func documents() throws -> [URL] {
        let folder = root.appendingPathComponent("Documentation")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }
        return [root.appendingPathComponent("README.md")] + names.sorted().map { folder.appendingPathComponent($0) }
    }

    /// The contents of the fenced blocks without a language.
    private static func blocks(of document: URL) throws -> [[String]] {
        var blocks: [[String]] = []
        var open: [String]?
        var isPlain = false
        for line in try String(contentsOf: document, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        {
            if line.hasPrefix("```") {
                if let block = open, isPlain { blocks.append(block) }
                isPlain = line == "```"
                open = open == nil ? [] : nil
            } else {
                open?.append(String(line))
            }
        }
        return blocks
    }

    @Test("the README shows what the demo prints")
    func demo() async throws {
        let shown = try #require(Self.blocks(of: Self.root.appendingPathComponent("README.md")).first)

        let result = try await ChildProcess.run(["demo"], home: home)

        let printed = result.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let comparison = GoldenComparison(golden: shown, output: printed)
        #expect(shown.count > 20)
        #expect(comparison.difference(expectedName: "README.md", actualName: "words demo") == nil)
    }

    @Test("the scripts in the documents pass")
    func scripts() async throws {
        var played = 0
        for document in try Self.documents() {
            for block in try Self.blocks(of: document) where block.contains(where: { $0.hasPrefix("set clock=") }) {
                let path = home.appendingPathComponent("\(played).scene").path
                try Data(block.map { $0 + "\n" }.joined().utf8).write(to: URL(fileURLWithPath: path))

                let result = try await ChildProcess.run(["run", path], home: home)

                #expect(result.status == 0, "\(document.lastPathComponent): \(result.output)\(result.error)")
                played += 1
            }
        }
        #expect(played >= 2)
    }

    @Test("every feature names a script and a test, and every test that a document names is there")
    func tests() throws {
        let features = try String(
            contentsOf: Self.root.appendingPathComponent("Documentation/Features.md"), encoding: .utf8)
        let rows = features.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
        var missing = rows.filter { !$0.contains(".scene`") || !$0.contains("Tests.swift` \"") }.map(String.init)
        for document in try Self.documents() {
            let text = try String(contentsOf: document, encoding: .utf8)
            for match in text.matches(of: #/`(Tests/[^` ]+\.swift)` "([^"]+)"/#) {
                let file = Self.root.appendingPathComponent(String(match.1))
                let source = try String(contentsOf: file, encoding: .utf8)
                let name = NSRegularExpression.escapedPattern(for: String(match.2))
                let isThere = source.range(of: #"@Test\(\s*"\#(name)""#, options: .regularExpression) != nil
                if !isThere { missing.append("\(match.1) \(match.2)") }
            }
        }

        #expect(rows.count >= 21)
        #expect(missing == [])
    }

    @Test("every suite that a document names is there")
    func suites() throws {
        let folder = Self.root.appendingPathComponent("Tests")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        let names = Set((files?.compactMap { $0 as? URL } ?? []).map { $0.deletingPathExtension().lastPathComponent })
        var named = 0
        for document in try Self.documents() {
            for match in try String(contentsOf: document, encoding: .utf8).matches(of: #/`([A-Z]\w*Tests)`/#) {
                #expect(names.contains(String(match.1)), "\(document.lastPathComponent)")
                named += 1
            }
        }
        #expect(named > 20)
    }

    @Test("every file that a document names is there")
    func files() throws {
        var missing: [String] = []
        for document in try Self.documents() {
            let text = try String(contentsOf: document, encoding: .utf8)
            let paths = text.matches(of: #/`((?:Models|Workers|Scenes|Sources|Tests)/[^` ]+\.[a-z]+)`/#).map {
                String($0.1)
            }
            let links = text.matches(of: #/\]\(([^)#:]+)\)/#).map { String($0.1) }
            let base = document.deletingLastPathComponent()
            let files =
                paths.map { Self.root.appendingPathComponent($0) } + links.map { base.appendingPathComponent($0) }
            missing += files.filter { !FileManager.default.fileExists(atPath: $0.path) }.map(\.path)
        }

        #expect(missing == [])
    }
}
