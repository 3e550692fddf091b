import Models
import Testing

@testable import Server

@Suite("Rooms")
struct RoomIntegrationTests {
    private func chat() async throws -> ChatFixture {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann", "bob", "cy")
        return fixture
    }

    @Test("a room is made in the order that the standard says")
    func order() async throws {
        let fixture = try await chat()
        let room = try await fixture.room(
            "ann", [],
            """
            {"preset":"trusted_private_chat","name":"N","topic":"T","room_alias_name":"lobby","invite":["@bob:ex.org"],\
            "is_direct":true,"initial_state":[{"type":"m.room.guest_access","content":{"guest_access":"forbidden"}},\
            {"type":"m.room.name","content":{"name":"overridden"}},{"type":"org.words.x","state_key":"k","content":{}}]}
            """)

        let events = await fixture.sync("ann").joined(room)?["timeline"]?["events"]

        #expect(
            events.types == [
                "m.room.create", "m.room.member", "m.room.power_levels", "m.room.canonical_alias", "m.room.join_rules",
                "m.room.history_visibility", "m.room.guest_access", "m.room.name", "org.words.x", "m.room.topic",
                "m.room.member",
            ])
        let content = { (type: String) in events?.array?.first { $0["type"]?.string == type }?["content"] }
        #expect(content("m.room.create") == ["creator": "@ann:ex.org", "room_version": "10"])
        #expect(content("m.room.power_levels")?["users"] == ["@ann:ex.org": 100, "@bob:ex.org": 100])
        #expect(content("m.room.canonical_alias") == ["alias": "#lobby:ex.org"])
        #expect(content("m.room.join_rules") == ["join_rule": "invite"])
        #expect(content("m.room.guest_access") == ["guest_access": "forbidden"])
        #expect(content("m.room.name") == ["name": "N"])
        #expect(events?.array?.last?["content"]?["is_direct"] == true)
    }

    @Test(
        "what is wrong with a new room is said, and there is no room",
        arguments: [
            (#"{"room_version":"99"}"#, 400, "M_UNSUPPORTED_ROOM_VERSION"),
            (#"{"invite":["bob"]}"#, 400, "M_INVALID_PARAM"), (#"{"invite":["@nobody:ex.org"]}"#, 404, "M_NOT_FOUND"),
            (#"{"room_alias_name":"taken"}"#, 400, "M_ROOM_IN_USE"),
            (#"{"room_alias_name":"a b"}"#, 400, "M_INVALID_PARAM"),
            (#"{"preset":"odd"}"#, 400, "M_INVALID_PARAM"), (#"{"visibility":"odd"}"#, 400, "M_INVALID_PARAM"),
            (#"{"initial_state":[{"type":"m.room.encryption","content":{}}]}"#, 403, "M_FORBIDDEN"),
            (#"{"initial_state":[{"type":"m.room.name"}]}"#, 400, "M_BAD_JSON"),
            (#"{"initial_state":[{"type":"m.room.name","content":{},"state_key":3}]}"#, 400, "M_BAD_JSON"),
            (#"{"initial_state":{}}"#, 400, "M_BAD_JSON"), (#"{"invite":"@bob:ex.org"}"#, 400, "M_BAD_JSON"),
            (#"{"name":"A","power_level_content_override":{"users":{}}}"#, 400, "M_INVALID_ROOM_STATE"),
            (#"{"power_level_content_override":{"users_default":"100"}}"#, 400, "M_INVALID_ROOM_STATE"),
            (#"{"name":3}"#, 400, "M_BAD_JSON"), ("[]", 400, "M_BAD_JSON"), ("{", 400, "M_NOT_JSON"),
        ])
    func refused(body: String, status: Int, code: String) async throws {
        let fixture = try await chat()
        let room = try await fixture.room("ann", [], #"{"room_alias_name":"taken"}"#)

        let answer = await fixture.ask("ann", "POST", "/createRoom", body)

        #expect(answer.status == status)
        #expect(answer.code == code)
        #expect(await fixture.ask("ann", "GET", "/joined_rooms").body == ["joined_rooms": [.string(room)]])
        #expect(await fixture.ask(nil, "GET", "/directory/room/%23a:ex.org").status == 404)
    }

    @Test("invite, join, kick, ban and unban go by the table")
    func table() async throws {
        let fixture = try await chat()
        let room = try await fixture.room("ann", [], "{}")
        func act(_ who: String, _ verb: String, _ target: String) async -> Int {
            await fixture.ask(who, "POST", "/rooms/\(room)/\(verb)", #"{"user_id":"@\#(target):ex.org"}"#).status
        }

        #expect(await fixture.ask("bob", "POST", "/join/\(room)").status == 403)
        #expect(await act("ann", "invite", "bob") == 200)
        #expect(await act("ann", "invite", "bob") == 200)
        #expect(await fixture.ask("bob", "POST", "/rooms/\(room)/join").body == ["room_id": .string(room)])
        #expect(await fixture.ask("bob", "POST", "/join/\(room)").status == 200)
        #expect(await act("ann", "invite", "bob") == 403)
        #expect(await act("bob", "kick", "ann") == 403)
        #expect(await act("ann", "kick", "cy") == 403)
        #expect(await act("ann", "kick", "bob") == 200)
        #expect(await fixture.ask("bob", "POST", "/join/\(room)").status == 403)
        #expect(await act("ann", "ban", "bob") == 200)
        #expect(await act("ann", "ban", "bob") == 200)
        #expect(await act("ann", "invite", "bob") == 403)
        #expect(await act("ann", "kick", "bob") == 403)
        #expect(await act("ann", "unban", "bob") == 200)
        let again = await fixture.ask("ann", "POST", "/rooms/\(room)/unban", #"{"user_id":"@bob:ex.org"}"#)
        #expect(again.status == 403)
        #expect(again.code == "M_BAD_STATE")
        #expect(await act("ann", "invite", "bob") == 200)
        #expect(await act("ann", "kick", "bob") == 200)
        #expect(await fixture.ask("bob", "POST", "/rooms/\(room)/leave").status == 200)
        #expect(await fixture.ask("bob", "POST", "/rooms/\(room)/leave").status == 200)
        #expect(await act("ann", "invite", "nobody") == 404)
        #expect(await act("ann", "invite", "") == 400)
    }

    @Test("who goes, by themselves or not, leaves the name that they had in the room")
    func formerNames() async throws {
        let fixture = try await chat()
        let room = try await fixture.room("ann", ["bob", "cy"])
        let path = "/rooms/\(room)/state/m.room.member"
        await fixture.ask("bob", "PUT", "\(path)/@bob:ex.org", #"{"membership":"join","displayname":"Bobby"}"#)

        await fixture.ask("bob", "POST", "/rooms/\(room)/leave")
        await fixture.ask("ann", "POST", "/rooms/\(room)/ban", #"{"user_id":"@cy:ex.org","reason":"rude"}"#)

        let left = await fixture.ask("ann", "GET", "\(path)/@bob:ex.org").body
        let banned = await fixture.ask("ann", "GET", "\(path)/@cy:ex.org").body
        #expect(left == ["displayname": "Bobby", "membership": "leave"])
        #expect(banned == ["displayname": "Cy", "membership": "ban", "reason": "rude"])
    }

    @Test("state is set by the powerful, read by members, and only what is allowed")
    func state() async throws {
        let fixture = try await chat()
        let room = try await fixture.room("ann", ["bob"])
        func put(_ who: String, _ path: String, _ body: String) async -> ChatFixture.Answer {
            await fixture.ask(who, "PUT", "/rooms/\(room)/state/\(path)", body)
        }

        let first = await put("ann", "m.room.name", #"{"name":"A"}"#)
        let same = await put("ann", "m.room.name/", #"{"name":"A"}"#)
        #expect(first.body["event_id"] == same.body["event_id"])
        #expect(await fixture.ask("bob", "GET", "/rooms/\(room)/state/m.room.name/").body == ["name": "A"])
        #expect(await fixture.ask("bob", "GET", "/rooms/\(room)/state/m.room.topic").status == 404)
        #expect(await put("bob", "m.room.name", #"{"name":"B"}"#).status == 403)
        #expect(await put("ann", "m.room.encryption", #"{"algorithm":"m.megolm.v1.aes-sha2"}"#).code == "M_FORBIDDEN")
        #expect(await put("ann", "m.room.create", "{}").status == 403)
        #expect(await put("ann", "org.words.x/@bob:ex.org", "{}").status == 403)
        #expect(await put("ann", "m.room.canonical_alias", ##"{"alias":"#no:ex.org"}"##).code == "M_BAD_ALIAS")
        #expect(await put("ann", "m.room.canonical_alias", ##"{"alt_aliases":["#no:ex.org"]}"##).code == "M_BAD_ALIAS")
        #expect(await put("ann", "m.room.member/@cy:ex.org", #"{"membership":"invite"}"#).status == 200)
        #expect(await put("bob", "m.room.member/@ann:ex.org", #"{"membership":"leave"}"#).status == 403)
        #expect(
            await put("bob", "m.room.member/@bob:ex.org", #"{"membership":"join","displayname":"B."}"#).status == 200)
        let members = await fixture.ask("ann", "GET", "/rooms/\(room)/joined_members").body["joined"]
        #expect(members == ["@ann:ex.org": ["display_name": "Ann"], "@bob:ex.org": ["display_name": "B."]])
        #expect(
            await fixture.ask("ann", "GET", "/rooms/\(room)/members?membership=invite").body["chunk"]?.array?.count == 1
        )
        #expect(
            await fixture.ask("ann", "GET", "/rooms/\(room)/members?not_membership=join&at=s1").body["chunk"]?.array?
                .count == 1)
        #expect(await fixture.ask("ann", "GET", "/rooms/\(room)/state").body.array?.count == 9)
    }

    @Test("nobody gives themselves power")
    func power() async throws {
        let fixture = try await chat()
        let room = try await fixture.room("ann", ["bob"])
        let path = "/rooms/\(room)/state/m.room.power_levels"

        #expect(await fixture.ask("bob", "PUT", path, #"{"users":{"@bob:ex.org":100}}"#).status == 403)
        #expect(await fixture.ask("ann", "PUT", path, #"{"users":{"@ann:ex.org":100,"@bob:ex.org":50}}"#).status == 200)
        #expect(
            await fixture.ask("bob", "PUT", path, #"{"users":{"@ann:ex.org":100,"@bob:ex.org":100}}"#).status == 403)
        #expect(await fixture.ask("bob", "PUT", path, #"{"users":{"@bob:ex.org":50}}"#).status == 403)
        #expect(await fixture.ask("bob", "PUT", "/rooms/\(room)/state/m.room.name", #"{"name":"x"}"#).status == 200)
        #expect(
            await fixture.ask("ann", "PUT", path, #"{"users":{"@ann:ex.org":100},"events_default":10}"#).status == 200)
        #expect(await fixture.ask("bob", "PUT", "/rooms/\(room)/send/m.room.message/t", "{}").status == 403)
    }

    @Test("pages neither overlap nor skip, in both directions, and the last has no end")
    func pages() async throws {
        let fixture = try await chat()
        let room = try await fixture.room("ann")
        for number in 1...17 {
            try await fixture.say("ann", room, "\(number)")
            if number % 3 == 0 { _ = try await fixture.room("bob") }
        }
        func walk(_ direction: String, filter: String = "") async -> [String] {
            var (all, from, pages) = ([String](), "", 0)
            repeat {
                let page = await fixture.ask(
                    "ann", "GET", "/rooms/\(room)/messages?dir=\(direction)&limit=4&from=\(from)\(filter)")
                all +=
                    page.body["chunk"]?.array?.compactMap { $0["content"]?["body"]?.string ?? $0["type"]?.string } ?? []
                from = page.body["end"]?.string ?? ""
                pages += 1
            } while !from.isEmpty && pages < 20
            return all
        }

        let backward = await walk("b")
        let forward = await walk("f")
        let messages = await walk("b", filter: #"&filter={"types":["m.room.message"]}"#)

        #expect(Array(backward.prefix(17)) == (1...17).reversed().map(String.init))
        #expect(backward.count == 23)
        #expect(forward == backward.reversed())
        #expect(messages == (1...17).reversed().map(String.init))
        let end = await fixture.sync("ann").next
        #expect(
            await fixture.ask("ann", "GET", "/rooms/\(room)/messages?dir=b&from=\(end)&to=\(end)").body["chunk"] == [])
        #expect(await fixture.ask("ann", "GET", "/rooms/\(room)/messages?dir=x").code == "M_INVALID_PARAM")
        #expect(await fixture.ask("ann", "GET", "/rooms/\(room)/messages").code == "M_MISSING_PARAM")
        #expect(await fixture.ask("ann", "GET", "/rooms/\(room)/messages?dir=b&from=odd").code == "M_UNKNOWN")
    }

    @Test("whoever has left sees history up to the leave")
    func historyAfterLeaving() async throws {
        let fixture = try await chat()
        let room = try await fixture.room("ann", ["bob"])
        try await fixture.say("ann", room, "before")
        await fixture.ask("bob", "POST", "/rooms/\(room)/leave", #"{"reason":"tired"}"#)
        let hidden = try await fixture.say("ann", room, "after")
        await fixture.ask("ann", "PUT", "/rooms/\(room)/state/m.room.name", #"{"name":"later"}"#)

        #expect(
            await fixture.ask("bob", "GET", "/rooms/\(room)/messages?dir=b&limit=100").body["chunk"].bodies == [
                "before"
            ])
        #expect(await fixture.ask("bob", "GET", "/rooms/\(room)/event/\(hidden)").status == 404)
        #expect(await fixture.ask("bob", "GET", "/rooms/\(room)/state/m.room.name").status == 404)
        #expect(
            await fixture.ask("bob", "GET", "/rooms/\(room)/messages?dir=f&limit=100").body["chunk"].bodies == [
                "before"
            ])
    }

    @Test("history that is for those present begins with one's coming")
    func visibility() async throws {
        let fixture = try await chat()
        let room = try await fixture.room("ann")
        await fixture.ask(
            "ann", "PUT", "/rooms/\(room)/state/m.room.history_visibility", #"{"history_visibility":"joined"}"#)
        let hidden = try await fixture.say("ann", room, "secret")
        await fixture.ask("bob", "POST", "/join/\(room)")
        try await fixture.say("ann", room, "open")

        #expect(await fixture.sync("bob").texts(room) == ["open"])
        #expect(
            await fixture.ask("bob", "GET", "/rooms/\(room)/messages?dir=b&limit=100").body["chunk"].bodies == ["open"])
        #expect(await fixture.ask("bob", "GET", "/rooms/\(room)/event/\(hidden)").status == 404)
        #expect(await fixture.ask("ann", "GET", "/rooms/\(room)/event/\(hidden)").status == 200)
    }

    @Test("the context of an event is what stands around it")
    func context() async throws {
        let fixture = try await chat()
        let room = try await fixture.room("ann", ["bob"])
        var ids: [String] = []
        for number in 1...7 { ids.append(try await fixture.say("ann", room, "\(number)")) }

        let context = await fixture.ask("ann", "GET", "/rooms/\(room)/context/\(ids[3])?limit=4").body

        #expect(context["event"]?["content"]?["body"] == "4")
        #expect(context["events_before"].bodies == ["3", "2"])
        #expect(context["events_after"].bodies == ["5", "6"])
        #expect(context["state"]?.array?.count == 7)
        let filter = "%7B%22lazy_load_members%22:true%7D"
        let lazy = await fixture.ask("ann", "GET", "/rooms/\(room)/context/\(ids[3])?limit=4&filter=\(filter)").body
        #expect(lazy["state"].members == ["@ann:ex.org"])
        let (start, end) = (context["start"]?.string ?? "", context["end"]?.string ?? "")
        #expect(
            await fixture.ask("ann", "GET", "/rooms/\(room)/messages?dir=b&from=\(start)&limit=1").body["chunk"].bodies
                == ["1"])
        #expect(
            await fixture.ask("ann", "GET", "/rooms/\(room)/messages?dir=f&from=\(end)&limit=5").body["chunk"].bodies
                == ["7"])
    }
}
