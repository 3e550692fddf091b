import Foundation
import Models

/// A document with each of its places deleted, nulled, mistyped, made huge and nested deep, one at a time.
public enum Mutations {
    /// A few of `plain`, for a test that has to be quick and has a longer one beside it.
    public static let few = ["null", "true", "9223372036854775807", huge(1_000), #"["x"]"#]

    /// What stands in a place instead, as it is written.
    public static let plain: [String] = [
        "null", "true", "-1", "9223372036854775807", "-9223372036854775808", "18446744073709551616", "1.5e300",
        #""""#, #""text""#, #""\u0000\ud83d""#, "[]", #"["x"]"#, "{}", #"{"x":1}"#, huge(70_000),
    ]

    /// Within what a decoder of the platform takes before a stack of a thread ends, and far beyond: only for readers that
    /// look at the depth first.
    public static let deep: [String] = [400, 10_000].flatMap { depth -> [String] in
        let array = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let head = String(repeating: #"{"x":"#, count: depth)
        return [array, head + "1" + String(repeating: "}", count: depth)]
    }

    public static func all(of document: JSONValue, values: [String] = plain + deep) -> [Data] {
        texts(of: document, values).map { Data($0.utf8) }
    }

    private static func huge(_ length: Int) -> String { "\"\(String(repeating: "x", count: length))\"" }

    private static func text(_ value: JSONValue) -> String { String(decoding: value.serialized(), as: UTF8.self) }

    private static func texts(of document: JSONValue, _ values: [String]) -> [String] {
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
                    [object(nil, at: key)] + texts(of: members[key] ?? .null, values).map { object($0, at: key) }
                }
        case .array(let elements):
            return values
                + elements.indices.flatMap { index in
                    texts(of: elements[index], values).map { changed in
                        let parts = elements.indices.map { $0 == index ? changed : text(elements[$0]) }
                        return "[\(parts.joined(separator: ","))]"
                    }
                }
        default: return values
        }
    }
}
