import Foundation
import Testing

@testable import Workers

@Suite("RequestAddress")
struct RequestAddressTests {
    private func address(_ base: String, _ segments: [String], _ query: [(String, String)] = []) throws -> String {
        let url = try #require(URL(string: base))
        let items = query.map { (name: $0.0, value: $0.1) }
        return try #require(RequestAddress.url(base: url, segments: segments, query: items)).absoluteString
    }

    @Test("all but unreserved characters is encoded, byte by byte")
    func encoding() {
        #expect(RequestAddress.encoded("azAZ09-._~") == "azAZ09-._~")
        #expect(RequestAddress.encoded("!r:x/@$+%&=? #") == "%21r%3Ax%2F%40%24%2B%25%26%3D%3F%20%23")
        #expect(RequestAddress.encoded("é👋\n\0") == "%C3%A9%F0%9F%91%8B%0A%00")
    }

    @Test("a segment of dots is no step upwards")
    func dots() throws {
        #expect(try address("http://h", ["rooms", "..", "."]) == "http://h/rooms/%2E%2E/%2E")
    }

    @Test("the path of the base stays, with or without a slash at its end; its query and fragment do not")
    func base() throws {
        #expect(try address("http://h:8/a%2Fb/c/", ["x"]) == "http://h:8/a%2Fb/c/x")
        #expect(try address("http://h:8/a", ["x"]) == "http://h:8/a/x")
        #expect(try address("http://h", ["x"]) == "http://h/x")
        #expect(try address("http://h/?q=1#f", ["x"]) == "http://h/x")
    }

    @Test("query values are encoded whole")
    func query() throws {
        #expect(
            try address("http://h", ["x"], [("a b", "1+2&3=é"), ("c", "")]) == "http://h/x?a%20b=1%2B2%263%3D%C3%A9&c=")
    }
}

@Suite("Loopback")
struct LoopbackTests {
    @Test(
        "only this machine's own addresses count",
        arguments: [
            ("http://localhost:8000", true), ("http://LOCALHOST", true), ("http://127.0.0.1:8000/x", true),
            ("http://127.255.0.9", true), ("http://[::1]:8000", true), ("http://127.0.0.1.example.org", false),
            ("http://localhost.example.org", false), ("http://128.0.0.1", false), ("http://127.0.1", false),
            ("http://example.org", false), ("http://10.0.0.1", false), ("http://[::2]", false),
            ("http://127.0.0.1@example.org", false),
        ])
    func contains(text: String, expected: Bool) throws {
        #expect(Loopback.contains(try #require(URL(string: text))) == expected)
    }
}
