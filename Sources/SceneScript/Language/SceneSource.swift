import Foundation

/// Reads scripts' files, and tells which paths are one file.
public struct SceneSource: Sendable {
    /// The bytes of a file.
    public var read: @Sendable (_ path: String) throws -> Data
    /// The same for all paths that lead to one file.
    public var identity: @Sendable (_ path: String) -> String

    public init(
        read: @escaping @Sendable (_ path: String) throws -> Data,
        identity: @escaping @Sendable (_ path: String) -> String = { $0 }
    ) {
        self.read = read
        self.identity = identity
    }

    public static let files = SceneSource(
        read: { path in
            let values = try? URL(fileURLWithPath: path).resourceValues(forKeys: [.isDirectoryKey])
            if values?.isDirectory == true { throw CocoaError(.fileReadUnknown) }
            return try Data(contentsOf: URL(fileURLWithPath: path))
        },
        identity: { URL(fileURLWithPath: $0).standardizedFileURL.resolvingSymlinksInPath().path })

    /// The lines of a script, without their ends.
    ///
    /// - Parameter location: Of the `include` that names the file, or its own beginning.
    func lines(of path: String, at location: SourceLocation) throws(ScriptError) -> [Substring] {
        let data: Data
        do { data = try read(path) } catch {
            throw ScriptError(location, "The script \(path) cannot be read. Is it there, a file, and readable?")
        }
        guard data.count <= 4 << 20 else { throw ScriptError(location, "The script \(path) is larger than 4 MiB.") }
        var lines: [Substring] = []
        for (index, bytes) in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            let place = SourceLocation(file: path, line: index + 1)
            let ended = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
            guard let line = String(validating: ended, as: UTF8.self) else {
                throw ScriptError(place, "This line is not UTF-8.")
            }
            try refuseControls(in: line, at: place)
            lines.append(Substring(line))
        }
        return lines
    }

    private func refuseControls(in line: String, at place: SourceLocation) throws(ScriptError) {
        guard
            let control = line.unicodeScalars.firstIndex(where: {
                $0.properties.generalCategory == .control && $0 != "\t"
            })
        else { return }
        let number = String(line.unicodeScalars[control].value, radix: 16, uppercase: true)
        throw ScriptError(
            SourceLocation(file: place.file, line: place.line, column: line[..<control].count + 1),
            "A control character stands here. In quotes write \\u{\(number)} for it.")
    }
}
