import Models
import Testing

@testable import Server

@Suite("People")
struct PeopleIntegrationTests {
    private func chat() async throws -> (ChatFixture, String) {
        let fixture = try ChatFixture()
        try await fixture.addPeople("ann", "bob", "cy")
        return (fixture, try await fixture.room("ann", ["bob"]))
    }

    private func presence(_ fixture: ChatFixture, _ user: String, for viewer: String) async -> JSONValue {
        await fixture.ask(viewer, "GET", "/presence/@\(user):ex.org/status").body
    }

    @Test("typing lists all who type, and empties by itself")
    func typing() async throws {
        let (fixture, room) = try await chat()
        await fixture.ask("cy", "POST", "/join/\(room)")
        var last = await fixture.sync("cy")

        await fixture.ask("ann", "PUT", "/rooms/\(room)/typing/@ann:ex.org", #"{"typing":true,"timeout":5000}"#)
        await fixture.ask("bob", "PUT", "/rooms/\(room)/typing/@bob:ex.org", #"{"typing":true,"timeout":20000}"#)
        last = await fixture.sync("cy", "since=\(last.next)")
        #expect(last.typing(room) == ["@ann:ex.org", "@bob:ex.org"])

        await fixture.advance(by: .seconds(5))
        last = await fixture.sync("cy", "since=\(last.next)")
        #expect(last.typing(room) == ["@bob:ex.org"])

        await fixture.advance(by: .seconds(15))
        last = await fixture.sync("cy", "since=\(last.next)")
        #expect(last.typing(room) == [])
    }

    @Test("typing ends with the message, with leaving, and when one says so")
    func typingEnds() async throws {
        let (fixture, room) = try await chat()
        func start() async -> Synced {
            await fixture.ask("bob", "PUT", "/rooms/\(room)/typing/@bob:ex.org", #"{"typing":true}"#)
            let sync = await fixture.sync("ann")
            #expect(sync.typing(room) == ["@bob:ex.org"])
            return sync
        }

        var last = await start()
        try await fixture.say("bob", room, "done")
        #expect(await fixture.sync("ann", "since=\(last.next)").typing(room) == [])

        last = await start()
        await fixture.ask("bob", "PUT", "/rooms/\(room)/typing/@bob:ex.org", #"{"typing":false}"#)
        #expect(await fixture.sync("ann", "since=\(last.next)").typing(room) == [])

        last = await start()
        await fixture.ask("bob", "POST", "/rooms/\(room)/leave")
        #expect(await fixture.sync("ann", "since=\(last.next)").typing(room) == [])
    }

    @Test("nobody types for others or where they are not")
    func typingRefused() async throws {
        let (fixture, room) = try await chat()

        #expect(await fixture.ask("bob", "PUT", "/rooms/\(room)/typing/@ann:ex.org", #"{"typing":true}"#).status == 403)
        #expect(await fixture.ask("cy", "PUT", "/rooms/\(room)/typing/@cy:ex.org", #"{"typing":true}"#).status == 403)
    }

    @Test("a receipt is told to all, a private one to oneself, and neither goes back")
    func receipts() async throws {
        let (fixture, room) = try await chat()
        let first = try await fixture.say("ann", room, "1")
        let second = try await fixture.say("ann", room, "2")
        let start = (await fixture.sync("ann"), await fixture.sync("bob"))

        await fixture.ask("bob", "POST", "/rooms/\(room)/receipt/m.read/\(second)", "{}")
        await fixture.ask("bob", "POST", "/rooms/\(room)/receipt/m.read/\(first)", "{}")
        await fixture.ask("bob", "POST", "/rooms/\(room)/receipt/m.read.private/\(first)", "{}")

        let ann = await fixture.sync("ann", "since=\(start.0.next)").receipts(room)
        #expect(ann?[second]?["m.read"]?["@bob:ex.org"]?["ts"]?.integer == fixture.clock.now.milliseconds)
        #expect(ann?[first] == nil)
        let bob = await fixture.sync("bob", "since=\(start.1.next)").receipts(room)
        #expect(bob?[first]?["m.read.private"]?["@bob:ex.org"] != nil)
        #expect(await fixture.ask("bob", "POST", "/rooms/\(room)/receipt/m.read/$none", "{}").status == 404)
        #expect(await fixture.ask("bob", "POST", "/rooms/\(room)/receipt/m.odd/\(first)", "{}").status == 400)
    }

    @Test("the fully-read marker is room account data and does not go back")
    func fullyRead() async throws {
        let (fixture, room) = try await chat()
        let first = try await fixture.say("ann", room, "1")
        let second = try await fixture.say("ann", room, "2")
        let start = await fixture.sync("bob")

        await fixture.ask(
            "bob", "POST", "/rooms/\(room)/read_markers", #"{"m.fully_read":"\#(second)","m.read":"\#(second)"}"#)
        await fixture.ask("bob", "POST", "/rooms/\(room)/read_markers", #"{"m.fully_read":"\#(first)"}"#)

        let data = await fixture.sync("bob", "since=\(start.next)").joined(room)?["account_data"]?["events"]
        #expect(data.types == ["m.fully_read"])
        #expect(data?.array?.first?["content"]?["event_id"]?.string == second)
    }

    @Test("somebody is online while syncing, idle after five minutes, gone half a minute after the last sync")
    func presence() async throws {
        let (fixture, _) = try await chat()
        #expect(await presence(fixture, "bob", for: "ann")["presence"] == "offline")

        let first = await fixture.sync("bob")
        #expect(
            await presence(fixture, "bob", for: "ann") == [
                "presence": "online", "currently_active": true, "last_active_ago": 0,
            ])

        let poll = fixture.poll("bob", "since=\(first.next)&timeout=3600000")
        await fixture.advance(by: .seconds(29))
        #expect(await presence(fixture, "bob", for: "ann")["presence"] == "online")
        await fixture.advance(by: .seconds(1))
        _ = await poll.value
        await fixture.advance(by: .seconds(30))
        #expect(await presence(fixture, "bob", for: "ann")["presence"] == "offline")
        #expect(await presence(fixture, "bob", for: "ann")["last_active_ago"] == 60_000)
    }

    @Test("presence is told to those who share a room, and to nobody else")
    func presenceNews() async throws {
        let (fixture, _) = try await chat()
        let (ann, cy) = (await fixture.sync("ann"), await fixture.sync("cy"))

        await fixture.ask("bob", "PUT", "/presence/@bob:ex.org/status", #"{"presence":"online","status_msg":"here"}"#)

        #expect(await fixture.sync("ann", "since=\(ann.next)").presence("@bob:ex.org")?["status_msg"] == "here")
        #expect(await fixture.sync("cy", "since=\(cy.next)").presence("@bob:ex.org") == nil)
        #expect(await fixture.ask("cy", "GET", "/presence/@bob:ex.org/status").status == 403)
        #expect(
            await fixture.ask("ann", "PUT", "/presence/@bob:ex.org/status", #"{"presence":"online"}"#).status == 403)
    }

    @Test("a status message that would flood everybody is refused")
    func longStatus() async throws {
        let (fixture, _) = try await chat()
        func set(_ length: Int) async -> Int {
            let message = String(repeating: "x", count: length)
            return await fixture.ask(
                "bob", "PUT", "/presence/@bob:ex.org/status", #"{"presence":"online","status_msg":"\#(message)"}"#
            ).status
        }

        #expect(await set(1_024) == 200)
        #expect(await set(1_025) == 400)
    }

    @Test("whoever comes into a room learns who is there, and those there learn of them")
    func presenceOfNewPeers() async throws {
        let (fixture, room) = try await chat()
        let (ann, cy) = (await fixture.sync("ann"), await fixture.sync("cy"))

        await fixture.ask("cy", "POST", "/join/\(room)")

        #expect(await fixture.sync("ann", "since=\(ann.next)").presence("@cy:ex.org")?["presence"] == "online")
        #expect(await fixture.sync("cy", "since=\(cy.next)").presence("@ann:ex.org")?["presence"] == "online")
    }

    @Test("syncing with set_presence=offline does not show")
    func hidden() async throws {
        let (fixture, _) = try await chat()

        _ = await fixture.sync("bob", "set_presence=offline")

        #expect(await presence(fixture, "bob", for: "ann")["presence"] == "offline")
    }

    @Test("when somebody was last there outlives the server")
    func presenceRestart() async throws {
        let (fixture, _) = try await chat()
        _ = await fixture.sync("bob")
        await fixture.activity.idle()
        await fixture.close()

        let reopened = try ChatFixture(folder: fixture.folder, clock: fixture.clock)
        await reopened.advance(by: .seconds(90))

        #expect(await presence(reopened, "bob", for: "ann") == ["presence": "offline", "last_active_ago": 90_000])
    }

    @Test("a new name is told in every room, and with presence")
    func rename() async throws {
        let (fixture, room) = try await chat()
        let other = try await fixture.room("bob", ["ann"])
        _ = await fixture.sync("bob")
        let start = await fixture.sync("ann")

        #expect(
            await fixture.ask("bob", "PUT", "/profile/@bob:ex.org/displayname", #"{"displayname":"Robert"}"#).status
                == 200)

        let sync = await fixture.sync("ann", "since=\(start.next)")
        for id in [room, other] {
            let event = sync.joined(id)?["timeline"]?["events"]?.array?.last
            #expect(event?["content"]?["displayname"] == "Robert")
            #expect(event?["unsigned"]?["prev_content"]?["displayname"] == "Bob")
        }
        #expect(sync.presence("@bob:ex.org") != nil)
        #expect(await fixture.ask(nil, "GET", "/profile/@bob:ex.org").body == ["displayname": "Robert"])
        #expect(
            await fixture.ask("ann", "PUT", "/profile/@bob:ex.org/displayname", #"{"displayname":"X"}"#).status == 403)
        #expect(await fixture.ask(nil, "GET", "/profile/@nobody:ex.org").status == 404)
        #expect(await fixture.ask(nil, "GET", "/profile/@bob:other.org").status == 404)
    }

    @Test("people are found by id and name, whatever the case")
    func search() async throws {
        let (fixture, _) = try await chat()

        let found = await fixture.ask("ann", "POST", "/user_directory/search", #"{"search_term":"BO"}"#).body
        let many = await fixture.ask("ann", "POST", "/user_directory/search", #"{"search_term":"ex.org","limit":1}"#)
            .body

        #expect(found == ["limited": false, "results": [["display_name": "Bob", "user_id": "@bob:ex.org"]]])
        #expect(many["limited"] == true)
        #expect(many["results"]?.array?.count == 1)
    }

    @Test("account data are one's own, come in sync, and some types are not for setting")
    func accountData() async throws {
        let (fixture, room) = try await chat()
        let start = await fixture.sync("bob")
        let path = "/user/@bob:ex.org/account_data/m.direct"
        #expect(await fixture.ask("bob", "GET", path).status == 404)

        #expect(await fixture.ask("bob", "PUT", path, #"{"@ann:ex.org":["\#(room)"]}"#).status == 200)

        #expect(await fixture.ask("bob", "GET", path).body == ["@ann:ex.org": [.string(room)]])
        #expect(await fixture.ask("ann", "GET", path).status == 403)
        #expect(await fixture.ask("ann", "PUT", path, "{}").status == 403)
        let sync = await fixture.sync("bob", "since=\(start.next)")
        #expect((sync.answer.body["account_data"]?["events"]).types == ["m.direct"])
        for type in ["m.fully_read", "m.push_rules"] {
            let answer = await fixture.ask("bob", "PUT", "/user/@bob:ex.org/account_data/\(type)", "{}")
            #expect(answer.status == 405)
            #expect(answer.code == "M_BAD_JSON")
        }
        #expect(await fixture.sync("bob").answer.body["account_data"]?["events"].types == ["m.push_rules", "m.direct"])
    }
}
