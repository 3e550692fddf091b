import TextUI

/// Reads a script with all that it includes. The first thing that is wrong ends it, with its place.
public struct SceneParser {
    private static let deepestInclude = 16
    private static let mostSteps = 20_000

    private let source: SceneSource
    private var file: SceneFile
    private var settings = SettingsParser()
    /// The files that are being read, the innermost last.
    private var open: [String] = []
    private var kept: Set<String> = []
    private var lineCount = 0

    private var comment = SceneComment()
    /// The next step begins a phase.
    private var phaseIsDue = true
    private var golden = GoldenReader()

    /// - Throws: `ScriptError`: what cannot be played, and where.
    public static func parse(path: String, source: SceneSource = .files) throws(ScriptError) -> SceneFile {
        var parser = SceneParser(source: source, file: SceneFile(path: path))
        try parser.read(path, at: SourceLocation(file: path, line: 1))
        parser.file.settings = parser.settings.settings
        return parser.file
    }

    private init(source: SceneSource, file: SceneFile) {
        self.source = source
        self.file = file
    }

    private mutating func read(_ path: String, at location: SourceLocation) throws(ScriptError) {
        let identity = source.identity(path)
        guard !open.contains(identity) else {
            throw ScriptError(location, "\(path) includes itself: it is being read already.")
        }
        guard open.count < Self.deepestInclude else {
            throw ScriptError(location, "Files include files more than \(Self.deepestInclude) deep here.")
        }
        let lines = try source.lines(of: path, at: location)
        try count(lines.count, at: location)
        open.append(identity)
        for (index, line) in lines.enumerated() { try read(line, at: SourceLocation(file: path, line: index + 1)) }
        endBlocks()
        open.removeLast()
    }

    private mutating func read(_ line: Substring, at place: SourceLocation) throws(ScriptError) {
        let kind = try SceneLine(line, at: place)
        switch kind {
        case .golden(let text):
            comment.isOpen = false
            try golden.add(text, at: place)
        case .blank:
            comment.isOpen = false
            golden.addBlank()
        case .comment(let text):
            endGolden()
            comment.add(text, at: place)
            if file.title == nil, file.phases.isEmpty { file.title = comment.text }
            phaseIsDue = true
        case .set(let text):
            endBlocks()
            try set(try words(text, of: line, at: place), at: place)
        case .include(let text):
            endBlocks()
            try include(try words(text, of: line, at: place), at: place)
        case .repeated(let text):
            endBlocks()
            try readRepeated(text, line, at: place)
        default:
            endBlocks()
            add(try action(kind, line, at: place), line, at: place)
        }
    }

    /// `repeat 500 alice> create "Channel {number}"` is 500 steps, which count from 1. They have no golden block.
    private mutating func readRepeated(
        _ text: Substring, _ line: Substring, at place: SourceLocation
    ) throws(ScriptError) {
        let number = text.drop(while: Self.isBlank).prefix { !Self.isBlank($0) }
        let step = text[number.endIndex...].drop(while: Self.isBlank)
        guard let times = Int(number), (1...Self.mostSteps).contains(times), !step.isEmpty else {
            throw ScriptError(
                place, "`repeat` takes a number and a step, as in repeat 3 alice> send \"message {number}\".")
        }
        try count(times, at: place)
        let offset = line.distance(from: line.startIndex, to: step.startIndex)
        do throws(ScriptError) {
            for number in 1...times {
                let line = step.replacing("{number}", with: String(number))
                let kind = try SceneLine(line, at: place)
                guard kind.isStep else { throw ScriptError(place, "Only a step can be repeated.") }
                add(try action(kind, line, at: place).moved(by: offset), line, at: place)
            }
        } catch {
            var location = error.location
            location.column += offset
            throw ScriptError(location, error.what)
        }
        golden.begin(below: nil)
    }

    private static func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }

    private mutating func count(_ lines: Int, at place: SourceLocation) throws(ScriptError) {
        lineCount += lines
        guard lineCount <= Self.mostSteps else {
            throw ScriptError(
                place, "With what it includes and repeats, the script has more than \(Self.mostSteps) lines.")
        }
    }

    private func words(
        _ text: Substring, of line: Substring, at place: SourceLocation, expressions: Bool = false
    ) throws(ScriptError) -> [SceneWord] {
        try SceneWord.words(in: text, at: self.place(of: text, in: line, place), expressions: expressions)
    }

    private func place(of text: Substring, in line: Substring, _ place: SourceLocation) -> SourceLocation {
        SourceLocation(file: place.file, line: place.line, column: line[..<text.startIndex].count + 1)
    }
}

