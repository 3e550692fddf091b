import Models
import Testing

@testable import Server

/// What stands in single fields and parameters of requests.
@Suite struct FieldsIntegrationTests {
    private func chat() async throws -> ChatFixture {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann", "bob")
        return fixture
    }

    @Test(
        "a field of the wrong kind is refused, not passed over",
        arguments: [
            ("GET", "/publicRooms?limit=many", nil, "M_INVALID_PARAM"),
            ("GET", "/publicRooms?limit=-1", nil, "M_INVALID_PARAM"),
            ("POST", "/publicRooms", #"{"limit":"many"}"#, "M_BAD_JSON"),
            ("POST", "/user_directory/search", #"{"search_term":"a","limit":{}}"#, "M_BAD_JSON"),
            ("POST", "/user_directory/search", #"{"limit":1}"#, "M_MISSING_PARAM"),
            ("GET", "/sync?full_state=1", nil, "M_INVALID_PARAM"),
            ("POST", "/keys/upload", #"{"one_time_keys":[]}"#, "M_BAD_JSON"),
            ("POST", "/keys/query", "{}", "M_MISSING_PARAM"),
            ("POST", "/keys/query", #"{"device_keys":[]}"#, "M_BAD_JSON"),
            ("POST", "/keys/claim", "{}", "M_MISSING_PARAM"),
            ("PUT", "/sendToDevice/m.x/1", "{}", "M_MISSING_PARAM"),
            ("POST", "/user/@ann:ex.org/filter", #"{"room":{"include_leave":"yes"}}"#, "M_BAD_JSON"),
            ("POST", "/user/@ann:ex.org/filter", #"{"room":{"timeline":{"contains_url":1}}}"#, "M_BAD_JSON"),
            ("POST", "/user/@ann:ex.org/filter", #"{"room":{"state":{"lazy_load_members":{}}}}"#, "M_BAD_JSON"),
        ] as [(String, String, String?, String)])
    func wrongKind(method: String, path: String, body: String?, code: String) async throws {
        let fixture = try await chat()

        let answer = await fixture.ask("ann", method, path, body)

        #expect(answer.status == 400)
        #expect(answer.code == code)
    }

    @Test(
        "a room's own routes refuse fields of the wrong kind as well",
        arguments: [
            ("PUT", "typing/@ann:ex.org", #"{"typing":true,"timeout":"long"}"#, "M_BAD_JSON"),
            ("POST", "receipt/m.read/$x", #"{"thread_id":1}"#, "M_BAD_JSON"),
            ("POST", "receipt/m.read/$x", #"{"thread_id":""}"#, "M_INVALID_PARAM"),
            ("POST", "receipt/m.fully_read/$x", #"{"thread_id":"main"}"#, "M_INVALID_PARAM"),
            ("POST", "receipt/m.odd/$x", "{}", "M_INVALID_PARAM"),
            ("GET", "state/m.room.name?format=odd", nil, "M_INVALID_PARAM"),
            ("PUT", "state/m.room.power_levels", #"{"users":{"@ann:ex.org":"100"}}"#, "M_BAD_JSON"),
            ("PUT", "state/m.room.power_levels", #"{"users":{"@ann:ex.org":100,"bob":0}}"#, "M_BAD_JSON"),
            ("PUT", "state/m.room.power_levels", #"{"events":[]}"#, "M_BAD_JSON"),
            ("PUT", "state/m.room.power_levels", #"{"ban":"50"}"#, "M_BAD_JSON"),
        ] as [(String, String, String?, String)])
    func wrongKindInRoom(method: String, path: String, body: String?, code: String) async throws {
        let fixture = try await chat()
        let room = try await fixture.room("ann")

        let answer = await fixture.ask("ann", method, "/rooms/\(room)/\(path)", body)

        #expect(answer.status == 400)
        #expect(answer.code == code)
    }

    @Test("a piece of state is told as its content or, if so asked, as the whole event")
    func stateFormat() async throws {
        let fixture = try await chat()
        let room = try await fixture.room("ann", [], #"{"name":"A"}"#)
        let path = "/rooms/\(room)/state/m.room.name"

        let content = await fixture.ask("ann", "GET", "\(path)?format=content").body
        let event = await fixture.ask("ann", "GET", "\(path)?format=event").body

        #expect(content == ["name": "A"])
        #expect(event["content"] == ["name": "A"])
        #expect(event["type"] == "m.room.name")
        #expect(event["room_id"]?.string == room)
        #expect(event["sender"] == "@ann:ex.org")
    }

    @Test(
        "members are told as they were at a place in the stream; a place that is none of this server's is passed over")
    func membersAt() async throws {
        let fixture = try await chat()
        let room = try await fixture.room("ann")
        let before = await fixture.sync("ann").next
        await fixture.ask("bob", "POST", "/join/\(room)")
        func members(_ query: String) async -> [String] {
            await fixture.ask("ann", "GET", "/rooms/\(room)/members\(query)").body["chunk"].members
        }

        #expect(await members("?at=\(before)") == ["@ann:ex.org"])
        #expect(await members("") == ["@ann:ex.org", "@bob:ex.org"])
        #expect(await members("?at=elsewhere") == ["@ann:ex.org", "@bob:ex.org"])
    }

    @Test("a filter tells events with a link to a file from those without")
    func containsURL() async throws {
        let fixture = try await chat()
        let room = try await fixture.room("ann")
        try await fixture.say("ann", room, "hello")
        let picture = #"{"msgtype":"m.image","body":"cat.png","url":"mxc://ex.org/cat"}"#
        await fixture.ask("ann", "PUT", "/rooms/\(room)/send/m.room.message/1", picture)
        func texts(_ wanted: Bool) async -> [String] {
            let filter = "%7B%22contains_url%22:\(wanted),%22types%22:%5B%22m.room.message%22%5D%7D"
            return await fixture.ask("ann", "GET", "/rooms/\(room)/messages?dir=f&filter=\(filter)").body["chunk"]
                .bodies
        }

        #expect(await texts(true) == ["cat.png"])
        #expect(await texts(false) == ["hello"])
    }

    @Test("a profile is read, set and emptied key by key; there are no others")
    func profileKeys() async throws {
        let fixture = try await chat()
        let path = "/profile/@ann:ex.org"
        await fixture.ask("ann", "PUT", "\(path)/avatar_url", #"{"avatar_url":"mxc://ex.org/a"}"#)

        #expect(await fixture.ask(nil, "GET", "\(path)/avatar_url").body == ["avatar_url": "mxc://ex.org/a"])
        #expect(await fixture.ask(nil, "GET", "\(path)/displayname").body == ["displayname": "Ann"])
        #expect(await fixture.ask("bob", "DELETE", "\(path)/avatar_url").code == "M_FORBIDDEN")
        #expect(await fixture.ask("ann", "DELETE", "\(path)/avatar_url").status == 200)
        #expect(await fixture.ask(nil, "GET", "\(path)/avatar_url").body == [:])
        #expect(await fixture.ask(nil, "GET", "\(path)/m.tz").code == "M_NOT_FOUND")
        #expect(await fixture.ask("ann", "PUT", "\(path)/m.tz", #"{"m.tz":"Europe/Berlin"}"#).code == "M_NOT_FOUND")
    }
}
