import Scenes

/// All commands that there are.
public enum CommandCatalogue {
    /// In the order of the help.
    public static let all: [CommandDescription] =
        account + contacts + channels + chatroom + everywhere

    public static subscript(name: String) -> CommandDescription? { byName[name] }

    /// Those that the scene takes, in the order of the help.
    public static func commands(in scene: SceneName) -> [CommandDescription] {
        all.filter { $0.scenes.contains(scene) }
    }

    /// The arguments that hold secrets, in whatever command.
    public static let secretNames = Set(all.flatMap(\.arguments).filter { $0.form == .secret }.map(\.name))

    /// What is wrong with a command in a scene; nil where it may be carried out.
    public static func fault(of command: Command, in scene: SceneName) -> CommandOutcome? {
        guard let description = self[command.name] else {
            let guess = guess(command.name, commands(in: scene))
            return .usage("\(nothing(named: command.name))\(guess) Type help for the commands.")
        }
        guard description.scenes.contains(scene) else { return .notHere(whereToGive(description)) }
        // Welcome only shows the way; what is missing is asked for there.
        if scene == .welcome, description.name != "help", command.positional.isEmpty, command.named.isEmpty {
            return nil
        }
        return description.fault(in: command).map { .usage("\($0) Usage: \(description.usage)") }
    }

    /// What is wrong with the name of a command, wherever it may be given; nil where there is such a command.
    public static func fault(ofName name: String) -> String? {
        self[name] == nil ? nothing(named: name) + guess(name, all) : nil
    }

    private static func nothing(named name: String) -> String {
        "There is no command \(Sanitiser.line(name).cut(to: 40).text)."
    }

    private static func guess(_ name: String, _ known: [CommandDescription]) -> String {
        nearest(to: name, among: known).map { " Did you mean \($0)?" } ?? ""
    }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    private static let signedIn: Set<SceneName> = [.listContacts, .listChannels, .chatroom]
    private static let lists: Set<SceneName> = [.listContacts, .listChannels]

    private static let account = [
        CommandDescription(
            name: "login", arguments: [.named("email", "EMAIL"), .secret("password")], scenes: [.welcome, .login],
            help: "sign in; email= takes a user name on a plain Matrix server"),
        CommandDescription(
            name: "signup", arguments: [.named("name", "\"Name\""), .named("email", "EMAIL"), .secret("password")],
            scenes: [.welcome, .signup], help: "make an account and sign in"),
        CommandDescription(
            name: "cancel", arguments: [], scenes: [.login, .signup], help: "go back without signing in"),
    ]

    private static let contacts = [
        CommandDescription(
            name: "contacts", arguments: [], scenes: signedIn, help: "show the list of contacts"),
        CommandDescription(
            name: "open", arguments: [.positional("which", "\"Name\"|N")], scenes: lists,
            help: "chat with a contact or in a channel, by name or by number in the list"),
        CommandDescription(
            name: "add", arguments: [.positional("email", "EMAIL")], scenes: [.listContacts],
            help: "add a person to the contacts"),
        CommandDescription(
            name: "remove", arguments: [.positional("contact", "\"Name\"|N")], scenes: [.listContacts],
            help: "take a person off the contacts and leave the chat"),
        CommandDescription(
            name: "block", arguments: [.positional("contact", "\"Name\"|N")], scenes: [.listContacts],
            help: "keep a person from adding you"),
        CommandDescription(
            name: "unblock", arguments: [.positional("contact", "\"Name\"|N")], scenes: [.listContacts],
            help: "let a blocked person add you again"),
        CommandDescription(
            name: "rename", arguments: [.positional("name", "\"Name\"")], scenes: [.listContacts],
            help: "change your own name"),
        CommandDescription(
            name: "passwd", arguments: [.secret("current"), .secret("new")], scenes: [.listContacts],
            help: "change your password"),
        CommandDescription(
            name: "logout", arguments: [], scenes: lists, help: "sign out here and on the server"),
    ]

