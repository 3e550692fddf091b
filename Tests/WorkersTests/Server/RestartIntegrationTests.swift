import Foundation
import Models
import Server
import Testing

@testable import Workers

@Suite("A client that is started again, and the embedded server")
struct RestartIntegrationTests {
    private func resumed(_ house: House, _ name: String) async throws -> (Person, Session) {
        let person = await house.client(name, seed: 77)
        switch await person.users.resume() {
        case .valid(let session), .offline(let session, _): return (person, session)
        default: throw UsersError.noSession
        }
    }

    @Test("the answer to a send was lost and the app killed: after the restart the message is there once, for both")
    func lostAnswer() async throws {
        try await House.open { house in
            let network = SwitchedTransport(house.transport, house.activity)
            let anna = try await house.newcomer("anna", seed: 1, transport: network)
            let ben = try await house.newcomer("ben", seed: 2)
            let room = try await anna.users.addContact("ben@words.test").room.id
            await house.settle()
            network.dropAnswers(of: .send, count: 1)
            let sending = Task { try await anna.chat.send("once", to: room) }
            try await sending.value
            network.setUp(false)
            try await anna.chat.send("twice", to: room)
            await house.settle()

            let (again, session) = try await resumed(house, "anna")
            await again.chat.connect(session)
            await house.settle()
            await again.chat.open(room)

            #expect(await again.bodies(room) == ["once", "twice"])
            #expect(await again.outgoing(room) == [])
            #expect(await ben.bodies(room) == ["once", "twice"])
        }
    }

    @Test("started while the server is down: contacts and conversations are there; what is sent waits, and goes out")
    func serverDown() async throws {
        try await House.open { house in
            let anna = try await house.newcomer("anna", seed: 1)
            let ben = try await house.newcomer("ben", seed: 2)
            let room = try await anna.users.addContact("ben@words.test").room.id
            try await ben.chat.send("hello", to: room)
            await house.settle()
            _ = try await anna.users.contacts()
            await house.settle()
            await anna.chat.disconnect()
            await house.stopServer()

            let (again, session) = try await resumed(house, "anna")
            let cached = await again.users.cachedContacts()
            await again.chat.connect(session)
            await again.chat.open(room)
            let offline = await again.bodies(room)
            try await again.chat.send("later", to: room)
            let waiting = await again.outgoing(room)
            try await house.startServer()
            await house.advance(.seconds(120))

            #expect(cached?.map(\.user.name) == ["ben"])
            #expect(cached?.map(\.room.id) == [room])
            #expect(offline == ["hello"])
            #expect(waiting == [.waiting])
            #expect(await again.bodies(room) == ["hello", "later"])
            #expect(await again.outgoing(room) == [])
            #expect(await ben.bodies(room) == ["hello", "later"])
        }
    }

    @Test("logging out leaves nothing of the conversation on this machine")
    func logout() async throws {
        try await House.open { house in
            let anna = try await house.newcomer("anna", seed: 1)
            let ben = try await house.newcomer("ben", seed: 2)
            let room = try await anna.users.addContact("ben@words.test").room.id
            try await ben.chat.send("a secret of ours", to: room)
            await house.settle()
            let folder = house.folder.url.appendingPathComponent("anna/store").path
            let before = try FileManager.default.contentsOfDirectory(atPath: folder)

            await anna.chat.disconnect()
            let outcome = await anna.users.logout()

            #expect(!before.isEmpty)
            #expect(outcome == .complete)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
            #expect(await anna.users.cachedContacts() == nil)
        }
    }
}
