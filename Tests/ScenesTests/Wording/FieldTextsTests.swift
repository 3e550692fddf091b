import Models
import Testing
import Workers

@testable import Scenes

@Suite("FieldTexts")
struct FieldTextsTests {
    private func parted(_ error: UsersError) -> FieldTexts<Signup.Field> {
        FieldTexts(error) { Signup.Field(rawValue: $0) }
    }

    @Test("words about fields of the form stand beside them and nowhere else")
    func beside() {
        let texts = parted(.invalid(message: "Invalid.", fields: ["email": ["Taken.", "Odd."], "name": ["Long."]]))

        #expect(texts.beside == [.email: ["Taken.", "Odd."], .name: ["Long."]])
        #expect(texts.rest == nil)
    }

    @Test("words about anything else are general")
    func others() {
        let texts = parted(.invalid(message: "Invalid.", fields: ["email": ["Taken."], "captcha": ["Wrong."]]))

        #expect(texts.beside == [.email: ["Taken."]])
        #expect(texts.rest == .invalid(message: "Invalid.", fields: ["captcha": ["Wrong."]]))
    }

    @Test("a field without visible words leaves the message")
    func silent() {
        let texts = parted(.invalid(message: "Invalid.", fields: ["email": ["\u{200B}"]]))

        #expect(texts.beside.isEmpty)
        #expect(texts.rest == .invalid(message: "Invalid.", fields: [:]))
    }

    @Test("every other error is general")
    func general() {
        #expect(parted(.network(.timedOut)).rest == .network(.timedOut))
    }
}
