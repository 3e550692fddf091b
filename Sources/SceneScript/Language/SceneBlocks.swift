/// The comment that is being read: lines that follow each other are one.
struct SceneComment {
    private(set) var lines: [String] = []
    private(set) var location: SourceLocation?
    /// Whether a next line of comment would belong to it.
    var isOpen = false

    var text: String? {
        let text = lines.filter { !$0.isEmpty }.joined(separator: " ")
        return text.isEmpty ? nil : text
    }

    mutating func add(_ line: Substring, at place: SourceLocation) {
        if !isOpen { self = SceneComment(location: place, isOpen: true) }
        lines.append(String(line.drop { $0 == " " || $0 == "\t" }))
    }

    init(location: SourceLocation? = nil, isOpen: Bool = false) {
        self.location = location
        self.isOpen = isOpen
    }
}

/// The golden block that is being read. A blank line within it is an empty line that was printed; one behind it parts
/// steps, and is nobody's.
struct GoldenReader {
    private var isAllowed = false
    private var start: SourceLocation?
    private var lines: [String] = []
    private var blanks = 0

    /// A step was read: what is indented below it is its block, if it is an actor's.
    mutating func begin(below action: SceneAction?) {
        self = GoldenReader()
        isAllowed = action?.actor != nil
    }

    mutating func addBlank() { blanks += 1 }

    mutating func add(_ line: Substring, at place: SourceLocation) throws(ScriptError) {
        guard isAllowed, start != nil || blanks == 0 else {
            throw ScriptError(
                place, "Indented lines stand directly below the step of an actor: what its view has printed.")
        }
        if start == nil { start = place }
        lines += Array(repeating: "", count: blanks) + [String(line)]
        blanks = 0
    }

    /// The block that has been read, if there is one; what follows belongs to no step.
    mutating func end() -> GoldenBlock? {
        defer { self = GoldenReader() }
        return start.map { start in
            GoldenBlock(location: start, lineNumbers: start.line..<start.line + lines.count, lines: lines)
        }
    }
}
