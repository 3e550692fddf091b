import Foundation

/// A first sync as a homeserver really answered it, and the same with more rooms of the same make.
struct RecordedSync {
    private let answer: [String: Any]
    private let rooms: [(id: String, text: String)]

    init(_ body: [UInt8]) throws {
        guard let answer = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any],
            let joined = (answer["rooms"] as? [String: Any])?["join"] as? [String: Any], !joined.isEmpty
        else { throw BenchError("a first sync without rooms") }
        self.answer = answer
        rooms = try joined.sorted { $0.key < $1.key }.map { ($0.key, try Self.text($0.value)) }
    }

    private static func text(_ value: Any) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys]), as: UTF8.self)
    }

    /// The answer with `count` rooms. A room and an event each keep an id of their own.
    func data(rooms count: Int) throws -> Data {
        var rest = answer
        rest["rooms"] = nil
        var text = String(try Self.text(rest).dropLast())
        text += #","rooms":{"invite":{},"leave":{},"join":{"#
        for number in 0..<count {
            let (id, room) = rooms[number % rooms.count]
            let own = room.replacingOccurrences(of: #""event_id":"$"#, with: #""event_id":"$\#(number)-"#)
            text += "\(number == 0 ? "" : ",")\"!n\(number)-\(id.dropFirst())\":\(own)"
        }
        return Data((text + "}}}").utf8)
    }
}
