import Foundation
import Models
import Testing

@Suite("JSONValue")
struct JSONValueTests {
    private func parsed(_ text: String) throws -> JSONValue { try JSONValue(parsing: Data(text.utf8)) }

    @Test("every kind of value is read as what it is")
    func kinds() throws {
        let value = try parsed(
            #"{"s":"é\n","i":-7,"big":9007199254740993,"d":1.5,"t":true,"f":false,"n":null,"a":[1,[]],"o":{}}"#)

        #expect(
            value == [
                "s": "é\n", "i": -7, "big": 9_007_199_254_740_993, "d": .number(1.5), "t": true, "f": false, "n": .null,
                "a": [1, []], "o": [:],
            ])
        #expect(value["s"]?.string == "é\n")
        #expect(value["big"]?.integer == 9_007_199_254_740_993)
        #expect(value["t"]?.bool == true)
        #expect(value["a"]?.array?.count == 2)
        #expect(value["o"]?.object == [:])
        #expect(value["n"]?.isNull == true)
        #expect(value["missing"] == nil)
        #expect(value["i"]?.string == nil)
    }

    @Test(
        "numbers without a fraction are integers, however written; others are not",
        arguments: [
            ("1", JSONValue.integer(1)), ("1.0", .integer(1)), ("-0", .integer(0)), ("1e3", .integer(1_000)),
            ("0.5", .number(0.5)), ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("18446744073709551616", .number(18_446_744_073_709_551_616)),
        ])
    func numbers(text: String, expected: JSONValue) throws {
        #expect(try parsed(text) == expected)
    }

    @Test(
        "what is no JSON in UTF-8 is refused",
        arguments: [
            "", " ", "{", "[1", "{\"a\"}", "nul", "'a'", "\"\u{1}\"", "\"\\x\"", "[1] [2]", "NaN", "1e999",
            "{1:2}",
        ])
    func malformed(text: String) {
        #expect(throws: JSONValue.ParseError.malformed) { try parsed(text) }
    }

    @Test("bytes that are no UTF-8 are refused")
    func bytes() {
        #expect(throws: JSONValue.ParseError.self) { try JSONValue(parsing: Data([0x22, 0xFF, 0xFE, 0x22])) }
        #expect(throws: JSONValue.ParseError.self) {
            try JSONValue(parsing: Data("[]".utf16.flatMap { [UInt8($0), 0] }))
        }
    }

    @Test("the same value is always the same bytes, keys in order")
    func serialized() throws {
        let value: JSONValue = ["b": 1, "a": ["z/": .null, "y": "é"], "c": [.number(1.5), true]]

        let text = String(decoding: value.serialized(), as: UTF8.self)

        #expect(text == #"{"a":{"y":"é","z/":null},"b":1,"c":[1.5,true]}"#)
        #expect(try parsed(text) == value)
    }

    @Test("what is written is read again, for generated values")
    func roundTrip() throws {
        var generator = SplitMix64(state: 5)

        for _ in 0..<300 {
            let value = generated(&generator, depth: 4)
            #expect(try JSONValue(parsing: value.serialized()) == value)
        }
    }

    private func generated(_ generator: inout SplitMix64, depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &generator) {
        case 0: return .null
        case 1: return .bool(.random(using: &generator))
        case 2: return .integer(.random(in: .min ... .max, using: &generator))
        case 3: return .number(Double(Int.random(in: -999...999, using: &generator)) + 0.25)
        case 4, 5:
            let scalars = (0..<6).compactMap { _ in Unicode.Scalar(UInt32.random(in: 0...0x1_F700, using: &generator)) }
            return .string(String(String.UnicodeScalarView(scalars)))
        case 6: return .array((0..<3).map { _ in generated(&generator, depth: depth - 1) })
        default:
            let members = (0..<3).map { ("key\($0)\"\\", generated(&generator, depth: depth - 1)) }
            return .object(Dictionary(members) { first, _ in first })
        }
    }
}

@Suite("JSONDepth")
struct JSONDepthTests {
    private func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    @Test("the limit itself is within, one more is not")
    func limit() throws {
        #expect(JSONDepth.isWithin(64, Data(nested(64).utf8)))
        #expect(!JSONDepth.isWithin(64, Data(nested(65).utf8)))
        #expect(throws: Never.self) { try JSONValue(parsing: Data(nested(64).utf8)) }
        #expect(throws: JSONValue.ParseError.tooDeep) { try JSONValue(parsing: Data(nested(65).utf8)) }
    }

    @Test("width is not depth, and brackets in strings are text")
    func width() {
        let wide = "[" + Array(repeating: "{\"a\":[]}", count: 5_000).joined(separator: ",") + "]"
        let text = #"["\#(String(repeating: "[", count: 500))\"[[[\\",1]"#

        #expect(JSONDepth.isWithin(3, Data(wide.utf8)))
        #expect(!JSONDepth.isWithin(2, Data(wide.utf8)))
        #expect(JSONDepth.isWithin(1, Data(text.utf8)))
    }

    @Test("a million brackets are refused without recursion", arguments: ["[", "{\"a\":", "{\"a\":[", "[\"\\\"\",["])
    func deep(unit: String) {
        #expect(!JSONDepth.isWithin(64, Data(String(repeating: unit, count: 1_000_000).utf8)))
    }

    @Test("an encoding in which brackets could hide is refused")
    func otherEncodings() {
        // In UTF-16 this character bears the byte of a quotation mark.
        let hidden = "[\"\u{2241}\"," + nested(200) + "]"
        let little = hidden.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = hidden.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }

        #expect(!JSONDepth.isWithin(64, Data(little)))
        #expect(!JSONDepth.isWithin(64, Data(big)))
    }
}
