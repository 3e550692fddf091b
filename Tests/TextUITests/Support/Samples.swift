import Models
import Scenes

@testable import TextUI

/// View models to render.
enum Sample {
    static func row(
        _ number: Int, _ name: RemoteText, presence: ListContacts.Row.PresenceKind = .offline,
        presenceText: String = "offline", isTyping: Bool = false, unread: Int = 0,
        preview: ListContacts.Row.Preview? = nil, hasLeft: Bool = false
    ) -> ListContacts.Row {
        ListContacts.Row(
            id: UserID("@\(number):localhost"), number: number, name: name, initials: "X", presence: presence,
            presenceText: presenceText, isTyping: isTyping, unreadCount: unread, lastMessage: preview, hasLeft: hasLeft)
    }

    static func preview(_ text: RemoteText, isOwn: Bool = false, time: String = "09:00") -> ListContacts.Row.Preview {
        ListContacts.Row.Preview(text: text, isOwn: isOwn, timeText: time)
    }

    static func list(_ rows: [ListContacts.Row], isLoading: Bool = false) -> ListContacts.Fetch.ViewModel {
        ListContacts.Fetch.ViewModel(
            ownName: "Alice", ownID: UserID("@alice:localhost"), rows: rows,
            emptyText: rows.isEmpty && !isLoading ? "(no contacts yet)" : nil, isLoading: isLoading, isReload: true)
    }

    static let contacts = list([
        row(1, "Bob", presence: .online, presenceText: "online", unread: 2, preview: preview("are you there?")),
        row(2, "Carol", presence: .unavailable, presenceText: "last seen 08:12", preview: preview("ok", isOwn: true)),
        row(3, "Dave", isTyping: true, preview: preview("see you", time: "January 4")),
        row(4, "Erin", hasLeft: true),
    ])

    static func channel(
        _ number: Int, _ name: RemoteText, _ kind: ListChannels.Row.Kind = .joined, isPrivate: Bool = false,
        standing: RemoteText = "joined, public", members: String = "", creator: RemoteText? = nil, unread: Int = 0
    ) -> ListChannels.Row {
        ListChannels.Row(
            id: RoomID("!\(number):localhost"), number: number, name: name, kind: kind, isPrivate: isPrivate,
            standingText: standing, membersText: members, creatorText: creator, unreadCount: unread)
    }

    static func channelList(_ rows: [ListChannels.Row], isLoading: Bool = false) -> ListChannels.Fetch.ViewModel {
        ListChannels.Fetch.ViewModel(
            ownName: "Alice", rows: rows, emptyText: rows.isEmpty && !isLoading ? "(no channels yet)" : nil,
            isLoading: isLoading,
            isReload: true)
    }

    static let channels = channelList([
        channel(1, "Cocoa", .open, standing: "public", members: "1 member", creator: "by Bob"),
        channel(2, "General Channel", members: "3 members", creator: "by Bob", unread: 2),
        channel(3, "Plans", .invited, isPrivate: true, standing: "invited by Bob"),
        channel(4, "Tea", isPrivate: true, standing: "joined, private", members: "2 members", creator: "by you"),
    ])

    static func message(
        _ body: RemoteText, id: String = "1", from name: RemoteText = "Alice", isOwn: Bool = false,
        time: String = "09:00", kind: Chatroom.MessageRow.Kind = .text, state: Chatroom.MessageRow.State = .sent
    ) -> Chatroom.MessageRow {
        Chatroom.MessageRow(
            id: id, senderID: UserID("@\(isOwn ? "alice" : "bob"):localhost"), senderName: name, initials: "X",
            isOwn: isOwn, timeText: time, kind: kind, body: body, state: state)
    }

    static func chat(
        _ rows: [Chatroom.Row], hasOlder: Bool = false, isLoading: Bool = false, refusal: RemoteText? = nil
    ) -> Chatroom.Messages.ViewModel {
        Chatroom.Messages.ViewModel(
            title: "Bob", rows: rows, hasOlder: hasOlder, isLoading: isLoading, refusal: refusal,
            emptyText: rows.isEmpty && !isLoading ? "(no messages yet)" : nil)
    }

    static let conversation = chat([
        .day(id: "day-1", text: "January 4"),
        .message(message("hello 👋", id: "1", isOwn: true)),
        .status(id: "2", text: "User Bob has joined", timeText: "09:01"),
        .message(
            message(
                "Hi! This is a longer message that does not fit into one line.", id: "3", from: "Bob", time: "09:02")),
        .message(message("two\nlines", id: "4", from: "Bob", time: "09:02")),
        .gap(id: "5", text: "(messages are missing here)"),
        .day(id: "day-2", text: "Today"),
        .message(message("* Bob waves", id: "6", from: "Bob", time: "09:03", kind: .emote)),
        .message(message("are you there?", id: "7", isOwn: true, time: "09:04", state: .waiting)),
        .message(
            message(
                "this one is refused", id: "8", isOwn: true, time: "09:05",
                state: .failed(reason: "The server refuses: no. Type retry to try again."))),
        .message(message("on its way", id: "9", isOwn: true, time: "09:06", state: .sending)),
    ])

    static let hostile: RemoteText =
        "\u{1B}[2J\u{1B}]0;owned\u{7}\u{9B}31m\r\u{8}\u{202E}gnp\u{200B}\u{2066}\u{E0041}\n\u{E}line\u{1B}"
}

extension [SafeLine] {
    var texts: [String] { map(\.text) }
}
