import Foundation
import Models
import Testing

@Suite("Secret")
struct SecretTests {
    private struct Letter {
        var to = "ann"
        var secret: Secret
        var maybe: Secret?
        var list: [Secret]
        var byName: [String: Secret]
    }

    private static let canary = "canary-7f3a"
    private let letter = Letter(
        secret: Secret(canary), maybe: Secret(canary), list: [Secret(canary)], byName: ["a": Secret(canary)])

    @Test("however it is printed, inside whatever, it is not shown")
    func printing() {
        var dumped = ""
        dump(letter, to: &dumped)
        var direct = ""
        dump(letter.secret, to: &direct)
        let session = Session(
            user: User(id: 1, name: "Ann", email: nil, chatID: UserID("@a:b")),
            userToken: UserToken(
                accessToken: letter.secret, refreshToken: letter.secret, expiresAt: Timestamp(milliseconds: 0)),
            chatToken: ChatToken(
                accessToken: letter.secret, userID: UserID("@a:b"), expiresAt: Timestamp(milliseconds: 0)))

        let printed = [
            "\(letter.secret)", String(describing: letter.secret), String(reflecting: letter.secret), dumped, direct,
            "\(letter)", String(reflecting: letter), "\(String(describing: letter.maybe))", "\(letter.list)",
            "\(letter.byName)", "\(session)", String(reflecting: session),
            String(reflecting: Mirror(reflecting: letter)),
            "\(WordsAPIShapes.Signup(name: "n", email: "e", password: letter.secret))",
        ]

        for text in printed {
            #expect(!text.contains(Self.canary), "\(text)")
        }
        #expect("\(letter.secret)" == "<redacted>")
        #expect(dumped.contains("<redacted>"))
    }

    @Test("a mirror of it has no children")
    func mirror() {
        #expect(Mirror(reflecting: letter.secret).children.isEmpty)
    }

    @Test("it compares, hashes, and goes through JSON as the string that it is")
    func value() throws {
        let data = try JSONEncoder().encode([letter.secret])

        #expect(try JSONDecoder().decode([Secret].self, from: data) == [Secret(Self.canary)])
        #expect(Set([letter.secret, Secret(Self.canary), Secret("other")]).count == 2)
        #expect(letter.secret.reveal() == Self.canary)
        #expect(Secret("").isEmpty && !letter.secret.isEmpty)
    }
}
