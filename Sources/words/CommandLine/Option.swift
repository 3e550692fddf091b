import Server

/// What can stand behind a verb: data, from which the parser and the help are made.
struct Option: Equatable {
    /// Without its hyphens.
    var name: String
    /// How its value looks; nil where it takes none.
    var value: String?
    var help: String
    var verbs: Set<Verb>
    /// Whether it may be given more than once.
    var isRepeatable = false

    static let all: [Option] = everywhere + clients + scripts + server

    static func all(of verb: Verb) -> [Option] { all.filter { $0.verbs.contains(verb) } }

    private static let everywhere = [
        Option(
            name: "server", value: "URL", help: "talk to the server at URL instead of this machine's own",
            verbs: [.chat, .run, .demo]),
        Option(
            name: "home", value: "DIR", help: "keep the session in DIR (else $XDG_STATE_HOME/words)",
            verbs: Set(Verb.allCases)),
        Option(name: "width", value: "N", help: "no line wider than N columns", verbs: Set(Verb.allCases)),
        Option(
            name: "trace", value: nil, help: "each hop of the VIP cycle as a line on standard error",
            verbs: Set(Verb.allCases)),
        Option(
            name: "data", value: "DIR", help: "the server's data are in DIR (else $XDG_DATA_HOME/words/server)",
            verbs: [.chat, .serve, .passwd]),
    ]

    private static let clients = [
        Option(
            name: "insecure", value: nil, help: "allow plain http to other machines, where anyone can read along",
            verbs: [.chat, .run, .demo]),
        Option(
            name: "general-channel", value: nil,
            help: "on a server that is not Words' own, join the channel for everybody there too",
            verbs: [.chat, .run]),
        Option(
            name: "message-limit", value: "N", help: "a message in a channel may have N characters (else 256)",
            verbs: [.chat]),
        Option(name: "bell", value: nil, help: "ring the terminal's bell on a new message", verbs: [.chat]),
    ]

    private static let scripts = [
        Option(
            name: "update", value: nil,
            help: "rewrite the golden blocks that differ; look at them before you keep them",
            verbs: [.run]),
        Option(
            name: "report", value: "junit|json", help: "a report on standard output in place of the transcript",
            verbs: [.run]),
        Option(
            name: "keep", value: nil, help: "leave the homes and the database for a look, and say where",
            verbs: [.run, .demo]),
    ]

    private static let server = [
        Option(name: "host", value: "ADDRESS", help: "listen on ADDRESS (else 127.0.0.1)", verbs: [.serve]),
        Option(name: "port", value: "N", help: "listen on port N, 0 for any free one (else 8000)", verbs: [.serve]),
        Option(
            name: "server-name", value: "NAME",
            help: "the name in all ids, fixed when the data are made (else localhost)",
            verbs: [.serve]),
        Option(
            name: "allow-host", value: "NAME", help: "answer requests for the host NAME too", verbs: [.serve],
            isRepeatable: true),
        Option(
            name: "public-url", value: "URL", help: "clients find the server at URL: that of a TLS proxy before it",
            verbs: [.serve]),
        Option(
            name: "allow-origin", value: "ORIGIN", help: "let web pages of ORIGIN use the server, * for all",
            verbs: [.serve], isRepeatable: true),
        Option(
            name: "request-rate", value: "N",
            help: "requests a second that one account may make over time, 0 for any number (else "
                + "\(RateLimits.usualRequestsPerSecond))", verbs: [.serve]),
        Option(name: "client-id", value: "N", help: "the OAuth client's number (else 2)", verbs: [.chat, .serve]),
        Option(
            name: "client-secret-file", value: "FILE", help: "the OAuth client's secret is the first line of FILE",
            verbs: [.chat, .serve]),
    ]
}
