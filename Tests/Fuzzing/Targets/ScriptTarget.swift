import Foundation

@testable import SceneScript

/// Scene files and lines of a pipe: each is read, or refused with the place and the reason.
enum ScriptTarget {
    static func problem(with input: [UInt8]) -> String? {
        let source = SceneSource(read: { path in
            guard path == "fuzz.scene" else { throw CocoaError(.fileReadNoSuchFile) }
            return Data(input)
        })
        do throws(ScriptError) {
            let file = try SceneParser.parse(path: "fuzz.scene", source: source)
            for step in file.phases.flatMap(\.steps) where step.redactedText.isEmpty { return "a step without a text" }
        } catch {
            if error.what.isEmpty { return "refused without a reason" }
            if error.location.line < 1 || error.location.column < 1 { return "refused nowhere: \(error.location)" }
        }
        var reader = CommandReader()
        for (index, line) in String(decoding: input, as: UTF8.self).split(separator: "\n").prefix(64).enumerated() {
            _ = try? reader.command(in: String(line), number: index + 1)
            try? reader.keep("kept")
        }
        return nil
    }
}
