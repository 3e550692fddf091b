import Foundation
import Models
import Testing

@testable import Scenes

@Suite("Choosing a contact")
struct ContactChoiceTests {
    private func roster(_ users: [User]) -> ContactRoster {
        var roster = ContactRoster(own: Fixture.alice, locale: Locale(identifier: "en_US_POSIX"))
        _ = roster.handle(.fetched(users.map(Fixture.contact)))
        return roster
    }

    private func chosen(_ who: String, among users: [User] = [Fixture.bob, Fixture.cy]) -> UserID? {
        guard case .found(let id, _, _) = roster(users).choose(who) else { return nil }
        return id
    }

    @Test(
        "a contact goes by name, id, address and row",
        arguments: [
            "Bob", "bob", " BOB ", "B\u{200B}ob", "@bob:words.test", "bob@words.test", "Bob@Words.Test", "1",
        ])
    func found(_ who: String) {
        #expect(chosen(who) == Fixture.bob.chatID)
    }

    @Test("the room comes with the contact")
    func room() {
        let roster = roster([Fixture.bob])

        #expect(
            roster.choose("Bob")
                == .found(Fixture.bob.chatID, Fixture.room, people: roster.people))
    }

    @Test("nobody is guessed", arguments: ["Bo", "Bobby", "", " ", "@bob", "B0b"])
    func nobody(_ who: String) {
        #expect(roster([Fixture.bob, Fixture.cy]).choose(who) == .nobody(who.trimmingCharacters(in: .whitespaces)))
    }

    @Test("a row that is not there is told by number", arguments: [("3", 3), ("0", 0), ("99", 99)])
    func row(_ who: String, _ number: Int) {
        #expect(roster([Fixture.bob, Fixture.cy]).choose(who) == .noSuchRow(number, count: 2))
    }

    @Test("namesakes, also those who only look the same, are told with their ids")
    func ambiguous() {
        let users = [Fixture.user("b1", name: "Bob"), Fixture.user("b2", name: "BОB"), Fixture.cy]

        #expect(
            roster(users).choose("bob") == .ambiguous("bob", [UserID("@b1:words.test"), UserID("@b2:words.test")]))
        #expect(chosen("@b2:words.test", among: users) == UserID("@b2:words.test"))
        #expect(chosen("Bob (@b1:words.test)", among: users) == UserID("@b1:words.test"))
        #expect(chosen("1", among: users) == UserID("@b1:words.test"))
    }

    @Test("a name of digits is no way to take somebody else's row")
    func digits() {
        let users = [Fixture.user("x", name: "2"), Fixture.bob]

        #expect(chosen("2", among: users) == Fixture.bob.chatID)
        #expect(chosen("1", among: users) == UserID("@x:words.test"))
    }

    @Test("a name of digits beyond the rows is a name")
    func longDigits() {
        #expect(chosen("007", among: [Fixture.user("bond", name: "007")]) == UserID("@bond:words.test"))
    }
}
