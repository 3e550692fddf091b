import Models
import Scenes
import Testing
import TextSnapshots

@testable import TextUI

@Suite("ListContactsRenderer")
struct ListContactsRendererTests {
    private func lines(
        _ list: ListContacts.Fetch.ViewModel, width: Int = 60, showsTyping: Bool = false
    ) -> [String] {
        ListContactsRenderer.lines(of: list, showsTyping: showsTyping, width: width).texts
    }

    @Test("an empty list says so, a list on its way too")
    func empty() throws {
        try TextSnapshot().compare(lines(Sample.list([])), with: "Contacts\n  (no contacts yet)")
        try TextSnapshot().compare(lines(Sample.list([], isLoading: true)), with: "Contacts\n  (loading)")
    }

    @Test("one contact with nothing to tell is a name and a presence")
    func one() throws {
        try TextSnapshot().compare(
            lines(Sample.list([Sample.row(1, "Bob")])),
            with: """
                Contacts
                  1  Bob  offline
                """)
    }

    @Test("several stand in columns: presence, unread, newest message")
    func several() throws {
        try TextSnapshot().compare(lines(Sample.contacts), named: "several")
    }

    @Test("who is typing shows on the screen alone")
    func typing() {
        #expect(lines(Sample.contacts).contains { $0.contains("typing") } == false)
        #expect(lines(Sample.contacts, showsTyping: true)[3] == "  3  Dave   offline                 typing")
    }

    @Test("a long list keeps its numbers aligned")
    func many() throws {
        let rows = (1...12).map { Sample.row($0, "Person \($0)", unread: $0 % 3) }

        try TextSnapshot().compare(lines(Sample.list(rows)), named: "many")
    }

    @Test("a long name is cut at a cluster, a long message at the width")
    func long() throws {
        let rows = [
            Sample.row(
                1, "👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", unread: 99_999,
                preview: Sample.preview("a message that is much longer than what is left of the line")),
            Sample.row(2, "日本語の名前はとても長いので切られます", preview: Sample.preview("日本語のメッセージも同じように切られます")),
        ]

        try TextSnapshot().compare(lines(Sample.list(rows)), named: "long")
    }

    @Test("without room for columns, each contact takes two lines", arguments: [40, 24])
    func narrow(width: Int) throws {
        try TextSnapshot().compare(lines(Sample.contacts, width: width), named: "narrow-\(width)")
    }

    @Test("hostile names and messages are shown, not obeyed")
    func hostile() throws {
        let rows = [Sample.row(1, Sample.hostile, preview: Sample.preview(Sample.hostile))]

        try TextSnapshot().compare(lines(Sample.list(rows), width: 80), named: "hostile")
    }
}
