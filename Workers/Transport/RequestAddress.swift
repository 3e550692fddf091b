import Foundation

/// Makes the address of a request. The only place where text becomes a part of a URL.
///
/// Foundation leaves `/` in path components and `+` in query values as they are, so neither is used.
enum RequestAddress {
    /// `base` with `segments` behind its own path, each encoded whole, and `query`. Nil where `base` cannot bear them.
    static func url(
        base: URL, segments: [String], query: [(name: String, value: String)] = []
    ) -> URL? {
        guard var components = URLComponents(url: base, resolvingAgainstBaseURL: true) else { return nil }
        let root =
            components.percentEncodedPath.hasSuffix("/")
            ? String(components.percentEncodedPath.dropLast()) : components.percentEncodedPath
        components.percentEncodedPath = segments.reduce(root) { $0 + "/" + encoded($1) }
        components.percentEncodedQuery =
            query.isEmpty ? nil : query.map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&")
        components.fragment = nil
        return components.url
    }

    /// Everything but RFC 3986's unreserved characters as `%XX`. A segment of dots only is encoded too, for else it
    /// would be taken as a step upwards.
    static func encoded(_ text: String) -> String {
        let isDots = text == "." || text == ".."
        var result = ""
        for byte in text.utf8 {
            if isUnreserved(byte), !isDots {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                result += byte < 16 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return result
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