// MARK: - Steps

extension SceneParser {
    private func action(
        _ kind: SceneLine, _ line: Substring, at place: SourceLocation
    ) throws(ScriptError) -> SceneAction {
        switch kind {
        case .command(let actor, let text):
            let words = try words(text, of: line, at: place)
            return .perform(
                actor: actor, try SceneCommand.parse(words, kept: kept, at: self.place(of: text, in: line, place)))
        case .await(let actor, let text):
            let (predicate, within) = try predicate(text, line, at: place)
            return .await(actor: actor, predicate, within: within)
        case .refute(let actor, let text):
            let (predicate, within) = try predicate(text, line, at: place)
            guard within == nil else {
                throw ScriptError(place, "`\(actor)!` takes no within=: it waits until everything has settled.")
            }
            return .refute(actor: actor, predicate)
        case .network(let text):
            return .network(try FaultParser.network(try words(text, of: line, at: place), at: place))
        case .server(let text):
            return .server(try FaultParser.server(try words(text, of: line, at: place), at: place))
        case .request(let text):
            return .request(try RequestParser.parse(try words(text, of: line, at: place), kept: kept, at: place))
        case .clock(let text):
            return .advance(try duration(try words(text, of: line, at: place), at: place))
        case .blank, .comment, .golden, .set, .include, .repeated:
            throw ScriptError(place, "A step is needed here.")
        }
    }

    private func predicate(
        _ text: Substring, _ line: Substring, at place: SourceLocation
    ) throws(ScriptError) -> (Predicate, within: Duration?) {
        let words = try words(text, of: line, at: place, expressions: true)
        return try PredicateParser.parse(words, at: self.place(of: text, in: line, place))
    }

    private func duration(_ words: [SceneWord], at place: SourceLocation) throws(ScriptError) -> Duration {
        guard words.count == 2, words[0].value == "advance", words.allSatisfy({ $0.key == nil }),
            let duration = DurationText.duration(words[1].value)
        else { throw ScriptError(place, "`clock>` takes `advance` and a duration, as in `clock> advance 31s`.") }
        return duration
    }

    private mutating func add(_ action: SceneAction, _ line: Substring, at place: SourceLocation) {
        if phaseIsDue {
            file.phases.append(ScenePhase(title: comment.text, location: comment.location ?? place))
            (comment, phaseIsDue) = (SceneComment(), false)
        }
        if case .perform(_, let command) = action, let name = command.capture { kept.insert(name) }
        file.phases[file.phases.count - 1].steps.append(SceneStep(location: place, text: String(line), action: action))
        golden.begin(below: action)
    }

    private mutating func set(_ words: [SceneWord], at place: SourceLocation) throws(ScriptError) {
        guard file.phases.isEmpty else { throw ScriptError(place, "`set` stands before the first step.") }
        try settings.read(words, at: place)
    }

    private mutating func include(_ words: [SceneWord], at place: SourceLocation) throws(ScriptError) {
        guard words.count == 1, words[0].key == nil, !words[0].value.isEmpty else {
            throw ScriptError(place, "`include` takes one file, as in include \"login.scene\".")
        }
        let folder = place.file.lastIndex(of: "/").map { String(place.file[...$0]) } ?? ""
        let path = words[0].value.hasPrefix("/") ? words[0].value : folder + words[0].value
        try read(path, at: SourceLocation(file: place.file, line: place.line, column: words[0].column))
    }
}

// MARK: - Blocks of several lines

extension SceneParser {
    private mutating func endBlocks() {
        endGolden()
        comment.isOpen = false
    }

    private mutating func endGolden() {
        guard let block = golden.end(), let phase = file.phases.indices.last,
            let step = file.phases[phase].steps.indices.last
        else { return }
        file.phases[phase].steps[step].golden = block
    }
}

extension SceneAction {
    /// With a command's words so many columns further on in their line.
    fileprivate func moved(by offset: Int) -> SceneAction {
        guard case .perform(let actor, var command) = self else { return self }
        for index in command.words.indices { command.words[index].column += offset }
        return .perform(actor: actor, command)
    }
}
