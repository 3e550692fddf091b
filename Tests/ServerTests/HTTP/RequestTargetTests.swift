import Testing

@testable import Server

@Suite struct RequestTargetTests {
    @Test("each part of a path is decoded once, after splitting")
    func segments() throws {
        let target = try #require(RequestTarget("/rooms/!r1%3Aex.org/%2Fa%252F+b"))

        #expect(target.path == "/rooms/!r1%3Aex.org/%2Fa%252F+b")
        #expect(target.segments == ["rooms", "!r1:ex.org", "/a%2F+b"])
    }

    @Test("a slash at the end adds no part, and one in the middle an empty one")
    func slashes() {
        #expect(RequestTarget("/state/m.room.name/")?.segments == ["state", "m.room.name"])
        #expect(RequestTarget("/a//b")?.segments == ["a", "", "b"])
        #expect(RequestTarget("/")?.segments == [])
    }

    @Test("the query is decoded as a form, in order")
    func query() throws {
        let query = try #require(RequestTarget("/x?a=1&b=two+words&a=%2B&c&=d&e=f=g")).query

        #expect(query.map(\.name) == ["a", "b", "a", "c", "", "e"])
        #expect(query.map(\.value) == ["1", "two words", "+", "", "d", "f=g"])
    }

    @Test("a percent sign without two digits stands for itself")
    func brokenEscape() {
        #expect(RequestTarget("/100%/%4/%zz/%")?.segments == ["100%", "%4", "%zz", "%"])
    }

    @Test("what is not UTF-8 or no path cannot be read", arguments: ["/%FF", "/a?b=%C0%80", "*", "http://host/", ""])
    func unreadable(target: String) {
        #expect(RequestTarget(target) == nil)
    }
}
