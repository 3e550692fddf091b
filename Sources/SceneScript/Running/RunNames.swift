import TextUI
import Workers

/// Makes the names of one run different from those of every other, on a server that has been used before and keeps its
/// accounts and channels, and takes that back in what is shown.
struct RunNames {
    /// As a Words server adds to the names in ids, so that ids take as much room on every server.
    static let suffixLength = 6

    private let suffix: String
    private let identities: AccountIdentities
    /// Whether the server may have channels already, whose names the script's could run into.
    private let isShared: Bool
    /// The domain that scripts use for people who are nobody in particular.
    private static let domain = "words.test"
    /// As they were typed, by the names that they have here.
    private var typed: [String: String] = [:]
    /// The channel for everybody, and those that the script has made, by their names in lower case.
    private var channels: Set<String> = [Self.general]
    private static let general = "general channel"

    init(suffix: String, identities: AccountIdentities, isShared: Bool = true) {
        self.suffix = suffix
        self.identities = identities
        self.isShared = isShared
    }

    mutating func adapted(_ command: Command) -> Command {
        var command = command
        switch command.name {
        case "signup", "login": command.named["email"] = command.named["email"].map { address($0) }
        case "add", "invite": command.positional = command.positional.map { address($0) }
        case "create":
            guard let name = command.positional.first.map(Self.folded), name != Self.general else { return command }
            if !name.isEmpty { channels.insert(name) }
        default: break
        }
        command.positional = command.positional.map { channel($0) }
        return command
    }

    /// The channel that everybody of the run is in, and nobody else.
    var generalChannel: GeneralChannel {
        isShared ? GeneralChannel(alias: "general-\(suffix)", name: "General Channel \(suffix)") : GeneralChannel()
    }

    func shown(_ line: String) -> String {
        guard line.contains(suffix) else { return line }
        var line = line.replacing(" \(suffix)", with: "")
        for (name, typed) in typed {
            // An id is another in every run anyway.
            line =
                line.split(separator: name, omittingEmptySubsequences: false).reduce(into: nil as String?) {
                    whole, part in
                    guard let before = whole else { return whole = String(part) }
                    whole = before + (before.hasSuffix("@") ? name : typed) + part
                } ?? line
        }
        return line
    }

    /// What a script's predicates are to find.
    func shown(_ facts: ScreenFacts) -> ScreenFacts {
        var facts = facts
        for index in facts.contacts.indices { facts.contacts[index].name = shown(facts.contacts[index].name) }
        for index in facts.channels.indices { facts.channels[index].name = shown(facts.channels[index].name) }
        facts.statusLines = facts.statusLines.map { shown($0) }
        facts.errors = facts.errors.map { shown($0) }
        facts.screen = facts.screen.map { shown($0) }
        return facts
    }

    /// `alice@words.test` becomes `alice+suffix@words.test`, or, where people go by user names, `alice-suffix`.
    private mutating func address(_ address: String) -> String {
        guard !address.hasPrefix("@"), let at = address.lastIndex(of: "@"), at != address.startIndex else {
            return address
        }
        let (local, domain) = (address[..<at], address[address.index(after: at)...])
        switch identities {
        case .emailAddresses:
            typed["\(local)+\(suffix)@\(domain)"] = address
            return "\(local)+\(suffix)@\(domain)"
        case .userNames:
            let place = domain.lowercased() == Self.domain ? "" : ".\(domain.lowercased())"
            let name = "\(local.lowercased())\(place)-\(suffix)"
            if typed[name] == nil { typed[name] = address }
            return name
        }
    }

    private func channel(_ name: String) -> String {
        isShared && channels.contains(Self.folded(name)) ? "\(name) \(suffix)" : name
    }

    private static func folded(_ name: String) -> String {
        name.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
