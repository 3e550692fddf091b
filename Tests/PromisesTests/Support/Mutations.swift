import Foundation
import Models

/// A document with each of its places deleted, nulled, mistyped, made huge and nested deep, one at a time.
struct Mutations {
    /// What stands in a place instead, as it is written.
    static let values: [String] = plain + deep

    private static let plain: [String] = [
        "null", "true", "-1", "9223372036854775807", "-9223372036854775808", "18446744073709551616", "1.5e300",
        #""""#, #""text""#, #""\u0000\ud83d""#, "[]", #"["x"]"#, "{}", #"{"x":1}"#,
        "\"\(String(repeating: "x", count: 70_000))\"",
    ]

    /// Within what a decoder of the platform takes before a stack of a thread ends, and far beyond.
    private static let deep: [String] = [400, 10_000].flatMap { depth -> [String] in
        let array = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let head = String(repeating: #"{"x":"#, count: depth)
        return [array, head + "1" + String(repeating: "}", count: depth)]
    }

    static func all(of document: JSONValue) -> [Data] { texts(of: document).map { Data($0.utf8) } }

    private static func text(_ value: JSONValue) -> String { String(decoding: value.serialized(), as: UTF8.self) }

    private static func texts(of document: JSONValue) -> [String] {
        switch document {
        case .object(let members):
            let keys = members.keys.sorted()
            func object(_ changed: String?, at place: String) -> String {
                let parts = keys.compactMap { key -> String? in
                    guard let value = key == place ? changed : text(members[key] ?? .null) else { return nil }
                    return "\(text(.string(key))):\(value)"
                }
                return "{\(parts.joined(separator: ","))}"
            }
            return values
                + keys.flatMap { key in
                    [object(nil, at: key)] + texts(of: members[key] ?? .null).map { object($0, at: key) }
                }
        case .array(let elements):
            return values
                + elements.indices.flatMap { index in
                    texts(of: elements[index]).map { changed in
                        let parts = elements.indices.map { $0 == index ? changed : text(elements[$0]) }
                        return "[\(parts.joined(separator: ","))]"
                    }
                }
        default: return values
        }
    }
}
