import Foundation
import Models
import Testing

@testable import Scenes

@Suite("ConversationRows")
struct ConversationRowsTests {
    private let people: [UserID: RemoteText] = [Fixture.alice.chatID: "Alice", Fixture.bob.chatID: "Bob"]

    private func rows(
        _ items: [TimelineItem], _ outgoing: [OutgoingMessage] = [], zone: TimeZone = .gmt, now: Timestamp = Fixture.now
    ) -> [Chatroom.Row] {
        var rows = ConversationRows(
            book: NameBook(people), ownID: Fixture.alice.chatID, dayText: DayText(zone: zone), now: now)
        return rows.rows(
            of: Chatroom.Messages.Response(
                contactID: Fixture.bob.chatID, ownID: Fixture.alice.chatID, people: people, items: items,
                outgoing: outgoing, hasOlder: false, isLoading: false))
    }

    /// Days by their text, everything else by id.
    private func outline(_ rows: [Chatroom.Row]) -> [String] {
        rows.map { row in
            if case .day(_, let text) = row { return "[\(text)]" }
            return row.id
        }
    }

    private func message(_ number: Int, _ time: String) -> TimelineItem {
        Fixture.message(number, at: Fixture.time(time))
    }

    @Test("a separator stands where the calendar day changes, and bears the day of what stands below")
    func days() {
        let rows = rows([
            message(1, "2025-12-31T23:59:59Z"), message(2, "2026-01-01T00:00:00Z"), message(3, "2026-01-01T12:00:00Z"),
            message(4, "2026-01-05T08:00:00Z"), message(5, "2026-01-05T09:00:00Z"),
        ])

        #expect(
            outline(rows) == ["[December 31, 2025]", "$1", "[January 1]", "$2", "$3", "[Today]", "$4", "$5"])
    }

    @Test(
        "the day is that of the zone",
        arguments: [
            ("UTC", ["[January 4]", "$1", "$2", "[Today]", "$3"]),
            ("Europe/Berlin", ["[January 4]", "$1", "[Today]", "$2", "$3"]),
            ("America/New_York", ["[January 4]", "$1", "$2", "$3"]),
        ])
    func zones(_ zone: String, _ expected: [String]) {
        let rows = rows(
            [
                message(1, "2026-01-04T22:30:00Z"), message(2, "2026-01-04T23:30:00Z"),
                message(3, "2026-01-05T00:30:00Z"),
            ], zone: Fixture.zone(zone))

        #expect(outline(rows) == expected)
    }

    @Test("tomorrow Today is a date, and its separator the same row")
    func midnight() {
        let items = [message(1, "2026-01-05T09:00:00Z")]

        let today = rows(items)
        let tomorrow = rows(items, now: Fixture.time("2026-01-06T00:00:00Z"))

        #expect(outline(today) == ["[Today]", "$1"])
        #expect(outline(tomorrow) == ["[January 5]", "$1"])
        #expect(today.map(\.id) == tomorrow.map(\.id))
    }

    @Test("clocks that go back make separators with ids of their own")
    func skewed() {
        let rows = rows([
            message(1, "2026-01-04T09:00:00Z"), message(2, "2026-01-05T09:00:00Z"), message(3, "2026-01-04T10:00:00Z"),
        ])

        #expect(outline(rows) == ["[January 4]", "$1", "[Today]", "$2", "[January 4]", "$3"])
        #expect(Set(rows.map(\.id)).count == rows.count)
    }

    @Test("what bears no readable time shows as unknown and changes no day", arguments: [nil, Int64.max, Int64.min])
    func unreadable(_ milliseconds: Int64?) {
        let time = milliseconds.map { Timestamp(milliseconds: $0) }

        let rows = rows([Fixture.message(1), Fixture.message(2, at: time), Fixture.message(3)])

        #expect(outline(rows) == ["[Today]", "$1", "$2", "$3"])
        guard case .message(let row) = rows[2] else { return #expect(Bool(false), "no message") }
        #expect(row.timeText == "unknown time")
    }

    @Test("a message row has its sender, initials, time and text")
    func message() {
        let rows = rows([Fixture.message(1, "hello 👋"), Fixture.message(2, from: Fixture.alice, "hi")])

        #expect(
            rows.suffix(2) == [
                .message(
                    .init(
                        id: "$1", senderID: Fixture.bob.chatID, senderName: "Bob", initials: "B", isOwn: false,
                        timeText: "09:00", body: "hello 👋")),
                .message(
                    .init(
                        id: "$2", senderID: Fixture.alice.chatID, senderName: "Alice", initials: "A", isOwn: true,
                        timeText: "09:00", body: "hi")),
            ])
    }

    @Test("somebody who is not known goes by id")
    func stranger() {
        let rows = rows([Fixture.message(1, from: Fixture.user("zed", name: "Zed"))])

        guard case .message(let row) = rows.last else { return #expect(Bool(false), "no message") }
        #expect(row.senderName == "@zed:words.test")
        #expect(row.initials == "Z")
    }

    @Test(
        "emotes, notices and media keep their kind; an emote is a sentence",
        arguments: [
            (Message.Kind.emote, Chatroom.MessageRow.Kind.emote, "* Bob waves"), (.notice, .notice, "waves"),
            (.media, .media, "waves"), (.text, .text, "waves"),
        ])
    func kinds(_ kind: Message.Kind, _ expected: Chatroom.MessageRow.Kind, _ body: String) {
        let rows = rows([Fixture.message(1, "waves", kind: kind)])

        guard case .message(let row) = rows.last else { return #expect(Bool(false), "no message") }
        #expect(row.kind == expected)
        #expect(row.body == RemoteText(body))
    }

    @Test("coming and going are lines with the server's time; a gap is a line without")
    func status() {
        func item(_ number: Int, _ content: TimelineItem.Content) -> TimelineItem {
            TimelineItem(
                id: EventID("$\(number)"), sender: Fixture.bob.chatID, timestamp: Fixture.now, content: content)
        }

        let rows = rows([
            item(1, .gap), item(2, .joined(Fixture.bob.chatID)), item(3, .left(UserID("@zed:words.test"))),
        ])

        #expect(
            rows == [
                .gap(id: "$1", text: "messages missing here"), .day(id: "day 20458", text: "Today"),
                .status(id: "$2", text: "User Bob has joined", timeText: "09:00"),
                .status(id: "$3", text: "User @zed:words.test has left", timeText: "09:00"),
            ])
    }

    @Test(
        "what is on its way stands below, by its state",
        arguments: [
            (OutgoingMessage.State.sending, Chatroom.MessageRow.State.sending), (.waiting, .waiting),
            (.sent(EventID("$9")), .sent), (.failed(.tooLarge), .failed(reason: "it is larger than the server takes")),
            (.failed(.refused("No.")), .failed(reason: "No.")),
        ])
    func outgoing(_ state: OutgoingMessage.State, _ expected: Chatroom.MessageRow.State) {
        let rows = rows([Fixture.message(1)], [Fixture.outgoing(1, state)])

        #expect(
            rows.last
                == .message(
                    .init(
                        id: "t1", senderID: Fixture.alice.chatID, senderName: "Alice", initials: "A", isOwn: true,
                        timeText: "09:00", body: "on its way", state: expected)))
    }

    @Test("a message is the same row before and after the server has it")
    func stableID() {
        let before = rows([], [Fixture.outgoing(1, .sending)])
        let after = rows([Fixture.message(7, from: Fixture.alice, transactionID: TransactionID("t1"))])

        #expect(before.map(\.id) == after.map(\.id))
    }

    @Test("a message of tomorrow brings its day")
    func outgoingDay() {
        var message = Fixture.outgoing(1, .sending)
        message.createdAt = Fixture.time("2026-01-06T00:00:00Z")

        let rows = rows([Fixture.message(1)], [message], now: message.createdAt)

        #expect(outline(rows) == ["[January 5]", "$1", "[Today]", "t1"])
    }
}
