import TextUI

extension Predicate {
    /// Whether it is true of what an actor's screen shows.
    func holds(of facts: ScreenFacts) -> Bool {
        switch self {
        case .scene(let name):
            facts.scene.rawValue.utf8.elementsEqual(name.utf8)
        case .contact(let name, let state):
            facts.contacts.contains { contact in
                name.isFound(in: contact.name) && (state.map { ($0 == .online) == contact.isOnline } ?? true)
            }
        case .channel(let name, let state):
            facts.channels.contains { channel in
                name.isFound(in: channel.name) && (state.map { $0.rawValue == channel.state.rawValue } ?? true)
            }
        case .message(let text, let sender, let count, let state):
            Self.isRight(count) { facts.messages.count { $0.matches(text, from: sender, state) } }
        case .status(let text): facts.statusLines.contains(where: text.isFound)
        case .typing(let name): facts.typing.contains(where: name.isFound)
        case .unread(let name, let count):
            facts.contacts.contains { name.isFound(in: $0.name) && $0.unreadCount == count }
                || facts.channels.contains { name.isFound(in: $0.name) && $0.unreadCount == count }
        case .error(let text): facts.errors.contains(where: text.isFound)
        case .screen(let text): facts.screen.contains(where: text.isFound)
        }
    }

    private static func isRight(_ wanted: Int?, _ count: () -> Int) -> Bool {
        wanted.map { $0 == count() } ?? (count() > 0)
    }
}

extension ScreenFacts.MessageFact {
    fileprivate func matches(
        _ text: TextPattern, from sender: TextPattern?, _ state: Predicate.MessageState?
    ) -> Bool {
        text.isFound(in: self.text) && sender?.isFound(in: self.sender) ?? true
            && state.map { $0.rawValue == self.state.rawValue } ?? true
    }
}
