import Foundation
import Models
import Server
import Testing

@testable import Workers

@Suite("Sessions and the embedded server")
struct SessionIntegrationTests {
    @Test("tokens that run out are renewed unseen: the conversation goes on for hours")
    func expiry() async throws {
        try await House.open { house in
            let anna = try await house.newcomer("anna", seed: 1)
            let ben = try await house.newcomer("ben", seed: 2)
            let room = try await anna.users.addContact("ben@words.test").room.id
            await house.settle()

            for hour in 1...4 {
                await house.advance(.seconds(3_700))
                try await anna.chat.send("hour \(hour)", to: room)
                await house.settle()
            }

            #expect(await ben.bodies(room) == (1...4).map { "hour \($0)" })
            #expect(await anna.heard.changes[.sessionEnded] == nil)
            #expect(await ben.heard.changes[.sessionEnded] == nil)
            #expect(try await ben.users.contacts().count == 1)
        }
    }

    @Test("a session resumes after the app was closed, without a password")
    func resume() async throws {
        try await House.open { house in
            let anna = try await house.newcomer("anna", seed: 1)
            await anna.chat.disconnect()
            let again = await house.client("anna", seed: 5)

            let outcome = await again.users.resume()

            guard case .valid(let session) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            await again.chat.connect(session)
            #expect(await again.state?.connection == .online)
        }
    }

    @Test("logging out ends the poll of the same session elsewhere, once")
    func logout() async throws {
        try await House.open { house in
            let anna = try await house.newcomer("anna", seed: 1)
            let twin = await house.client("anna", seed: 5)
            guard case .valid(let session) = await twin.users.resume() else {
                Issue.record("not resumed")
                return
            }
            await twin.chat.connect(session)
            await house.settle()

            await anna.chat.disconnect()
            let outcome = await anna.users.logout()
            await house.advance(.seconds(120))

            #expect(outcome == .complete)
            #expect(await twin.heard.changes[.sessionEnded] == 1)
            #expect(await twin.users.resume() == .none)
        }
    }

    @Test("a new password ends the other sessions and keeps this one")
    func password() async throws {
        try await House.open { house in
            let anna = try await house.newcomer("anna", seed: 1)
            let other = await house.client("elsewhere", seed: 5)
            let session = try await other.users.login(identity: "anna@words.test", password: Secret("secret-anna"))
            await other.chat.connect(session)
            await house.settle()

            try await anna.users.changePassword(current: Secret("secret-anna"), new: Secret("secret-two"))
            await house.settle()

            #expect(await other.heard.changes[.sessionEnded] == 1)
            #expect(await anna.heard.changes[.sessionEnded] == nil)
            #expect(await anna.state?.connection == .online)
            await #expect(throws: UsersError.unauthenticated) { try await other.users.contacts() }
        }
    }

    @Test("a server that restarts elsewhere is found again; what was said meanwhile goes out, nothing is doubled")
    func restart() async throws {
        try await House.open { house in
            let anna = try await house.newcomer("anna", seed: 1)
            let ben = try await house.newcomer("ben", seed: 2)
            let room = try await anna.users.addContact("ben@words.test").room.id
            try await anna.chat.send("before", to: room)
            await house.settle()

            await house.stopServer()
            await house.settle()
            let offline = await anna.state?.connection
            try await anna.chat.send("during", to: room)
            await house.settle()
            let waiting = await anna.outgoing(room)
            try await house.startServer()
            await house.advance(.seconds(10))
            try await ben.chat.send("after", to: room)
            await house.settle()

            guard case .offline = offline else {
                Issue.record("not offline: \(String(describing: offline))")
                return
            }
            #expect(waiting == [.waiting])
            #expect(await anna.bodies(room) == ["before", "during", "after"])
            #expect(await ben.bodies(room) == ["before", "during", "after"])
        }
    }

    @Test("what the server says against names, addresses and passwords arrives by field")
    func validation() async throws {
        try await House.open { house in
            let nobody = await house.client("nobody", seed: 1)
            _ = try await house.newcomer("anna", seed: 2)

            let short = await #expect(throws: UsersError.self) {
                try await nobody.users.signup(name: "", email: "nowhere", password: Secret("abc"))
            }
            let taken = await #expect(throws: UsersError.self) {
                try await nobody.users.signup(name: "A", email: "ANNA@words.test", password: Secret("secret-one"))
            }
            let wrong = await #expect(throws: UsersError.self) {
                try await nobody.users.login(identity: "anna@words.test", password: Secret("wrong-one"))
            }

            guard case .invalid(_, let fields) = short, case .invalid(_, let takenFields) = taken,
                case .wrongCredentials = wrong
            else {
                Issue.record("\(String(describing: short)) \(String(describing: taken)) \(String(describing: wrong))")
                return
            }
            #expect(Set(fields.keys) == ["name", "email", "password"])
            #expect(Set(takenFields.keys) == ["email"])
        }
    }
}
