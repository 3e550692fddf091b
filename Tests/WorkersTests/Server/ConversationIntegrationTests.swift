import Foundation
import Models
import Server
import Testing

@testable import Workers

@Suite("Two clients and the embedded server")
struct ConversationIntegrationTests {
    /// Two people who share a room.
    private func acquaint(_ house: House) async throws -> (anna: Person, ben: Person, room: RoomID) {
        let anna = try await house.newcomer("anna", seed: 1)
        let ben = try await house.newcomer("ben", seed: 2)
        let contact = try await anna.users.addContact("ben@words.test")
        await house.settle()
        return (anna, ben, contact.room.id)
    }

    @Test("adding a contact gives both one room, and the other hears of it")
    func contacts() async throws {
        try await House.open { house in
            let (anna, ben, room) = try await acquaint(house)

            let annas = try await anna.users.contacts()
            let bens = try await ben.users.contacts()

            #expect(annas.map(\.user.name) == ["ben"])
            #expect(bens.map(\.user.name) == ["anna"])
            #expect(annas.map(\.room.id) == [room])
            #expect(bens.map(\.room.id) == [room])
            #expect(await ben.heard.changes[.contacts] == 1)
            #expect(await ben.state?.rooms[room]?.membership == .join)
        }
    }

    @Test("messages arrive in order, once, and the sender's outbox empties")
    func messages() async throws {
        try await House.open { house in
            let (anna, ben, room) = try await acquaint(house)

            for number in 1...10 {
                try await anna.chat.send("a\(number)", to: room)
                try await ben.chat.send("b\(number)", to: room)
            }
            await house.settle()

            let seen = await anna.bodies(room)
            #expect(seen.count == 20)
            #expect(Set(seen).count == 20)
            #expect(await ben.bodies(room) == seen)
            #expect(await anna.outgoing(room) == [])
            #expect(await ben.outgoing(room) == [])
        }
    }

    @Test("settled means that what was sent has been seen")
    func settled() async throws {
        try await House.open { house in
            let (anna, ben, room) = try await acquaint(house)

            for number in 1...30 {
                try await anna.chat.send("m\(number)", to: room)
                await house.settle()

                #expect(await ben.bodies(room).last == "m\(number)")
            }
        }
    }

    @Test("typing shows to the other and ends by itself")
    func typing() async throws {
        try await House.open { house in
            let (anna, ben, room) = try await acquaint(house)

            await ben.chat.typed(in: room)
            await house.settle()
            let during = await anna.state?.rooms[room]?.typing
            await house.advance(.seconds(6))

            #expect(during?.count == 1)
            #expect(await anna.state?.rooms[room]?.typing == [])
        }
    }

    @Test("unread counts come from the server and end with the receipt")
    func unread() async throws {
        try await House.open { house in
            let (anna, ben, room) = try await acquaint(house)
            try await anna.chat.send("one", to: room)
            try await anna.chat.send("two", to: room)
            await house.settle()
            let before = await ben.state?.rooms[room]?.unreadCount

            await ben.chat.markRead(room)
            await house.settle()

            #expect(before == 2)
            #expect(await ben.state?.rooms[room]?.unreadCount == 0)
        }
    }

    @Test("whoever disconnects is offline for the other at once")
    func presence() async throws {
        try await House.open { house in
            let (anna, ben, _) = try await acquaint(house)
            let benID = try #require(await ben.state?.ownID)
            let before = await anna.state?.presences[benID]?.state

            await ben.chat.disconnect()
            await house.settle()

            #expect(before == .online)
            #expect(await anna.state?.presences[benID]?.state == .offline)
        }
    }

    @Test("older pages give the whole history once and in order")
    func paging() async throws {
        try await House.open { house in
            let (anna, ben, room) = try await acquaint(house)
            for number in 1...70 { try await anna.chat.send("m\(number)", to: room) }
            await house.settle()
            let again = await house.client("ben on another machine", seed: 3)
            let session = try await again.users.login(identity: "ben@words.test", password: Secret("secret-ben"))
            await again.chat.connect(session)
            let first = await again.bodies(room)

            while try await again.chat.loadOlder(in: room) {}

            #expect(first == (51...70).map { "m\($0)" })
            #expect(await again.bodies(room) == (1...70).map { "m\($0)" })
            #expect(await ben.bodies(room) == (1...70).map { "m\($0)" })
        }
    }

    @Test("more than a batch holds, said while the other is offline, is there when they are back")
    func gap() async throws {
        try await House.open { house in
            let anna = try await house.newcomer("anna", seed: 1)
            let network = SwitchedTransport(house.transport, house.activity)
            let ben = try await house.newcomer("ben", seed: 2, transport: network)
            let room = try await anna.users.addContact("ben@words.test").room.id
            try await anna.chat.send("m0", to: room)
            await house.settle()
            network.setUp(false)
            await house.settle()

            for number in 1...50 { try await anna.chat.send("m\(number)", to: room) }
            try await ben.chat.send("from ben", to: room)
            await house.settle()
            let waiting = await ben.outgoing(room)
            network.setUp(true)
            await house.advance(.seconds(5))

            #expect(waiting == [.waiting])
            #expect(await ben.bodies(room) == (0...50).map { "m\($0)" } + ["from ben"])
            #expect(await anna.bodies(room) == (0...50).map { "m\($0)" } + ["from ben"])
            #expect(await ben.outgoing(room) == [])
        }
    }

    @Test("a send whose answer is lost is stored once")
    func lostAnswer() async throws {
        try await House.open { house in
            let network = SwitchedTransport(house.transport, house.activity)
            let anna = try await house.newcomer("anna", seed: 1, transport: network)
            let ben = try await house.newcomer("ben", seed: 2)
            let room = try await anna.users.addContact("ben@words.test").room.id
            await house.settle()

            network.dropAnswers(of: .send, count: 2)
            try await anna.chat.send("once", to: room)
            await house.advance(.seconds(10))

            #expect(await anna.bodies(room) == ["once"])
            #expect(await ben.bodies(room) == ["once"])
            #expect(await anna.outgoing(room) == [])
        }
    }

    @Test("removing a contact refuses the other's messages with a reason; adding again reuses the room")
    func removal() async throws {
        try await House.open { house in
            let (anna, ben, room) = try await acquaint(house)
            let benID = try #require(await ben.state?.ownID)

            try await anna.users.removeContact(benID)
            await house.settle()
            let afterRemoval = try await anna.users.contacts()
            try await ben.chat.send("still there?", to: room)
            await house.settle()
            let refused = await ben.outgoing(room)
            let again = try await anna.users.addContact("ben@words.test")

            #expect(afterRemoval.isEmpty)
            #expect(again.room.id == room)
            guard case .failed(.refused) = refused.first else {
                Issue.record("not refused: \(refused)")
                return
            }
        }
    }
}