    private static let channels = [
        CommandDescription(
            name: "channels", arguments: [], scenes: signedIn, help: "show the list of channels"),
        CommandDescription(
            name: "create",
            arguments: [.positional("name", "\"Name\""), .positional("private", "private", isRequired: false)],
            scenes: [.listChannels], help: "make a channel for all, or a private one"),
        CommandDescription(
            name: "delete", arguments: [.positional("channel", "\"Name\"|N", isRequired: false)],
            scenes: [.listChannels, .chatroom], help: "delete a channel that you made; in it, this one"),
        CommandDescription(
            name: "join", arguments: [.positional("channel", "\"Name\"|N")], scenes: [.listChannels],
            help: "join a public channel"),
        CommandDescription(
            name: "accept", arguments: [.positional("channel", "\"Name\"|N")], scenes: [.listChannels],
            help: "accept an invitation to a channel"),
        CommandDescription(
            name: "decline", arguments: [.positional("channel", "\"Name\"|N")], scenes: [.listChannels],
            help: "decline an invitation to a channel"),
        CommandDescription(
            name: "invite", arguments: [.positional("who", "\"Name\"|EMAIL|ID")], scenes: [.chatroom],
            help: "invite somebody to this channel"),
        CommandDescription(
            name: "leave", arguments: [], scenes: [.chatroom], help: "leave this channel"),
    ]

    private static let chatroom = [
        CommandDescription(
            name: "send", arguments: [.positional("text", "\"text\"")], scenes: [.chatroom], help: "send a message"),
        CommandDescription(
            name: "older", arguments: [], scenes: [.chatroom], help: "fetch older messages"),
        CommandDescription(
            name: "retry", arguments: [], scenes: [.chatroom], help: "try again to send what is waiting or has failed"),
        CommandDescription(
            name: "typing", arguments: [.positional("draft", "\"text so far\"", isRequired: false)],
            scenes: [.chatroom],
            help: "press a key: the others see you typing"),
        CommandDescription(
            name: "read", arguments: [], scenes: [.chatroom], help: "mark all as read"),
        CommandDescription(
            name: "members", arguments: [], scenes: [.chatroom], help: "list who is here"),
        CommandDescription(
            name: "back", arguments: [], scenes: [.chatroom, .login, .signup], help: "go back"),
    ]

    private static let everywhere = [
        CommandDescription(
            name: "refresh", arguments: [], scenes: lists, help: "ask the server again"),
        CommandDescription(
            name: "confirm", arguments: [], scenes: signedIn, help: "say yes to what was asked"),
        CommandDescription(
            name: "dismiss", arguments: [], scenes: Set(SceneName.allCases),
            help: "say no to what was asked, or put the message away"),
        CommandDescription(
            name: "screen", arguments: [], scenes: Set(SceneName.allCases), help: "show the whole screen"),
        CommandDescription(
            name: "help", arguments: [.positional("command", "COMMAND", isRequired: false)],
            scenes: Set(SceneName.allCases), help: "list the commands, or explain one"),
        CommandDescription(
            name: "quit", arguments: [], scenes: Set(SceneName.allCases), help: "end Words; you stay signed in"),
    ]

    private static func whereToGive(_ description: CommandDescription) -> String {
        let places = SceneName.allCases.filter(description.scenes.contains).map(title)
        return "\(description.name) is for \(places.joined(separator: " and ")). Type help for what can be done here."
    }

    private static func title(_ scene: SceneName) -> String {
        switch scene {
        case .launch: "the start"
        case .welcome: "the welcome screen"
        case .login: "signing in"
        case .signup: "signing up"
        case .listContacts: "the list of contacts"
        case .listChannels: "the list of channels"
        case .chatroom: "a chat"
        }
    }

    /// The first command that is one slip of the finger away.
    private static func nearest(to name: String, among known: [CommandDescription]) -> String? {
        let typed = Array(name.lowercased().unicodeScalars.prefix(20))
        return known.map(\.name).first { known in
            let right = Array(known.unicodeScalars)
            let isStart = typed.count >= 2 && right.starts(with: typed)
            return isStart || (typed.count >= 3 && distance(typed, right) <= 1)
        }
    }

    /// Insertions, deletions and replacements from one to the other.
    private static func distance(_ left: [UnicodeScalar], _ right: [UnicodeScalar]) -> Int {
        var row = Array(0...right.count)
        for (index, scalar) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let replaced = diagonal + (scalar == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}

extension CommandDescription.Argument {
    fileprivate static func positional(_ name: String, _ sample: String, isRequired: Bool = true) -> Self {
        Self(name: name, form: .positional, isRequired: isRequired, sample: sample)
    }

    fileprivate static func named(_ name: String, _ sample: String) -> Self {
        Self(name: name, form: .named, isRequired: true, sample: sample)
    }

    fileprivate static func secret(_ name: String) -> Self {
        Self(name: name, form: .secret, isRequired: true, sample: "PASSWORD")
    }
}
