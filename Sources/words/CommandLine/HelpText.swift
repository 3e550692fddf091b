/// What `--help` and `--version` answer.
enum HelpText {
    static let version = "words 1.0.0"

    static func usageLine(of verb: Verb) -> String { "usage: \(verb.synopsis)" }

    static func lines(of verb: Verb?) -> [String] {
        guard let verb else { return overview }
        return [usageLine(of: verb), "", "  \(verb.summary)", "", "options:"] + options(of: verb) + notes(of: verb)
    }

    private static var overview: [String] {
        let verbs = Verb.allCases.map { row($0.synopsis, $0.summary, width: 30) }
        return ["Words: a chat in the terminal, with its own server.", ""] + verbs
            + ["", "options of words itself:"] + options(of: .chat)
            + ["", "words COMMAND --help tells of one command; in the app, `help` lists what you can do there."]
            + notes(of: .chat)
    }

    private static func options(of verb: Verb) -> [String] {
        let options = Option.all(of: verb).map { ("--\($0.name)" + ($0.value.map { " \($0)" } ?? ""), $0.help) }
        return (options + [("--help", "this text"), ("--version", "the version")]).map { row($0, $1, width: 28) }
    }

    private static func notes(of verb: Verb) -> [String] {
        switch verb {
        case .chat:
            [
                "",
                "exit: 0 done · 1 a command failed · 2 a mistake in the command line · 4 no server · 5 a fault of Words",
                "Without --server, the first words on this machine serves all others of the same user.",
            ]
        case .run, .demo:
            [
                "",
                "exit: 0 all as expected · 1 something differs · 2 a mistake in a script or in the command line ·",
                "      3 past a deadline · 4 no server · 5 a fault of Words · 77 skipped",
            ]
        case .serve:
            [
                "", "It stops on Ctrl-C or SIGTERM, once what is in flight has been answered.",
                "A copy of the data while it runs: sqlite3 DIR/words.sqlite \"VACUUM INTO 'copy.sqlite'\"",
            ]
        case .passwd:
            ["", "The new password is asked for without showing it; from a pipe it is the first line."]
        }
    }

    private static func row(_ left: String, _ right: String, width: Int) -> String {
        let gap = String(repeating: " ", count: max(2, width - left.count))
        return "  \(left)\(gap)\(right)"
    }
}
