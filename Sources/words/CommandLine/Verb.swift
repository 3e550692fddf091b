/// What `words` is asked to do.
enum Verb: String, CaseIterable {
    /// The app itself; named by nothing.
    case chat = ""
    case run, demo, serve, passwd

    /// How it is called, for usage lines.
    var synopsis: String {
        switch self {
        case .chat: "words [OPTION…]"
        case .run: "words run [OPTION…] FILE…"
        case .demo: "words demo [OPTION…]"
        case .serve: "words serve [OPTION…]"
        case .passwd: "words passwd [OPTION…] EMAIL"
        }
    }

    var summary: String {
        switch self {
        case .chat: "chat: commands from the terminal, or one per line from a pipe"
        case .run: "play scene scripts and compare what each actor sees"
        case .demo: "watch two people meet and talk, then three in a channel, on a server made for them"
        case .serve: "run the server on its own"
        case .passwd: "give an account of this machine's server a new password"
        }
    }

    /// How many operands it takes.
    var operands: ClosedRange<Int> {
        switch self {
        case .chat, .demo, .serve: 0...0
        case .run: 1...10_000
        case .passwd: 1...1
        }
    }
}
