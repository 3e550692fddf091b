import Foundation
import Models
import Testing

@testable import Server

/// Whoever is not in a private room cannot tell it from one that does not exist, whatever they ask; but they are told
/// that its alias is taken, since an alias leads to one room.
@Suite("Hidden rooms")
struct HiddenRoomsIntegrationTests {
    enum Asker: String, CaseIterable, Sendable { case stranger, nobody }

    /// A room that the path of a request names, and everything that a request about it may have to say.
    private struct Room {
        var id: String
        var alias: String
        var event: String
    }

    private struct Route: Hashable {
        struct Part: Hashable {
            var text: String
            var isParameter: Bool
            /// Whether a room is named here, by its id or an alias.
            var namesRoom = false
        }

        var method: String
        var pattern: String
        var parts: [Part]

        init(method: String, pattern: String) {
            (self.method, self.pattern) = (method, pattern)
            parts = []
            for part in pattern.split(separator: "/") {
                let isParameter = part.hasPrefix("{")
                let text = isParameter ? String(part.dropFirst().dropLast()) : String(part)
                let name = text.lowercased()
                let namesRoom = name.contains("room") || name.contains("alias") || parts.last?.text == "rooms"
                parts.append(Part(text: text, isParameter: isParameter, namesRoom: isParameter && namesRoom))
            }
        }

        func takes(_ parameter: String) -> Bool { parts.contains { $0.isParameter && $0.text == parameter } }
    }

    private static let types = ["m.room.name", "m.room.member", "m.room.redaction"]
    private static let memberships = ["join", "invite", "leave", "ban", "knock"]

    @Test("no request tells a private room from one that does not exist", arguments: Asker.allCases)
    func everyRoute(asker: Asker) async throws {
        try await TestServer.run { server in
            let routes = Set(server.server.router.table.map { Route(method: $0.method, pattern: $0.pattern) })
                .filter { $0.parts.contains(where: \.namesRoom) }
            #expect(routes.count > 60)
            let people = try await People(server)
            for route in routes.sorted(by: { ($0.pattern, $0.method) < ($1.pattern, $1.method) }) {
                try await compare(route, asker, people)
            }
        }
    }

    @Test("no filter, and no body of a request about something else, tells a private room from one that does not exist")
    func named() async throws {
        try await TestServer.run { server in
            let people = try await People(server)
            let hidden = try await people.privateRoom()
            let absent = Room(id: people.absentID(like: hidden.id), alias: people.nextAlias(), event: hidden.event)
            func answers(_ room: Room) async throws -> [String] {
                let filter =
                    #"{"room":{"rooms":["\#(room.id)"],"include_leave":true,"timeline":{"rooms":["\#(room.id)"]}}}"#
                let encoded = People.encoded(filter)
                let body: JSONValue = [
                    "room_id": .string(room.id), "filter": ["generic_search_term": .string(room.alias)],
                ]
                let requests = [
                    ("GET", "/sync?filter=\(encoded)&full_state=true"), ("PUT", "/directory/room/%23mine:localhost"),
                    ("POST", "/publicRooms"), ("GET", "/publicRooms"), ("GET", "/joined_rooms"),
                ]
                var answers: [String] = []
                for (method, path) in requests {
                    let answer = try await server.client.send(
                        method, TestServer.matrix + path, method == "GET" ? nil : body, token: people.cy.token)
                    let text = String(decoding: answer.body, as: UTF8.self)
                    #expect(!text.contains(room.id) && !text.contains(room.alias))
                    let position = answer.json["next_batch"]?.string ?? ""
                    answers.append("\(answer.status) \(position.isEmpty ? text : text.replacing(position, with: ""))")
                }
                return answers
            }

            let there = try await answers(hidden)
            let nowhere = try await answers(absent)

            #expect(there == nowhere)
            #expect(there.map { $0.prefix(3) } == ["200", "403", "200", "200", "200"])
        }
    }

