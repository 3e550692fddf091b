import Models
import Scenes
import Testing
import TextSnapshots

@testable import TextUI

@Suite("ChatroomRenderer")
struct ChatroomRendererTests {
    private func screen(
        _ messages: Chatroom.Messages.ViewModel, banner: Banner? = nil, typing: Chatroom.Typing.ViewModel? = nil,
        width: Int = 60
    ) -> [String] {
        ChatroomRenderer.screen(of: messages, banner: banner, typing: typing, width: width).texts
    }

    @Test("an empty conversation says so, one on its way too")
    func empty() throws {
        try TextSnapshot().compare(screen(Sample.chat([])), with: "Bob\n  (no messages yet)")
        try TextSnapshot().compare(screen(Sample.chat([], isLoading: true)), with: "Bob\n  (loading)")
    }

    @Test("one message is one line")
    func one() throws {
        try TextSnapshot().compare(
            screen(Sample.chat([.message(Sample.message("hello 👋"))])),
            with: """
                Bob
                09:00  Alice  hello 👋
                """)
    }

    @Test("a conversation shows days, messages in every state, who came, what is missing", arguments: [60, 24])
    func conversation(width: Int) throws {
        try TextSnapshot().compare(screen(Sample.conversation, width: width), named: "conversation-\(width)")
    }

    @Test("what holds for the whole conversation stands around it")
    func surroundings() throws {
        let messages = Sample.chat(
            [.message(Sample.message("hello"))], hasOlder: true,
            refusal: "Bob has left, so nothing can be sent. Add them again to go on.")
        let banner = Banner(kind: .offline, text: "Offline: the server cannot be reached. Trying again at 09:00:05.")
        let typing = Chatroom.Typing.ViewModel(names: ["Bob"], text: "Bob is typing")

        try TextSnapshot().compare(screen(messages, banner: banner, typing: typing), named: "surroundings")
    }

    @Test("a long body wraps below its first column, a long word is broken at a cluster")
    func long() throws {
        let words: RemoteText = "This is a message of many words that wraps onto several lines of the screen."
        let word = RemoteText(String(repeating: "日本語", count: 14))
        let name: RemoteText = "A person with a name that is much too long for any line"
        let messages = Sample.chat([
            .message(Sample.message(words)), .message(Sample.message(word)),
            .message(Sample.message(words, from: name)), .message(Sample.message(words, state: .waiting)),
        ])

        try TextSnapshot().compare(screen(messages), named: "long")
    }

    @Test("line breaks of a body stay, blank lines at its end go, an empty body is said")
    func bodies() throws {
        let messages = Sample.chat([
            .message(Sample.message("one\n\n  three\n\n")), .message(Sample.message("")),
            .message(Sample.message(" \n ")),
            .message(Sample.message("a\tb\r\nc")),
        ])

        try TextSnapshot().compare(screen(messages), named: "bodies")
    }

    @Test("a hostile body and name are shown, not obeyed")
    func hostile() throws {
        let messages = Sample.chat([
            .message(Sample.message(Sample.hostile, from: Sample.hostile)),
            .status(id: "2", text: "User \(Sample.hostile) has joined", timeText: "09:01"),
        ])

        try TextSnapshot().compare(screen(messages, width: 80), named: "hostile")
    }

    @Test("a message without readable time has words in its place")
    func unknownTime() {
        let lines = ChatroomRenderer.lines(
            of: Sample.message("hello", time: "unknown time"), mark: .none, width: 60)

        #expect(lines.texts == ["unknown time  Alice  hello"])
    }

    @Test("a change of state is one line: the message's beginning and its new state")
    func changes() {
        func line(_ body: RemoteText, _ mark: ChatroomRenderer.Mark, width: Int = 40) -> [String] {
            ChatroomRenderer.changeLines(of: Sample.message(body), mark: mark, width: width).texts
        }

        #expect(line("hello", .sent) == ["09:00  Alice  hello  [sent]"])
        #expect(line("one\ntwo", .sent) == ["09:00  Alice  one …  [sent]"])
        #expect(line("a text that is too long for the line", .waiting) == ["09:00  Alice  a text that is…  [waiting]"])
        #expect(
            line("hello", .failed("Bob has left.")) == ["09:00  Alice  hello  [failed]", "              Bob has left."])
    }

    @Test("members are listed with their standing")
    func members() throws {
        let rows = [
            Chatroom.Members.ViewModel.Row(
                id: UserID("@a:b"), name: "Alice", initials: "A", isOwn: true, standingText: "joined",
                presenceText: "online"),
            Chatroom.Members.ViewModel.Row(
                id: UserID("@b:b"), name: "Bob", initials: "B", isOwn: false, standingText: "has left",
                presenceText: nil),
        ]
        func lines(_ width: Int) -> [String] { ChatroomRenderer.lines(of: .init(rows: rows), width: width).texts }

        try TextSnapshot().compare(
            lines(60),
            with: """
                Members
                  Alice (you)  joined, online
                  Bob          has left
                """)
        try TextSnapshot().compare(
            lines(20),
            with: """
                Members
                  Alice (you)
                  joined, online
                  Bob
                  has left
                """)
    }
}
