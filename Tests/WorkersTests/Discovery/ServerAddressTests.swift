import Foundation
import Testing

@testable import Workers

@Suite("ServerAddress")
struct ServerAddressTests {
    @Test(
        "a name means https and is to be asked where its server is; of this machine it means plain http",
        arguments: [
            ("words.example", "https://words.example", true),
            ("words.example:8448", "https://words.example:8448", true),
            ("https://words.example", "https://words.example", false),
            ("words.example/base", "https://words.example/base", false),
            ("https://words.example/base/", "https://words.example/base/", false),
            ("localhost:8008", "http://localhost:8008", false), ("127.0.0.1:8008", "http://127.0.0.1:8008", false),
            ("http://words.example", "http://words.example", false),
        ])
    func reads(_ text: String, _ url: String, _ isName: Bool) throws {
        let address = try ServerAddress(text)

        #expect(address.url.absoluteString == url)
        #expect(address.isName == isName)
    }

    @Test("what is no address is refused", arguments: ["", "ftp://words.example", "http://", "https:///path"])
    func malformed(_ text: String) { #expect(throws: ServerAddress.Fault.malformed) { try ServerAddress(text) } }

    @Test(
        "an address bears no user, password, query or fragment",
        arguments: ["https://me:secret@words.example", "https://words.example?x=1", "https://words.example#x"])
    func notPlain(_ text: String) { #expect(throws: ServerAddress.Fault.notPlain) { try ServerAddress(text) } }
}
