import Models
import Testing

@testable import Server

@Suite("Sending")
struct SendIntegrationTests {
    private let text = #"{"msgtype":"m.text","body":"hi"}"#

    @Test("the same transaction again gives the same event and makes no second one")
    func again() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann")
        let room = try await fixture.room("ann")

        let first = try await fixture.say("ann", room, "once", transaction: "t1")
        let second = try await fixture.say("ann", room, "once", transaction: "t1")

        #expect(first == second)
        #expect(await fixture.sync("ann").texts(room) == ["once"])
    }

    @Test("twenty copies of one transaction at the same time make one event")
    func race() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann")
        let room = try await fixture.room("ann")

        let ids = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<20 {
                group.addTask { try? await fixture.say("ann", room, "once", transaction: "t1") }
            }
            return await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }

        #expect(ids.count == 1)
        #expect(ids.first ?? nil != nil)
        #expect(await fixture.sync("ann").texts(room) == ["once"])
    }

    @Test("a transaction outlives the server, and the server's own state comes back")
    func restart() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann", "bob")
        let room = try await fixture.room("ann", ["bob"])
        let first = try await fixture.say("ann", room, "once", transaction: "t1")
        let known = await fixture.sync("bob")
        await fixture.close()

        let reopened = try ChatFixture(folder: fixture.folder, clock: fixture.clock)
        let second = try await reopened.say("ann", room, "once", transaction: "t1")
        try await reopened.say("ann", room, "twice", transaction: "t2")
        let sync = await reopened.sync("bob", "since=\(known.next)")

        #expect(first == second)
        #expect(sync.texts(room) == ["twice"])
    }

    @Test("another device, type or room is another transaction")
    func scopes() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann")
        let room = try await fixture.room("ann")
        let other = try await fixture.room("ann")
        let path = "/rooms/\(room)/send/m.room.message/t1"

        let answers = [
            await fixture.ask("ann/phone", "PUT", path, text), await fixture.ask("ann/laptop", "PUT", path, text),
            await fixture.ask("ann/phone", "PUT", "/rooms/\(room)/send/org.words.note/t1", text),
            await fixture.ask("ann/phone", "PUT", "/rooms/\(other)/send/m.room.message/t1", text),
            await fixture.ask("ann/phone", "PUT", path, text),
        ]

        let ids = answers.compactMap { $0.body["event_id"]?.string }
        #expect(ids.count == 5)
        #expect(Set(ids).count == 4)
        #expect(ids.first == ids.last)
    }

    @Test("the transaction id is told to the sending device alone")
    func echo() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann", "bob")
        let room = try await fixture.room("ann", ["bob"])
        await fixture.ask("ann/phone", "PUT", "/rooms/\(room)/send/m.room.message/t1", text)

        func transaction(_ token: String) async -> JSONValue? {
            await fixture.sync(token).joined(room)?["timeline"]?["events"]?.array?.last?["unsigned"]?["transaction_id"]
        }

        #expect(await transaction("ann/phone") == "t1")
        #expect(await transaction("ann/laptop") == nil)
        #expect(await transaction("bob") == nil)
    }

    @Test("an event id is a dollar sign and 43 url-safe characters")
    func eventID() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann")
        let room = try await fixture.room("ann")

        let id = try await fixture.say("ann", room, "hi")

        #expect(id.wholeMatch(of: #/\$[A-Za-z0-9_-]{43}/#) != nil)
    }

    @Test("somebody outside gets the same answer whether the room exists or not")
    func outsider() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann", "eve")
        let room = try await fixture.room("ann", [], "{}")
        let event = try await fixture.say("ann", room, "secret")
        let requests: [(String, String, String?)] = [
            ("PUT", "/rooms/ROOM/send/m.room.message/t1", text), ("GET", "/rooms/ROOM/messages?dir=b", nil),
            ("GET", "/rooms/ROOM/state", nil), ("GET", "/rooms/ROOM/state/m.room.name/", nil),
            ("GET", "/rooms/ROOM/members", nil), ("GET", "/rooms/ROOM/joined_members", nil),
            ("GET", "/rooms/ROOM/event/\(event)", nil), ("GET", "/rooms/ROOM/context/\(event)", nil),
            ("POST", "/rooms/ROOM/join", nil), ("POST", "/join/ROOM", "{}"), ("POST", "/rooms/ROOM/leave", nil),
            ("POST", "/rooms/ROOM/forget", nil), ("POST", "/rooms/ROOM/invite", #"{"user_id":"@eve:ex.org"}"#),
            ("POST", "/rooms/ROOM/kick", #"{"user_id":"@ann:ex.org"}"#),
            ("POST", "/rooms/ROOM/ban", #"{"user_id":"@ann:ex.org"}"#),
            ("PUT", "/rooms/ROOM/typing/@eve:ex.org", #"{"typing":true}"#),
            ("POST", "/rooms/ROOM/receipt/m.read/\(event)", "{}"),
            ("POST", "/rooms/ROOM/read_markers", #"{"m.read":"\#(event)"}"#),
            ("PUT", "/rooms/ROOM/redact/\(event)/t2", "{}"), ("PUT", "/rooms/ROOM/state/m.room.name", #"{"name":"x"}"#),
            ("GET", "/directory/list/room/ROOM", nil), ("GET", "/rooms/ROOM/aliases", nil),
            ("PUT", "/directory/room/%23eve:ex.org", #"{"room_id":"ROOM"}"#),
            ("PUT", "/user/@eve:ex.org/rooms/ROOM/account_data/m.tag", "{}"),
        ]

        for (method, path, body) in requests {
            func answer(_ room: String) async -> ChatFixture.Answer {
                await fixture.ask(
                    "eve", method, path.replacing("ROOM", with: room), body?.replacing("ROOM", with: room))
            }
            let (real, none) = (await answer(room), await answer("!nowhere:ex.org"))
            #expect(real.status == none.status, "\(method) \(path)")
            #expect(real.body == none.body, "\(method) \(path)")
            #expect(real.status == 403 || real.status == 404, "\(method) \(path)")
        }
    }

    @Test(
        "what is no proper content is refused with the reason",
        arguments: [
            ("", 400, "M_NOT_JSON"), ("{", 400, "M_NOT_JSON"), ("[]", 400, "M_BAD_JSON"), ("3", 400, "M_BAD_JSON"),
            (#"{"a":1.5}"#, 400, "M_BAD_JSON"), (#"{"a":9007199254740992}"#, 400, "M_BAD_JSON"),
            (#"{"a":"\ud800"}"#, 400, "M_NOT_JSON"), (#"{"a":01}"#, 400, "M_NOT_JSON"),
            ("{\"a\":\"\u{1}\"}", 400, "M_NOT_JSON"), (#"{"a":tru}"#, 400, "M_NOT_JSON"),
            (#"{"a":1}x"#, 400, "M_NOT_JSON"),
            (
                #"{"a":"# + String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000) + "}", 400,
                "M_BAD_JSON"
            ),
            (#"{"body":""# + String(repeating: "x", count: 65_536) + #""}"#, 413, "M_TOO_LARGE"),
        ])
    func malformed(content: String, status: Int, code: String) async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann")
        let room = try await fixture.room("ann")

        let answer = await fixture.ask("ann", "PUT", "/rooms/\(room)/send/m.room.message/t1", content)

        #expect(answer.status == status)
        #expect(answer.code == code)
    }

    @Test("content comes back byte for byte")
    func raw() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann")
        let room = try await fixture.room("ann")
        let content = #"{ "b" : [1, -2,true ,null], "a":"\u00e9\/😀\ud83d\ude00","b":0 }"#

        await fixture.ask("ann", "PUT", "/rooms/\(room)/send/org.words.note/t1", content)

        let sync = await fixture.sync("ann")
        #expect(String(decoding: sync.answer.bytes, as: UTF8.self).contains(content))
    }

    @Test("a redaction takes the content away for good and says why")
    func redaction() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann", "bob")
        let room = try await fixture.room("ann", ["bob"])
        let event = try await fixture.say("bob", room, "oops")
        let before = await fixture.sync("ann")

        let refused = await fixture.ask("bob", "PUT", "/rooms/\(room)/redact/$nothing/t7", "{}")
        let answer = await fixture.ask("ann", "PUT", "/rooms/\(room)/redact/\(event)/t8", #"{"reason":"spam"}"#)
        let again = await fixture.ask("ann", "PUT", "/rooms/\(room)/redact/\(event)/t8", #"{"reason":"spam"}"#)

        #expect(refused.code == "M_NOT_FOUND")
        #expect(answer.body["event_id"] == again.body["event_id"])
        let target = await fixture.ask("bob", "GET", "/rooms/\(room)/event/\(event)").body
        #expect(target["content"] == [:])
        #expect(target["unsigned"]?["redacted_because"]?["content"]?["reason"] == "spam")
        let told = await fixture.sync("ann", "since=\(before.next)").joined(room)?["timeline"]?["events"]?.array?.last
        #expect(told?["redacts"]?.string == event)
        #expect(told?["content"]?["redacts"]?.string == event)
        #expect(await fixture.sync("ann").texts(room) == [])
        #expect(await fixture.sync("ann").unread(room) == 0)
    }

    @Test("only the powerful may take back what others said")
    func redactionPower() async throws {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann", "bob")
        let room = try await fixture.room("ann", ["bob"])
        let event = try await fixture.say("ann", room, "mine")

        #expect(await fixture.ask("bob", "PUT", "/rooms/\(room)/redact/\(event)/t1", "{}").status == 403)
    }
}
