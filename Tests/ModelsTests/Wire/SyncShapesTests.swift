import Foundation
import JSONMutations
import Models
import Testing

/// The reader of batches beside the platform's decoder.
@Suite("MatrixShapes.Sync")
struct SyncShapesTests {
    /// Read whole and one room at a time, both as the platform's decoder reads it.
    static func expectSame(_ data: Data, _ location: SourceLocation = #_sourceLocation) {
        let expected =
            JSONDepth.isWithin(JSONValue.depthLimit, data)
            ? try? JSONDecoder().decode(DecodedSync.self, from: data) : nil
        for size in [1, .max] {
            // Whole batches are too long to be shown.
            let isSame = DecodedSync(read: data, partSize: size) == expected
            #expect(
                isSame, "\(expected == nil ? "unreadable" : "readable"): \(String(decoding: data, as: UTF8.self))",
                sourceLocation: location)
        }
    }

    private func expectSame(inBody text: String, _ location: SourceLocation = #_sourceLocation) {
        let event = #"{"type":"m.x","event_id":"$1","origin_server_ts":\#(text),"content":{"body":\#(text)}}"#
        let room =
            #"{"timeline":{"events":[\#(event),{"type":"m.y"}]},"unread_notifications":{"highlight_count":\#(text)}}"#
        let document = """
            {"next_batch":"s","account_data":{"events":[{"type":"m.a","content":\(text)},{"type":"m.b","content":1}]},\
            "rooms":{"join":{"!r:b":\(room),"!s:b":{}}}}
            """
        Self.expectSame(Data(document.utf8), location)
    }

    /// Of the places every fourth; the long run takes them all.
    @Test("a place of a batch may be anything: it is read as by the platform's decoder")
    func mutations() throws {
        let document = try JSONValue(parsing: Data(MatrixShapesTests.sync.utf8))
        for (index, data) in Mutations.all(of: document, values: Mutations.few).enumerated()
        where index.isMultiple(of: 4) { Self.expectSame(data) }
    }

    @Test(
        "texts are read as by the platform's decoder, and what is none spoils nothing beside it",
        arguments: [
            #""plain""#, #""""#, #""\"\\\/\b\f\n\r\t""#, #""\u00e9\u0000\uD83D\uDE00\ufffd""#, #""\ud83d""#,
            #""\ude00""#, #""\ud83d\u0041""#, #""\ud83dx""#, #""\uZZZZ""#, #""\x""#, "\"\u{1}\"",
            "\"a\nb\"", "\"\u{7F}\u{80}é漢👩‍👩‍👧\"", #""a\\""#, #""longer than eight bytes, then \" and on""#,
            #""seven77""#, #""eight888""#, #""nine 9999""#,
        ])
    func texts(text: String) { expectSame(inBody: text) }

    @Test(
        "numbers are read as by the platform's decoder",
        arguments: [
            "0", "-0", "7", "-7", "1.0", "1e3", "1E+3", "15e-1", "1.5", "9223372036854775807", "-9223372036854775808",
            "9223372036854775808", "18446744073709551616", "9007199254740993.0", "1e400", "01", "-", "1.", "1e", "-01",
            "1-2", "1e5e5", "0x1",
        ])
    func numbers(text: String) { expectSame(inBody: text) }

    @Test(
        "what is no JSON is refused as by the platform's decoder",
        arguments: [
            "true", "false", "null", "tru", "truex", "nul", "[]", "[1,]", "[,]", "[1 2]", "{", "{}", #"{"a"}"#,
            #"{"a":}"#, #"{"a":1,}"#, #"{"a" : 1 , "b":[ ] }"#, "{1:2}", "'a'", #""open"#, #""open\"#, #"{"a":1]"#,
            "[}",
            "]", "+1", ".5", "NaN", "/**/1", "1 ]", "",
        ])
    func structure(text: String) {
        expectSame(inBody: text)
        Self.expectSame(Data(text.utf8))
        Self.expectSame(Data((text + #"{"next_batch":"s"}"#).utf8))
        Self.expectSame(Data((#"{"next_batch":"s"}"# + text).utf8))
    }

    @Test("a text ends where the platform's decoder ends it, whatever stands before, and however far")
    func ends() {
        var texts: [String] = []
        for filler in ["a", "!", "#", "[", "]", "\u{7F}", "\u{80}", "é", "😀"] {
            for special in [#"\""#, #"\\"#, #"\n"#, #"\u00e9"#, "\u{80}", "]", "#", ""] {
                for count in 0..<18 {
                    let run = String(repeating: filler, count: count)
                    texts += ["\(run)\(special)\(run)", "a\(run)\(special)", "\(special)\(run)"]
                }
            }
        }
        let content = "[" + texts.map { #""\#($0)""# }.joined(separator: ",") + "]"
        let document = #"{"next_batch":"s","account_data":{"events":[{"type":"a","content":\#(content)}]}}"#

        Self.expectSame(Data(document.utf8))

        #expect(MatrixShapes.Sync(Data(document.utf8))?.account_data.first?.content.array?.count == texts.count)
    }

    @Test("a batch that was cut off anywhere is refused; one that lies within other bytes is read by itself")
    func cut() {
        let whole = Data(MatrixShapesTests.sync.utf8)
        let within = (Data("{}]".utf8) + whole + Data("}".utf8)).dropFirst(3).dropLast()

        #expect(within.startIndex == 3)
        #expect((0..<whole.count).allSatisfy { MatrixShapes.Sync(whole.prefix($0)) == nil })
        #expect((3..<within.endIndex).allSatisfy { MatrixShapes.Sync(within[3..<$0]) == nil })
        #expect(DecodedSync(read: within, partSize: 1) != nil)
        #expect(DecodedSync(read: within, partSize: 1) == DecodedSync(read: whole, partSize: .max))
    }

    @Test("white space may stand everywhere, and a byte order mark before all")
    func space() {
        Self.expectSame(Data(" \t\r\n{ \"next_batch\" :\n\"s\" , \"rooms\" : { \"join\" : { } } } \n".utf8))
        Self.expectSame(Data("\u{FEFF}{\"next_batch\":\"s\"}".utf8))
        Self.expectSame(Data("\u{0B}{\"next_batch\":\"s\"}".utf8))
        Self.expectSame(Data("{\"next_batch\":\"s\"}\0".utf8))
        Self.expectSame(Data("{\"next_batch\":\"s\u{0}\"}".utf8))
        Self.expectSame(Data([0xFF, 0xFE] + "{}".utf16.flatMap { [UInt8($0), 0] }))
    }

    @Test("of members with one name the first counts, however the name is written")
    func doubled() {
        Self.expectSame(Data(#"{"next_batch":"s","next_batch":"t","rooms":3,"rooms":{"join":{"!r":{}}}}"#.utf8))
        Self.expectSame(
            Data(#"{"next\u005fbatch":"s","next_batch":7,"presence":{"events":[],"events":[{"type":"x"}]}}"#.utf8))
        Self.expectSame(
            Data(
                #"{"next_batch":"s","rooms":{"join":{"!r":{"state":{"events":[{"type":"a"}]}},"!r":{},"\u0021r":{}}}}"#
                    .utf8))
        Self.expectSame(
            Data(#"{"next_batch":"s","account_data":{"events":[{"type":"a","content":{"k":1,"k":[2]}}]}}"#.utf8))
    }

    @Test("bytes that are no UTF-8 make their text unreadable and nothing else")
    func encoding() throws {
        let document =
            #"{"next_batch":"s","rooms":{"join":{"!r":{"timeline":{"events":[{"type":"?"},{"type":"b"}]}}}}}"#
        let bytes = document.utf8.map { $0 == UInt8(ascii: "?") ? 0xC3 : $0 }

        let sync = try #require(MatrixShapes.Sync(Data(bytes)))

        #expect(sync.parts().flatMap { sync.rooms(in: $0).joined }.first?.news.timeline.events.map(\.type) == ["b"])
    }

    @Test("a text or a name whose escapes are broken is absent, and nothing else")
    func escapes() throws {
        let sync = try #require(
            MatrixShapes.Sync(
                Data(
                    #"{"next_batch":"s","\ud83d":1,"presence":{"events":[{"type":"\u12"},{"type":"a","\x":2,"sender":"@a"}]}}"#
                        .utf8)))

        #expect(sync.presence.map(\.sender) == [UserID("@a")])
    }

    @Test("a document nests 64 deep and no deeper")
    func depth() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }

        #expect(MatrixShapes.Sync(Data(#"{"next_batch":"s","x":\#(nested(63))}"#.utf8)) != nil)
        #expect(MatrixShapes.Sync(Data(#"{"next_batch":"s","x":\#(nested(64))}"#.utf8)) == nil)
        #expect(MatrixShapes.Sync(Data(#"{"next_batch":"s","x":\#(nested(100_000))}"#.utf8)) == nil)
        expectSame(inBody: nested(59))
        expectSame(inBody: nested(61))
    }

    @Test("rooms come in parts of about the size asked for, each once, those one is in first, in order of their ids")
    func parts() throws {
        let rooms = (0..<9).map { #""!\#($0)":{"state":{"events":[]}}"# }
        let sync = try #require(
            MatrixShapes.Sync(
                Data(
                    #"{"next_batch":"s","rooms":{"leave":{"!l":{}},"join":{\#(rooms.reversed().joined(separator: ","))},"invite":{"!i":{}}}}"#
                        .utf8)))

        let parts = sync.parts(of: 50).map { sync.rooms(in: $0) }

        #expect(parts.count == 4)
        #expect(parts.flatMap(\.joined).map(\.id.raw) == (0..<9).map { "!\($0)" })
        #expect(parts.flatMap(\.ids).map(\.raw).suffix(2) == ["!i", "!l"])
        #expect(sync.joinedRooms.count == 9 && sync.invitedRooms == [RoomID("!i")])
        #expect(sync.parts().count == 1)
    }
}

@Suite("MatrixShapes.Sync, at length")
struct SyncShapesSoakTests {
    @Test("each place of a batch may be anything: it is read as by the platform's decoder")
    func mutations() throws {
        let document = try JSONValue(parsing: Data(MatrixShapesTests.sync.utf8))
        for data in Mutations.all(of: document) { SyncShapesTests.expectSame(data) }
    }

    @Test("a batch with bytes changed, cut and doubled is read or refused as by the platform's decoder")
    func garbled() {
        var generator = SplitMix64(state: 7)
        for _ in 0..<10_000 {
            var bytes = Array(MatrixShapesTests.sync.utf8)
            for _ in 0...Int.random(in: 0..<3, using: &generator) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[place] = Array(#"{}[]",:\0-1e."#.utf8)[Int.random(in: 0..<13, using: &generator)]
                case 1:
                    let count = 1 + Int.random(in: 0..<8, using: &generator)
                    bytes.removeSubrange(place..<min(bytes.count, place + count))
                case 2: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 16)], at: place)
                default: bytes[place] = UInt8(0x20 + Int.random(in: 0..<0x5F, using: &generator))
                }
            }
            // A name or a text with a broken escape spoils less here.
            guard !bytes.contains(UInt8(ascii: "\\")) else { continue }
            SyncShapesTests.expectSame(Data(bytes))
        }
    }
}
