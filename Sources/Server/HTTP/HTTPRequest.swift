import Foundation

/// One request, read whole.
package struct HTTPRequest: Sendable {
    /// Upper case, as on the wire. `HEAD` is routed like `GET`.
    package var method: String
    /// As on the wire, still percent-encoded, without the query.
    var path: String
    /// The parts of the path, split on `/` and then decoded once: `%2F` within a part is data. A trailing slash adds
    /// no empty part.
    package var segments: [String]
    var query: [(name: String, value: String)]
    var headers: HTTPHeaders
    package var body: Data
    /// The peer's numeric address, without a port.
    var remoteAddress: String
    /// What this request is to the activity; a long poll gives it back while it is parked.
    var cause: RequestCause

    init(
        method: String, path: String, segments: [String], query: [(name: String, value: String)] = [],
        headers: HTTPHeaders = HTTPHeaders(), body: Data = Data(), remoteAddress: String = "127.0.0.1",
        cause: RequestCause = RequestCause(activity: nil)
    ) {
        self.method = method
        self.path = path
        self.segments = segments
        self.query = query
        self.headers = headers
        self.body = body
        self.remoteAddress = remoteAddress
        self.cause = cause
    }

    /// The first value of the query parameter `name`; nil where it does not occur.
    package func query(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// The token of `Authorization: Bearer`. RFC 6750, section 2.1.
    var bearerToken: String? {
        guard let value = headers["Authorization"] else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        let token = parts[1].trimmingCharacters(in: .whitespaces)
        return token.isEmpty ? nil : token
    }

    /// Whether the path belongs to Matrix, whose errors have another form.
    var isMatrix: Bool { Self.isMatrix(path) }

    static func isMatrix(_ path: String) -> Bool { path == "/_matrix" || path.hasPrefix("/_matrix/") }
}

/// Header fields, looked up without regard to case, kept in order.
struct HTTPHeaders: Sendable, ExpressibleByDictionaryLiteral {
    private(set) var fields: [(name: String, value: String)] = []

    init() {}

    init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { (name: $0.0, value: $0.1) }
    }

    mutating func append(_ name: String, _ value: String) { fields.append((name: name, value: value)) }

    /// The first value.
    subscript(name: String) -> String? { fields.first { Self.isSame($0.name, name) }?.value }

    func values(_ name: String) -> [String] { fields.filter { Self.isSame($0.name, name) }.map(\.value) }

    /// Whether two field names are the same: ASCII, without regard to case. RFC 9110, section 5.1.
    static func isSame(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count
            && zip(left.utf8, right.utf8).allSatisfy { $0 == $1 || lower($0) == lower($1) }
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
