import Models
import Testing

@testable import Scenes

@Suite("Wording")
struct WordingTests {
    private let dayText = DayText(zone: .gmt)

    @Test("the banner says why one is offline and when it is tried again")
    func banner() {
        let retryAt = Fixture.now + .seconds(5)

        #expect(Wording.banner(.connecting, dayText) == Banner(kind: .connecting, text: "Connecting …"))
        #expect(Wording.banner(.online, dayText) == Banner(kind: .online))
        #expect(Wording.banner(.ended, dayText) == Banner(kind: .ended, text: "The session is over."))
        #expect(
            Wording.banner(.offline(reason: .unreachable, retryAt: retryAt), dayText)
                == Banner(kind: .offline, text: "Offline: the server cannot be reached. Trying again at 09:00:05."))
        #expect(
            Wording.banner(.offline(reason: .timedOut, retryAt: nil), dayText)
                == Banner(kind: .offline, text: "Offline: the server did not answer in time."))
    }

    @Test("typing names one or two and counts more")
    func typing() {
        #expect(Wording.typing([]) == nil)
        #expect(Wording.typing(["Bob"]) == "Bob is typing")
        #expect(Wording.typing(["Bob", "Cy"]) == "Bob and Cy are typing")
        #expect(Wording.typing(["Bob", "Cy", "Di"]) == "Bob and 2 others are typing")
    }

    @Test("control characters taken out are counted")
    func removed() {
        #expect(Wording.removed(0) == nil)
        #expect(Wording.removed(1) == "1 control character was taken out before sending.")
        #expect(Wording.removed(3) == "3 control characters were taken out before sending.")
    }

    @Test("a choice that is not clear says what to type")
    func unclear() {
        let ids = [UserID("@a:x"), UserID("@b:x")]

        #expect(Wording.unclear(.nobody("")) == "Say who: a name, an id or the number of a row.")
        #expect(
            Wording.unclear(.nobody("Eve"))
                == "No contact goes by \"Eve\". Type a name as shown, an id or the number of a row.")
        #expect(
            Wording.unclear(.ambiguous("Bob", ids)) == "Several contacts could be \"Bob\": @a:x, @b:x. Type the id.")
        #expect(Wording.unclear(.noSuchRow(3, count: 2)) == "There is no contact 3: the last is 2.")
        #expect(Wording.unclear(.noSuchRow(1, count: 0)) == "There is no contact 1: there are none yet.")
    }

    @Test("logging out is confirmed, and says what would be lost and what the server still holds")
    func logout() {
        #expect(Wording.logout(.confirm(unsent: 0)) == .init(step: .confirm, title: "You are about to log out"))
        #expect(Wording.logout(.confirm(unsent: 1)).message == "1 message has not been sent and will be lost.")
        #expect(Wording.logout(.confirm(unsent: 2)).message == "2 messages have not been sent and will be lost.")
        #expect(Wording.logout(.cancelled).step == .cancelled)
        #expect(Wording.logout(.notAsked).step == .notAsked)
        #expect(Wording.logout(.loggedOut(.complete)) == .init(step: .loggedOut, title: "You are logged out"))
        #expect(
            Wording.logout(.loggedOut(.localOnly)).notice
                == "You are logged out here. The server could not be told and still holds the session until it expires."
        )
    }
}
