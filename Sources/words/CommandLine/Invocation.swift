/// A command line, read: nothing has been opened or looked up yet.
struct Invocation: Equatable {
    enum Request: Equatable {
        case perform
        /// Of one verb, or of all.
        case help(Verb?)
        case version
    }

    var request = Request.perform
    var verb = Verb.chat
    /// The values of each option that was given; an empty one for an option that takes none.
    var options: [String: [String]] = [:]
    var operands: [String] = []

    func has(_ option: String) -> Bool { options[option] != nil }

    func value(_ option: String) -> String? { options[option]?.last }

    func values(_ option: String) -> [String] { options[option] ?? [] }

    /// The value as a whole number within `range`.
    func number<Number: FixedWidthInteger>(
        _ option: String, in range: ClosedRange<Number>
    ) throws(UsageError) -> Number? {
        guard let text = value(option) else { return nil }
        guard let number = Number(text), range.contains(number) else {
            throw UsageError("--\(option) takes a number from \(range.lowerBound) to \(range.upperBound).", verb)
        }
        return number
    }
}

/// A command line that means nothing; what is wrong with it, and how the verb is called.
struct UsageError: Error, Equatable {
    var message: String
    var verb: Verb

    init(_ message: String, _ verb: Verb) {
        self.message = message
        self.verb = verb
    }
}

extension Invocation {
    /// Reads the arguments behind the program's name. `--help` and `--version` win over all else.
    static func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
        var reader = InvocationReader(arguments)
        return try reader.invocation()
    }
}

private struct InvocationReader {
    private let arguments: [String]
    private var position = 0
    private var result = Invocation()

    init(_ arguments: [String]) { self.arguments = arguments }

    mutating func invocation() throws(UsageError) -> Invocation {
        let words = arguments.prefix { $0 != "--" }
        let verb = words.lazy.compactMap(Self.verb).first
        if words.contains("--help") || words.contains("-h") || words.first == "help" {
            return Invocation(request: .help(verb))
        }
        if words.contains("--version") { return Invocation(request: .version) }
        try readVerb()
        while position < arguments.count { try readNext() }
        let count = result.operands.count
        guard result.verb.operands.contains(count) else {
            throw error(count == 0 ? "Something is missing." : "\(quoted(result.operands[count - 1])) is too much.")
        }
        return result
    }

    private static func verb(_ word: String) -> Verb? { word.isEmpty ? nil : Verb(rawValue: word) }

    /// The verb may stand behind options, whose values are not to be taken for it.
    private mutating func readVerb() throws(UsageError) {
        var index = 0
        while index < arguments.count, arguments[index].hasPrefix("-"), arguments[index] != "--" {
            let name = arguments[index].drop { $0 == "-" }
            let takesNext = Option.all.contains { $0.name == name && $0.value != nil }
            index += takesNext ? 2 : 1
        }
        guard index < arguments.count, arguments[index] != "--" else { return }
        guard let verb = Self.verb(arguments[index]) else {
            throw error("There is no command \(quoted(arguments[index])): there are run, demo, serve and passwd.")
        }
        result.verb = verb
        verbPosition = index
    }

    private var verbPosition: Int?

    private mutating func readNext() throws(UsageError) {
        defer { position += 1 }
        let argument = arguments[position]
        if position == verbPosition { return }
        if argument == "--" {
            result.operands += arguments[(position + 1)...]
            position = arguments.count
        } else if argument.hasPrefix("-"), argument != "-" {
            try readOption(argument)
        } else {
            result.operands.append(argument)
        }
    }

    private mutating func readOption(_ argument: String) throws(UsageError) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = String(parts[0].dropFirst(2))
        try refuseSecret(name)
        guard argument.hasPrefix("--"), let option = Option.all.first(where: { $0.name == name }) else {
            throw error("There is no option \(quoted(parts[0])).")
        }
        guard option.verbs.contains(result.verb) else {
            let verbs = Verb.allCases.filter(option.verbs.contains).map { $0 == .chat ? "words" : "words \($0)" }
            throw error("--\(name) is for \(verbs.joined(separator: ", ")).")
        }
        guard option.isRepeatable || !result.has(name) else { throw error("--\(name) is given twice.") }
        result.options[name, default: []].append(try value(of: option, parts.count > 1 ? parts[1] : nil))
    }

    private mutating func value(of option: Option, _ attached: String?) throws(UsageError) -> String {
        guard let sample = option.value else {
            guard attached == nil else { throw error("--\(option.name) takes no value.") }
            return ""
        }
        if attached == nil { position += 1 }
        guard let value = attached ?? (position < arguments.count ? arguments[position] : nil), !value.isEmpty else {
            throw error("--\(option.name) needs a value: --\(option.name) \(sample).")
        }
        return value
    }

    /// Arguments are there for every user of the machine to read.
    private func refuseSecret(_ name: String) throws(UsageError) {
        switch name {
        case "password", "passwd":
            throw error("A password is never an argument: others on this machine can read those.")
        case "client-secret":
            throw error("A secret is never an argument: put it into a file and name that with --client-secret-file.")
        default: return
        }
    }

    private func error(_ message: String) -> UsageError { UsageError(message, result.verb) }

    private func quoted(_ text: String) -> String {
        let visible = text.unicodeScalars.filter { !$0.properties.generalCategory.isInvisible }.prefix(60)
        return "`\(String(String.UnicodeScalarView(visible)))`"
    }
}

extension Unicode.GeneralCategory {
    fileprivate var isInvisible: Bool {
        switch self {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: false
        }
    }
}
