import Models
import Testing

@testable import Scenes

@Suite("NameBook")
struct NameBookTests {
    private let bob = UserID("@bob:words.test")
    private let mallory = UserID("@mallory:words.test")

    private func shown(_ name: RemoteText, beside other: RemoteText = "Bob") -> RemoteText {
        NameBook([bob: other, mallory: name]).name(of: mallory)
    }

    @Test("names that nobody shares stand alone")
    func plain() {
        let book = NameBook([bob: "Bob", mallory: "Mallory"])

        #expect(book.name(of: bob) == "Bob")
        #expect(book.name(of: mallory) == "Mallory")
    }

    @Test(
        "names that look the same show both ids",
        arguments: [
            "Bob", "bob", "BOB", " Bob ", "\u{A0}Bob", "Bob\u{200B}", "B\u{200D}ob", "\u{FEFF}Bob", "Bo\u{AD}b",
            "B\u{2060}ob",
            "Bo\u{34F}b", "Bob\u{FE0F}", "Bob\u{3164}", "Bob\u{2800}", "Bob\u{E0020}", "\u{200F}Bob\u{200E}",
            "\u{61C}Bob",
            "\u{202E}Bob\u{202C}", "\u{2067}Bob\u{2069}", "В\u{43E}b", "B\u{3BF}b", "B0b", "Bо\u{44C}", "Ｂｏｂ", "𝐁𝐨𝐛",
            "𝕭𝖔𝖇",
            "Ⓑⓞⓑ", "Bοß", "Ḃöḅ", "B\u{301}o\u{302}b\u{330}", "ʙᴏʙ", "BoЬ", "\tBob\n", "Bob\u{7}",
            "B\u{7}o\u{9B}b\u{7F}", "Ᏼob",
        ])
    func alike(_ name: String) {
        let book = NameBook([bob: "Bob", mallory: RemoteText(name)])

        #expect(book.name(of: bob) == "Bob (@bob:words.test)")
        #expect(book.name(of: mallory).unsanitised.hasSuffix(" (@mallory:words.test)"))
    }

    @Test(
        "pairs and digits that pass for letters show both ids",
        arguments: [
            ("Modern", "Modem"), ("Bill", "BiII"), ("Bill", "B1ll"), ("Bill", "Bıll"), ("Bill", "B|ll"),
            ("Will", "VVill"),
            ("Paul", "Pau1"), ("Ina", "lna"), ("Zoë", "Zoe"), ("Anna Lee", "Anna  Lee"),
            ("Anna Lee", "Anna\u{2003}Lee"),
            ("Straße", "Straße\u{200C}"), ("Иван", "иван"), ("O'Neil", "O’Neil"), ("Ann-Lee", "Ann–Lee"),
            ("ﬁnn", "finn"),
            ("Αλέξης", "Αλεξησ"),
        ])
    func pairs(_ name: String, _ other: String) {
        #expect(shown(RemoteText(name), beside: RemoteText(other)).unsanitised.contains("@mallory:words.test"))
    }

    @Test(
        "names that the eye tells apart stand alone",
        arguments: [
            ("Bob", "Rob"), ("Anna", "Ana"), ("Иван", "Иванна"), ("山田", "山口"), ("Bob Smith", "Bob Smyth"), ("👩", "👨"),
            ("AnnaLee", "Anna Lee"), ("कि", "की"),
        ])
    func different(_ name: String, _ other: String) {
        #expect(shown(RemoteText(name), beside: RemoteText(other)) == RemoteText(name))
    }

    @Test(
        "a name of nothing visible falls back to the id",
        arguments: [
            "", " ", "\u{200B}", "\u{200B}\u{200D}\u{FEFF}", "\u{3164}", "\u{115F}\u{1160}", "\u{2800}\u{2800}",
            "\u{301}",
            "\u{301}\u{302}\u{20DD}", "\u{FE0F}", "\n\t", "\u{202E}", "\u{E0001}\u{E0041}", "\u{AD}", "\u{1B}\u{7F}",
            "\u{93F}",
        ])
    func invisible(_ name: String) {
        #expect(shown(RemoteText(name)) == "@mallory:words.test")
    }

    @Test("a name of emoji only is a name", arguments: ["👋", "👨‍👩‍👧", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "👍🏽", "1️⃣", "❤️"])
    func emoji(_ name: String) {
        #expect(shown(RemoteText(name)) == RemoteText(name))
    }

    @Test("joiners do not tell emoji apart")
    func joinedEmoji() {
        #expect(shown("👨\u{200D}👩\u{200D}👧", beside: "👨👩👧").unsanitised.contains("@mallory"))
    }

    @Test(
        "a name that spells somebody's id shows its own",
        arguments: [
            "Bob (@bob:words.test)", "@bob:words.test", "＠bob:words.test",
        ])
    func borrowedID(_ name: String) {
        #expect(shown(RemoteText(name)) == "\(name) (@mallory:words.test)")
    }

    @Test("one's own id as a name stands once")
    func ownID() {
        #expect(shown("@mallory:words.test") == "@mallory:words.test")
    }

    @Test("a name that turns the direction of text shows its id, whoever it is beside")
    func override() {
        #expect(shown("\u{202E}ecilA", beside: "Alice") == "ecilA (@mallory:words.test)")
        #expect(shown("x\u{202E}ecilA", beside: "Alice") == "x\u{202E}ecilA (@mallory:words.test)")
    }

    @Test("blanks and stray marks at the ends are not shown")
    func trimmed() {
        #expect(shown(" \u{200B}\u{301}Mallory\u{3164} ") == "Mallory")
    }

    @Test("somebody unknown goes by their id")
    func unknown() {
        #expect(NameBook([:]).name(of: bob) == "@bob:words.test")
    }

    @Test("three namesakes all show their ids")
    func three() {
        let third = UserID("@rob:words.test")

        let book = NameBook([bob: "Bob", mallory: "B0b", third: "bob"])

        #expect(book.name(of: bob) == "Bob (@bob:words.test)")
        #expect(book.name(of: mallory) == "B0b (@mallory:words.test)")
        #expect(book.name(of: third) == "bob (@rob:words.test)")
    }
}
