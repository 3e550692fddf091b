import Foundation
import Models

/// The fields of events that a client wants to have. Client-server API, `event_fields` of a filter.
enum EventFields {
    /// `event` with nothing but the fields at `paths`, whose parts are parted by dots; `\.` is a dot within a part.
    static func project(_ event: [UInt8], onto paths: [String]) -> [UInt8] {
        guard let whole = try? JSONValue(parsing: Data(event)) else { return event }
        var result = JSONValue.object([:])
        for path in paths {
            let parts = split(path)
            if let value = value(at: parts[...], in: whole) { result = setting(value, at: parts[...], in: result) }
        }
        return [UInt8](result.serialized())
    }

    private static func split(_ path: String) -> [String] {
        var parts = [""]
        var isEscaped = false
        for character in path {
            switch character {
            case "\\" where !isEscaped: isEscaped = true
            case "." where !isEscaped: parts.append("")
            default:
                parts[parts.count - 1].append(character)
                isEscaped = false
            }
        }
        return parts
    }

    private static func value(at path: ArraySlice<String>, in value: JSONValue) -> JSONValue? {
        guard let first = path.first else { return value }
        return value[first].flatMap { Self.value(at: path.dropFirst(), in: $0) }
    }

    private static func setting(_ value: JSONValue, at path: ArraySlice<String>, in tree: JSONValue) -> JSONValue {
        guard let first = path.first else { return value }
        var members = tree.object ?? [:]
        members[first] = setting(value, at: path.dropFirst(), in: members[first] ?? .object([:]))
        return .object(members)
    }
}
