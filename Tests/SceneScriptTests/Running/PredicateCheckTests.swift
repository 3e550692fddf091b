import Testing

@testable import SceneScript
@testable import TextUI

@Suite("PredicateCheck")
struct PredicateCheckTests {
    private let facts: ScreenFacts = {
        var facts = ScreenFacts(scene: .chatroom)
        facts.contacts = [
            .init(name: "Bob", isOnline: true, unreadCount: 2), .init(name: "Carol", isOnline: false, unreadCount: 0),
        ]
        facts.channels = [
            .init(name: "Tea", state: .joined, unreadCount: 4), .init(name: "Cocoa", state: .public, unreadCount: 0),
            .init(name: "Plans", state: .invited, unreadCount: 0),
        ]
        facts.messages = [
            .init(text: "hello there", sender: "Bob", state: .sent),
            .init(text: "hello", sender: "Me", state: .waiting),
        ]
        facts.statusLines = ["Bob has joined"]
        facts.typing = ["Carol"]
        facts.errors = ["Wrong password."]
        facts.screen = ["Bob", "  09:00  hello"]
        return facts
    }()

    @Test(
        "tells what is on the screen",
        arguments: [
            ("scene Chatroom", true), ("scene Login", false), ("scene chatroom", false),
            ("contact Bob", true), ("contact Bo", true), ("contact Bob online", true), ("contact Bob offline", false),
            ("contact Carol offline", true), ("contact Dave", false), ("contact /^[BC]o?b$/ online", true),
            ("channel Tea", true), ("channel Te", true), ("channel Tea joined", true), ("channel Tea public", false),
            ("channel Cocoa public", true), ("channel Cocoa invited", false), ("channel Plans invited", true),
            ("channel Zen", false), ("contact Tea", false), ("channel Bob", false), ("unread Tea 4", true),
            ("message hello", true), ("message hello count=2", true), ("message hello count=1", false),
            ("message hello from=Bob count=1", true), ("message hello state=waiting count=1", true),
            ("message hello state=failed", false), ("message hello state=failed count=0", true),
            ("message /^hello$/ from=Me", true), ("message bye", false), ("message bye count=0", true),
            ("status joined", true), ("status left", false), ("typing Carol", true), ("typing Bob", false),
            ("unread Bob 2", true), ("unread Bob 1", false), ("unread Carol 0", true),
            ("error password", true), ("error server", false), ("screen \"09:00  hello\"", true), ("screen bye", false),
        ])
    func holds(_ text: String, _ isTrue: Bool) throws {
        guard case .await(_, let predicate, _) = try Scripts.parse("a? \(text)").steps[0].action else {
            Issue.record("no predicate")
            return
        }

        #expect(predicate.holds(of: facts) == isTrue)
    }
}
