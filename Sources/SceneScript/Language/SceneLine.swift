import TextUI

/// What kind of line it is, seen by how it begins.
enum SceneLine: Equatable {
    case blank
    /// The text behind `#`.
    case comment(Substring)
    /// What stands behind the two blanks of a line of a golden block.
    case golden(Substring)
    case set(Substring)
    case include(Substring)
    /// The number of times and the step behind `repeat`.
    case repeated(Substring)
    case command(actor: String, Substring)
    case await(actor: String, Substring)
    case refute(actor: String, Substring)
    case clock(Substring)
    case network(Substring)
    case server(Substring)
    case request(Substring)

    private static let reserved: Set<String> = ["clock", "network", "server", "request", "set", "include", "repeat"]

    /// A letter, then letters, digits, `-` or `_`.
    static func isActor(_ name: some StringProtocol) -> Bool {
        guard let first = name.first, first.isASCII, first.isLetter, !reserved.contains(String(name)) else {
            return false
        }
        return name.utf8.count <= 64
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
    }

    init(_ line: Substring, at location: SourceLocation) throws(ScriptError) {
        if line.allSatisfy({ $0 == " " || $0 == "\t" }) {
            self = .blank
        } else if line.hasPrefix("  ") {
            self = .golden(line.dropFirst(2))
        } else if line.first == " " || line.first == "\t" {
            throw ScriptError(location, "The lines of a golden block begin with two blanks, all others with none.")
        } else if line.first == "#" {
            self = .comment(line.dropFirst())
        } else {
            self = try Self.step(line, at: location)
        }
    }

    private static func step(_ line: Substring, at location: SourceLocation) throws(ScriptError) -> SceneLine {
        let word = line.prefix { $0 != " " && $0 != "\t" }
        let rest = line[word.endIndex...]
        switch word {
        case "set": return .set(rest)
        case "include": return .include(rest)
        case "repeat": return .repeated(rest)
        case "clock>": return .clock(rest)
        case "network>": return .network(rest)
        case "server>": return .server(rest)
        case "request>": return .request(rest)
        default: break
        }
        let name = String(word.dropLast())
        guard isActor(name) else { throw unknown(word, name, at: location) }
        switch word.last {
        case ">": return .command(actor: name, rest)
        case "?": return .await(actor: name, rest)
        case "!": return .refute(actor: name, rest)
        default: throw unknown(word, name, at: location)
        }
    }

    /// Whether it is one that does or demands something.
    var isStep: Bool {
        switch self {
        case .command, .await, .refute, .clock, .network, .server, .request: true
        case .blank, .comment, .golden, .set, .include, .repeated: false
        }
    }

    private static func unknown(_ word: Substring, _ name: String, at location: SourceLocation) -> ScriptError {
        if reserved.contains(name) {
            return ScriptError(
                location, "`\(name)` is no actor: choose another name, or write `\(name)>` or `\(name) `.")
        }
        return ScriptError(
            location,
            "A line begins with `actor>`, `actor?`, `actor!`, `clock>`, `network>`, `server>`, `request>`, `set`, `include`, `repeat` "
                + "or `#`, and a name with a letter, then letters, digits, - or _.")
    }
}
