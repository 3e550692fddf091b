import Foundation
import Models
import Testing

@testable import Server

@Suite("RawObject")
struct RawObjectTests {
    private func object(_ text: String, _ numbers: JSONScanner.Numbers = .integersOnly) throws -> RawObject {
        try RawObject(Data(text.utf8), numbers: numbers)
    }

    @Test("members are found, with escapes undone and the last of a name winning")
    func members() throws {
        let object = try object(#"  {"a\u0062":"x\n\ud83d\ude00\"\/","n":-3,"o":{"p":[1,{}]},"n":4}  "#)

        #expect(object["ab"] == "x\n😀\"/")
        #expect(object.integer("n") == 4)
        #expect(object.object("o")?[raw: "p"].map { String(decoding: $0, as: UTF8.self) } == "[1,{}]")
        #expect(object["n"] == nil)
        #expect(object.bytes.first == UInt8(ascii: "{"))
        #expect(object.bytes.last == UInt8(ascii: "}"))
    }

    @Test(
        "what is not JSON is refused",
        arguments: [
            "", " ", "{", "}", "{}{}", "{,}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{'a':1}"#, #"{"a":+1}"#,
            #"{"a":.5}"#, #"{"a":1.}"#, #"{"a":1e}"#, #"{"a":-}"#, #"{"a":nul}"#, #"{"a":"\x"}"#, #"{"a":"\u12g4"}"#,
            #"{"a":"\udc00"}"#, #"{"a":"\ud800\u0041"}"#, #"{"a":"b"#, "[1,]", "{\"a\":\"\n\"}", "\u{FEFF}{}",
            "{\u{B}}",
        ])
    func malformed(text: String) {
        #expect(throws: RawObject.Failure.notJSON) { try object(text, .any) }
    }

    @Test("bytes that are no UTF-8 are refused")
    func notUTF8() {
        #expect(throws: RawObject.Failure.notJSON) {
            try RawObject(Data([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D]))
        }
    }

    @Test("nesting is bounded, and ten thousand brackets do no harm")
    func depth() throws {
        func nested(_ depth: Int) -> String {
            #"{"a":"# + String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1) + "}"
        }

        _ = try object(nested(40))
        #expect(throws: RawObject.Failure.tooDeep) { try object(nested(41)) }
        #expect(throws: RawObject.Failure.tooDeep) { try object(nested(10_000)) }
    }

    @Test("events hold integers that every reader can hold; other data may hold fractions")
    func numbers() throws {
        _ = try object(#"{"a":9007199254740991,"b":-9007199254740991}"#)
        for text in [#"{"a":9007199254740992}"#, #"{"a":-9223372036854775808}"#, #"{"a":1.0}"#, #"{"a":1e2}"#] {
            #expect(throws: RawObject.Failure.unsafeNumber) { try object(text) }
        }
        _ = try object(#"{"a":0.25,"b":1e2}"#, .any)
        #expect(throws: RawObject.Failure.unsafeNumber) { try object(#"{"a":1e999}"#, .any) }
    }

    @Test("whatever this reads, the value reader reads too", arguments: 0..<300)
    func agrees(seed: Int) throws {
        var generator = SplitMix64(state: UInt64(seed))
        let pieces = [
            "{", "}", "[", "]", ",", ":", "\"", "a", "1", "-", ".", "e", "\\", "u00e9", "true", "null", " ", "\"a\"",
            "{\"a\":",
        ]
        let text = "{\"a\":" + (0..<6).compactMap { _ in pieces.randomElement(using: &generator) }.joined() + "}"

        let own = try? object(text, .any)

        if own != nil { #expect((try? JSONValue(parsing: Data(text.utf8))) != nil, "\(text)") }
    }
}

@Suite("JSONBuffer")
struct JSONBufferTests {
    @Test("commas stand where they have to, and text is escaped")
    func writes() {
        var buffer = JSONBuffer()
        buffer.object { buffer in
            buffer.member("a\"\\\u{1}\n", "b")
            buffer.name("list")
            buffer.array { buffer in
                buffer.integer(1)
                buffer.object { _ in }
                buffer.array { _ in }
                buffer.raw(Array("null".utf8))
            }
            buffer.member("t", true)
        }

        #expect(
            String(decoding: buffer.bytes, as: UTF8.self)
                == #"{"a\"\\\u0001\u000a":"b","list":[1,{},[],null],"t":true}"#)
    }
}

@Suite("SyncToken")
struct SyncTokenTests {
    @Test("what is written is read")
    func roundTrip() {
        let token = SyncToken(position: 42, boot: 3, fleeting: 17)

        #expect(token.text == "s42_3_17")
        #expect(SyncToken(token.text) == token)
        #expect(SyncToken(SyncToken.history(9)) == SyncToken(position: 9))
    }
}

@Suite("EventFilter")
struct EventFilterTests {
    private func filter(_ text: String) throws -> EventFilter {
        try EventFilter(try JSONValue(parsing: Data(text.utf8)))
    }

    @Test("types may hold asterisks, and what is excluded wins")
    func types() throws {
        let filter = try filter(#"{"types":["m.*.message","*typing","x*y*z"],"not_types":["m.bad.*"]}"#)

        #expect(filter.passes(type: "m.room.message"))
        #expect(filter.passes(type: "m.typing"))
        #expect(filter.passes(type: "x1y2z"))
        #expect(!filter.passes(type: "m.room.messages"))
        #expect(!filter.passes(type: "m.bad.message"))
        #expect(!filter.passes(type: "xz"))
    }

    @Test("an empty list lets nothing through, an absent one everything")
    func empty() throws {
        #expect(try !filter(#"{"types":[]}"#).passes(type: "m.x"))
        #expect(try filter("{}").passes(type: "m.x"))
        #expect(try filter(#"{"types":null}"#).passes(type: "m.x"))
    }

    @Test(
        "a filter of the wrong shape is refused",
        arguments: [#"{"types":"m.x"}"#, #"{"types":[1]}"#, #"{"limit":0}"#, #"{"limit":"1"}"#, "[]"])
    func refused(text: String) {
        #expect(throws: MatrixError.self) { try filter(text) }
    }
}
