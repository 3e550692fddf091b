import Models
import Scenes
import Testing

@testable import TextUI

/// What holds for every line of every renderer, whatever it is given.
@Suite("Every renderer")
struct EveryRendererTests {
    /// 16 seeds × 25 rounds × 32 texts: over 10,000 generated texts, about a second in a debug build; the soak makes it
    /// over 100,000.
    @Test("no generated text commands the terminal or makes a line too wide", arguments: 0..<16)
    func generated(seed: UInt64) { Self.check(seed: seed, rounds: 25) }

    /// Puts generated texts into bodies, names, titles and errors; the lines are those of history and live changes alike.
    static func check(seed: UInt64, rounds: Int) {
        var texts = TextGenerator(seed: seed)
        for _ in 0..<rounds {
            let width = texts.number(1...90)
            for line in lines(&texts, width: width) {
                let isClean = line.text.unicodeScalars.allSatisfy(isPrintable(in: line.text))
                if !isClean || line.width > width || line.width != ColumnWidth.of(line.text) {
                    Issue.record("width \(width): \(line.text.debugDescription)")
                }
            }
        }
    }

    private static func lines(_ texts: inout TextGenerator, width: Int) -> [SafeLine] {
        let typing = Chatroom.Typing.ViewModel(names: [remote(&texts)], text: remote(&texts))
        let banner = Banner(kind: .offline, text: remote(&texts))
        let rows: [Chatroom.Row] = [
            .day(id: "d", text: "January 4"),
            .message(Sample.message(remote(&texts), from: remote(&texts))),
            .message(Sample.message(remote(&texts), from: remote(&texts), state: .failed(reason: remote(&texts)))),
            .message(Sample.message(remote(&texts), time: "unknown time", kind: .emote, state: .waiting)),
            .status(id: "s", text: remote(&texts), timeText: "09:00"),
        ]
        var messages = Sample.chat(rows, hasOlder: true, refusal: remote(&texts))
        messages.title = remote(&texts)
        let contacts = Sample.list([
            Sample.row(1, remote(&texts), unread: 3, preview: Sample.preview(remote(&texts))),
            Sample.row(10, remote(&texts), isTyping: true, hasLeft: true),
        ])
        let members = Chatroom.Members.ViewModel(rows: [
            .init(
                id: UserID("a"), name: remote(&texts), initials: "", isOwn: true, standingText: "joined",
                presenceText: "online")
        ])
        let channels = Sample.channelList([
            Sample.channel(1, remote(&texts), standing: remote(&texts), creator: remote(&texts), unread: 3),
            Sample.channel(10, remote(&texts), .invited, standing: remote(&texts), members: texts.next()),
        ])
        let draft = Chatroom.Draft.ViewModel(counterText: texts.next(), left: texts.number(-20...60))
        let change = Sample.message(remote(&texts), from: remote(&texts))
        return ChatroomRenderer.screen(of: messages, banner: banner, typing: typing, draft: draft, width: width)
            + ChatroomRenderer.changeLines(of: change, mark: .failed(remote(&texts)), width: width)
            + ChatroomRenderer.lines(of: members, width: width)
            + ListContactsRenderer.lines(of: contacts, showsTyping: true, width: width)
            + ListChannelsRenderer.lines(of: channels, width: width)
            + LoginRenderer.lines(of: Login.Start.ViewModel(notice: remote(&texts)), width: width)
            + WelcomeRenderer.lines(of: Welcome.ViewModel(notice: remote(&texts)), width: width)
            + NoticeRenderer.lines(of: Journal.Notice(text: remote(&texts), isError: true), width: width)
            + NoticeRenderer.lines(of: Journal.Notice(text: remote(&texts), isError: false), width: width)
            + HelpRenderer.lines(about: texts.next(), in: .chatroom, width: width)
    }

    private static func remote(_ texts: inout TextGenerator) -> RemoteText { RemoteText(texts.next()) }

    @Test("rendering the same a hundred times gives the same bytes, whatever the locale and COLUMNS say")
    func repeatable() {
        func bytes() -> [UInt8] {
            var texts = TextGenerator(seed: 7)
            return Self.lines(&texts, width: 60).flatMap { Array($0.text.utf8) + [0x0A] }
        }
        let first = bytes()

        for round in 0..<100 {
            let locale = ["C", "POSIX", "C.UTF-8", "tr_TR.UTF-8"][round % 4]
            withLocale(locale) { #expect(bytes() == first) }
        }
    }
}

@Suite("Every renderer, at length")
struct RendererSoakTests {
    @Test("100,000 generated texts command no terminal", arguments: 100..<116)
    func generated(seed: UInt64) { EveryRendererTests.check(seed: seed, rounds: 250) }
}
