import Foundation
import Models
import Testing

@Suite("Identifier")
struct IdentifierTests {
    @Test("ids that only look equal are different people")
    func bytes() {
        let composed = UserID("@\u{E9}:words.test")
        let decomposed = UserID("@e\u{301}:words.test")

        #expect(composed.raw == decomposed.raw)
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
    }

    @Test("order is by bytes")
    func order() {
        let sorted = [UserID("b"), UserID("é"), UserID("B"), UserID("a")].sorted()

        #expect(sorted.map(\.raw) == ["B", "a", "b", "é"])
    }

    @Test(
        "the local part is what stands between @ and the first colon",
        arguments: [
            ("@ann:words.test:8000", "ann"), ("@a:b", "a"), ("@:b", ""), ("ann", "ann"), ("@ann", "@ann"), ("", ""),
            ("#room:b", "#room:b"),
        ])
    func localPart(id: String, expected: String) {
        #expect(UserID(id).localPart == expected)
    }

    @Test("in JSON an id is a plain string, also as a key")
    func coding() throws {
        let map = [UserID("@a:b"): [RoomID("!r:b")]]

        let data = try JSONEncoder().encode(map)

        #expect(String(decoding: data, as: UTF8.self) == #"{"@a:b":["!r:b"]}"#)
        #expect(try JSONDecoder().decode([UserID: [RoomID]].self, from: data) == map)
    }
}

@Suite("RemoteText")
struct RemoteTextTests {
    @Test("texts are equal when their bytes are")
    func bytes() {
        #expect(RemoteText("\u{E9}") != RemoteText("e\u{301}"))
        #expect(Set([RemoteText("\u{E9}"), RemoteText("e\u{301}")]).count == 2)
        #expect(RemoteText("a\r\nb") == "a\r\nb")
    }

    @Test("interpolation mixes words of ours with theirs, every byte kept")
    func interpolation() {
        let name = RemoteText("\u{1B}[31mEve\u{202E}")

        let text: RemoteText = "User \(name) (\(UserID("@e:x"))) has \(2) \("rooms")"

        #expect(text.unsanitised == "User \u{1B}[31mEve\u{202E} (@e:x) has 2 rooms")
    }

    @Test("in JSON it is a plain string")
    func coding() throws {
        let data = try JSONEncoder().encode([RemoteText("\u{7}\"")])

        #expect(try JSONDecoder().decode([RemoteText].self, from: data) == ["\u{7}\""])
        #expect(String(decoding: data, as: UTF8.self) == #"["\u0007\""]"#)
    }
}
