import Testing
import Workers

@testable import SceneScript
@testable import TextUI

@Suite("RunNames")
struct RunNamesTests {
    private func names(_ identities: AccountIdentities) -> RunNames {
        RunNames(suffix: "k3f9ab", identities: identities)
    }

    private func email(_ address: String, _ names: inout RunNames) -> String? {
        names.adapted(Command(name: "signup", named: ["email": address])).named["email"]
    }

    @Test("addresses get the run's suffix; where people go by user names they become such")
    func addresses() {
        var (words, matrix) = (names(.emailAddresses), names(.userNames))

        #expect(email("alice@words.test", &words) == "alice+k3f9ab@words.test")
        #expect(email("Alice@Words.Test", &matrix) == "alice-k3f9ab")
        #expect(email("alice@other.test", &matrix) == "alice.other.test-k3f9ab")
        #expect(email("not an address", &matrix) == "not an address")
        #expect(matrix.adapted(Command(name: "add", positional: ["@bob:words.test"])).positional == ["@bob:words.test"])
    }

    @Test("what is shown is what was typed; an id is left as it is")
    func shown() {
        var names = names(.userNames)
        _ = email("alice@words.test", &names)

        #expect(names.shown("alice-k3f9ab was not added") == "alice@words.test was not added")
        #expect(
            names.shown("(@alice-k3f9ab:localhost) twice: alice-k3f9ab")
                == "(@alice-k3f9ab:localhost) twice: alice@words.test")
        #expect(names.shown("alice-other") == "alice-other")
    }

    @Test("channels that the script makes, and the one for everybody, are the run's own; other names stay")
    func channels() {
        var names = names(.userNames)

        let made = names.adapted(Command(name: "create", positional: ["Tea", "private"]))
        let opened = names.adapted(Command(name: "open", positional: ["tea"]))
        let general = names.adapted(Command(name: "open", positional: ["General Channel"]))
        let reserved = names.adapted(Command(name: "create", positional: [" general  CHANNEL "]))
        let contact = names.adapted(Command(name: "open", positional: ["Bob"]))

        #expect(made.positional == ["Tea k3f9ab", "private"])
        #expect(opened.positional == ["tea k3f9ab"])
        #expect(general.positional == ["General Channel k3f9ab"])
        #expect(reserved.positional == [" general  CHANNEL "])
        #expect(contact.positional == ["Bob"])
        #expect(names.generalChannel == GeneralChannel(alias: "general-k3f9ab", name: "General Channel k3f9ab"))
        #expect(names.shown("Tea k3f9ab  3 new") == "Tea  3 new")
    }

    @Test(
        "where nobody else uses the server channels are called as the script says, and people are still the run's own")
    func unshared() {
        var names = RunNames(suffix: "k3f9ab", identities: .userNames, isShared: false)

        let made = names.adapted(Command(name: "create", positional: ["Tea"]))
        let opened = names.adapted(Command(name: "open", positional: ["tea"]))

        #expect(made.positional == ["Tea"] && opened.positional == ["tea"])
        #expect(names.generalChannel == GeneralChannel())
        #expect(email("alice@words.test", &names) == "alice-k3f9ab")
    }

    @Test("predicates see all names without the suffix")
    func facts() {
        var facts = ScreenFacts(scene: .listChannels)
        facts.errors = ["Tea k3f9ab is gone"]
        facts.screen = ["1  Tea k3f9ab"]
        facts.channels = [.init(name: "Tea k3f9ab", state: .joined, unreadCount: 0)]

        let shown = names(.userNames).shown(facts)

        #expect(shown.errors == ["Tea is gone"] && shown.screen == ["1  Tea"] && shown.channels.map(\.name) == ["Tea"])
    }
}
