import Models
import Testing

@testable import Server

@Suite("Directory and addresses")
struct DirectoryIntegrationTests {
    private func chat() async throws -> ChatFixture {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann", "bob", "cy")
        return fixture
    }

    @Test("aliases lead to rooms, are taken once, and can be taken away")
    func aliases() async throws {
        let fixture = try await chat()
        let room = try await fixture.room("ann", [], #"{"preset":"public_chat","room_alias_name":"lobby"}"#)
        let path = "/directory/room/%23lobby:ex.org"

        #expect(await fixture.ask(nil, "GET", path).body == ["room_id": .string(room), "servers": ["ex.org"]])
        #expect(await fixture.ask("bob", "POST", "/join/%23lobby%3Aex.org").body == ["room_id": .string(room)])
        #expect(await fixture.ask("bob", "PUT", path, #"{"room_id":"\#(room)"}"#).status == 409)
        #expect(await fixture.ask("bob", "DELETE", path).status == 403)
        #expect(await fixture.ask("ann", "DELETE", path).status == 200)
        #expect(await fixture.ask(nil, "GET", path).code == "M_NOT_FOUND")
        #expect(await fixture.ask("ann", "DELETE", path).status == 404)
        #expect(await fixture.ask(nil, "GET", "/directory/room/lobby").code == "M_INVALID_PARAM")
        #expect(await fixture.ask("bob", "PUT", path, #"{"room_id":"\#(room)"}"#).status == 200)
        #expect(await fixture.ask("cy", "POST", "/join/%23none:ex.org").status == 404)
    }

    @Test("the alias of a private room leads there for those who are in it or asked in, and for nobody else")
    func privateAlias() async throws {
        let fixture = try await chat()
        let room = try await fixture.room("ann", [], #"{"preset":"private_chat","room_alias_name":"den"}"#)
        let path = "/directory/room/%23den:ex.org"

        let before = await fixture.ask("bob", "GET", path)
        #expect(await fixture.ask("bob", "POST", "/join/%23den:ex.org").status == 404)
        await fixture.ask("ann", "POST", "/rooms/\(room)/invite", #"{"user_id":"@bob:ex.org"}"#)
        let invited = await fixture.ask("bob", "GET", path)
        let joined = await fixture.ask("bob", "POST", "/join/%23den:ex.org")
        await fixture.ask("bob", "POST", "/rooms/\(room)/leave")

        #expect(before.status == 404)
        #expect(invited.body["room_id"] == .string(room))
        #expect(joined.body["room_id"] == .string(room))
        #expect(await fixture.ask("ann", "GET", path).body["room_id"] == .string(room))
        #expect(await fixture.ask(nil, "GET", path).status == 404)
        #expect(await fixture.ask("bob", "GET", path).status == 404)
        await fixture.ask(
            "ann", "PUT", "/rooms/\(room)/state/m.room.history_visibility",
            #"{"history_visibility":"world_readable"}"#)
        #expect(await fixture.ask(nil, "GET", path).status == 200)
    }

    @Test("the public list shows the largest rooms first, page by page, and is searched")
    func publicRooms() async throws {
        let fixture = try await chat()
        let small = try await fixture.room("ann", [], #"{"visibility":"public","name":"Small","topic":"Tea"}"#)
        let large = try await fixture.room("ann", ["bob", "cy"], #"{"visibility":"public","name":"Large"}"#)
        let hidden = try await fixture.room("ann", ["bob"])

        let first = await fixture.ask(nil, "GET", "/publicRooms?limit=1").body
        let second = await fixture.ask(nil, "GET", "/publicRooms?limit=1&since=\(first["next_batch"]?.string ?? "")")
            .body
        let found = await fixture.ask("ann", "POST", "/publicRooms", #"{"filter":{"generic_search_term":"tEA"}}"#).body

        #expect(first["chunk"]?.array?.compactMap { $0["room_id"]?.string } == [large])
        #expect(first["chunk"]?.array?.first?["num_joined_members"] == 3)
        #expect(first["total_room_count_estimate"] == 2)
        #expect(second["chunk"]?.array?.compactMap { $0["room_id"]?.string } == [small])
        #expect(second["next_batch"] == nil)
        #expect(found["chunk"]?.array?.compactMap { $0["name"]?.string } == ["Small"])
        #expect(await fixture.ask(nil, "GET", "/directory/list/room/\(large)").body == ["visibility": "public"])
        #expect(await fixture.ask("ann", "GET", "/directory/list/room/\(hidden)").body == ["visibility": "private"])
        #expect(
            await fixture.ask("bob", "PUT", "/directory/list/room/\(hidden)", #"{"visibility":"public"}"#).status == 403
        )
        #expect(
            await fixture.ask("ann", "PUT", "/directory/list/room/\(hidden)", #"{"visibility":"public"}"#).status == 200
        )
        #expect(await fixture.ask(nil, "GET", "/publicRooms").body["total_room_count_estimate"] == 3)
    }

    @Test("unknown addresses and methods are told apart; r0 is v3")
    func addresses() async throws {
        let fixture = try await chat()
        _ = try await fixture.room("ann")

        let unknown = await fixture.ask("ann", "GET", "/nothing/here")
        let method = await fixture.ask("ann", "DELETE", "/joined_rooms")
        let old = await fixture.ask(fixture.request("ann", "GET", "/_matrix/client/r0/joined_rooms"))

        #expect(unknown.status == 404)
        #expect(unknown.code == "M_UNRECOGNIZED")
        #expect(method.status == 405)
        #expect(method.code == "M_UNRECOGNIZED")
        #expect(old.body["joined_rooms"]?.array?.count == 1)
        #expect(await fixture.ask(nil, "GET", "/joined_rooms").code == "M_MISSING_TOKEN")
    }

    @Test(
        "what this server does not do is answered so that other clients go on",
        arguments: [
            (
                "GET", "/pushrules/", nil,
                #"{"global":{"content":[],"override":[],"room":[],"sender":[],"underride":[]}}"#
            ),
            (
                "POST", "/keys/upload", #"{"one_time_keys":{"a:1":{},"a:2":{}}}"#,
                #"{"one_time_key_counts":{"signed_curve25519":2}}"#
            ),
            (
                "POST", "/keys/query", #"{"device_keys":{"@ann:ex.org":[]}}"#,
                #"{"device_keys":{"@ann:ex.org":{}},"failures":{}}"#
            ),
            ("POST", "/keys/claim", #"{"one_time_keys":{}}"#, #"{"failures":{},"one_time_keys":{}}"#),
            ("PUT", "/sendToDevice/m.x/1", #"{"messages":{}}"#, "{}"),
        ] as [(String, String, String?, String)])
    func stubs(method: String, path: String, body: String?, expected: String) async throws {
        let fixture = try await chat()

        let answer = await fixture.ask("ann", method, path, body)

        #expect(answer.status == 200)
        #expect(String(decoding: answer.bytes, as: UTF8.self) == expected)
        #expect(await fixture.ask("ann", "GET", "/room_keys/version").code == "M_NOT_FOUND")
    }
}