    /// Asks for a private room and for none. The creator gets something else than a stranger, or the request is unfit to
    /// show anything.
    private func compare(_ route: Route, _ asker: Asker, _ people: People) async throws {
        let hidden = try await people.privateRoom()
        let absent = Room(id: people.absentID(like: hidden.id), alias: people.nextAlias(), event: hidden.event)
        let who = asker == .stranger ? people.cy : nil
        var saysSomething = false
        for variant in Self.variants(of: route) {
            let there = try await people.ask(route, variant, about: hidden, as: who)
            let nowhere = try await people.ask(route, variant, about: absent, as: who)
            #expect(there == nowhere, "\(route.method) \(route.pattern) \(variant)")
            guard who != nil else { continue }
            let own = try await people.ask(route, variant, about: hidden, as: people.ann)
            saysSomething = saysSomething || own != there
        }
        #expect(
            saysSomething || who == nil,
            "\(route.method) \(route.pattern) refuses the creator too: this test lacks what it needs to be told")
    }

    /// What stands in the other parts of the path and in the body.
    private static func variants(of route: Route) -> [Variant] {
        let names = route.takes("alias") ? [true] : [false, true]
        let types = route.takes("type") ? types : [""]
        let hasMembership = route.pattern.contains("state") || route.pattern.contains("invite")
        let memberships = hasMembership && route.method != "GET" ? memberships : ["join"]
        let targets = route.method == "GET" ? [Target.oneself] : Target.allCases
        return names.flatMap { isAlias in
            types.flatMap { type in
                memberships.flatMap { membership in
                    targets.map { Variant(isAlias: isAlias, type: type, membership: membership, target: $0) }
                }
            }
        }
    }

    enum Target: CaseIterable { case oneself, member, missing }

    private struct Variant {
        var isAlias: Bool
        var type: String
        var membership: String
        var target: Target
    }
}

extension HiddenRoomsIntegrationTests {
    /// Ann, who makes private rooms; Bob, who is in them; Cy, who is not.
    private final class People {
        struct Person {
            var id: String
            var token: String
        }

        let server: TestServer
        let ann: Person
        let bob: Person
        let cy: Person
        private var count = 0

        init(_ server: TestServer) async throws {
            self.server = server
            func person(_ name: String) async throws -> Person {
                let person = try await server.person(name)
                return Person(id: person.chatID, token: try await server.chatToken(person))
            }
            (ann, bob, cy) = (try await person("Ann"), try await person("Bob"), try await person("Cy"))
        }

        func nextAlias() -> String {
            count += 1
            return "#room-\(count):localhost"
        }

        /// An id of the same form.
        func absentID(like id: String) -> String {
            let local = id.dropFirst().prefix { $0 != ":" }
            return "!" + String(local.reversed()) + id.dropFirst(1 + local.count)
        }

        func privateRoom() async throws -> Room {
            let alias = nextAlias()
            let body: JSONValue = [
                "preset": "private_chat", "invite": [.string(bob.id)],
                "room_alias_name": .string(String(alias.dropFirst().prefix { $0 != ":" })),
            ]
            let id = try #require(try await send("POST", "/createRoom", body, ann).json["room_id"]?.string)
            expect(try await send("POST", "/join/\(Self.encoded(id))", [:], bob).status, 200)
            for type in HiddenRoomsIntegrationTests.types {
                _ = try await send(
                    "PUT", "/user/\(Self.encoded(ann.id))/rooms/\(Self.encoded(id))/account_data/\(type)", [:], ann)
            }
            let path = "/rooms/\(Self.encoded(id))/send/m.room.message/\(count)"
            let event = try await send("PUT", path, ["msgtype": "m.text", "body": "secret"], ann).json["event_id"]
            return Room(id: id, alias: alias, event: try #require(event?.string))
        }

        private func send(_ method: String, _ path: String, _ body: JSONValue, _ who: Person) async throws -> Answer {
            try await server.client.send(method, TestServer.matrix + path, body, token: who.token)
        }

        /// Status and body, in which the room goes by one name.
        func ask(_ route: Route, _ variant: Variant, about room: Room, as who: Person?) async throws -> String {
            count += 1
            let asker = who ?? cy
            let target =
                switch variant.target {
                case .oneself: asker.id
                case .member: bob.id
                case .missing: "@no:localhost"
                }
            let name = variant.isAlias ? room.alias : room.id
            let parts = route.parts.map { part in
                guard part.isParameter else { return part.text }
                return Self.encoded(
                    part.namesRoom ? name : value(of: part.text, variant, room, asker.id, target))
            }
            var body: JSONValue = [
                "user_id": .string(target), "membership": .string(variant.membership), "typing": true,
                "visibility": "private", "room_id": .string(room.id), "name": "Mine", "redacts": .string(room.event),
                "m.read": .string(room.event), "m.fully_read": .string(room.event),
            ]
            if route.method == "GET" { body = .null }
            let answer = try await server.client.send(
                route.method, "/" + parts.joined(separator: "/") + "?dir=b", body == .null ? nil : body,
                token: who?.token)
            let text = String(decoding: answer.body, as: UTF8.self)
            return "\(answer.status) \(text.replacing(room.id, with: "ROOM").replacing(room.alias, with: "ROOM"))"
        }

        private func value(
            of parameter: String, _ variant: Variant, _ room: Room, _ asker: String, _ target: String
        ) -> String {
            switch parameter {
            case "type": variant.type
            case "key": target
            case "eventId": room.event
            case "userId": asker
            case "kind": "m.read"
            default: "\(parameter)-\(count)"
            }
        }

        static func encoded(_ text: String) -> String {
            text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
        }
    }
}
