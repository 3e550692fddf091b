import Foundation
import Models
import Server
import Testing

@testable import Workers

@Suite("Soft logout and the embedded server")
struct SoftLogoutIntegrationTests {
    /// Anna has written to Ben: the server has the first message, and nobody has told her; the second waits behind it.
    private struct Unsent {
        let anna: Person
        let ben: Person
        let room: RoomID
        let device: DeviceID?
        let transport: SwitchedTransport

        init(_ house: House, _ kind: SessionKey.Kind) async throws {
            transport = SwitchedTransport(house.transport, house.activity)
            anna = try await house.newcomer("anna", seed: 1, transport: transport, kind: kind)
            ben = try await house.newcomer("ben", seed: 2, kind: kind)
            let id = try #require(await ben.client.person()?.chatID)
            room = try await anna.users.addContact(id.raw).room.id
            await house.settle()
            try await anna.chat.send("before", to: room)
            await house.settle()
            guard case .valid(let session) = await anna.users.resume() else { throw UsersError.noSession }
            device = session.userToken.deviceID
            transport.dropAnswers(of: .send, count: 1)
            transport.dropAnswers(of: .sync, count: 1)
            try await anna.chat.send("arrived", to: room)
            try await anna.chat.send("waiting", to: room)
            await house.settle()
        }
    }

    @Test(
        "what waits when a sign-in runs out is kept for its owner alone, and goes out once, in order, when they are back",
        arguments: [SessionKey.Kind.words, .matrix])
    func softLogout(_ kind: SessionKey.Kind) async throws {
        try await House.open { house in
            let unsent = try await Unsent(house, kind)
            let (anna, room) = (unsent.anna, unsent.room)

            try await house.expireTokens(of: anna)
            await house.advance(.seconds(60))
            let (waiting, changes) = (await anna.outgoing(room), await anna.heard.changes)
            await anna.chat.disconnect()
            let next = await house.client("anna", seed: 5, transport: unsent.transport, kind: kind)
            let resumed = await next.users.resume()
            let stranger = try await next.users.signup(
                name: "cy", email: House.identity("cy", kind), password: Secret("secret-cy"))
            await next.chat.connect(stranger)
            await house.settle()
            let strangers = await next.state?.rooms[room]
            await next.chat.disconnect()
            _ = await next.users.logout()
            let session = try await next.users.login(
                identity: House.identity("anna", kind), password: Secret("secret-anna"))
            await next.chat.connect(session)
            await house.advance(.seconds(60))

            #expect(waiting == [.waiting, .waiting])
            #expect(changes[.sessionExpired] == 1 && changes[.sessionEnded] == nil)
            #expect(resumed == .expired)
            #expect(strangers == nil)
            #expect(session.userToken.deviceID == unsent.device && unsent.device != nil)
            #expect(await unsent.ben.bodies(room) == ["before", "arrived", "waiting"])
            #expect(await next.bodies(room) == ["before", "arrived", "waiting"])
            #expect(await next.outgoing(room) == [])
            #expect(await next.state?.connection == .online)
        }
    }

    @Test(
        "what waits when the server ends the session is gone with it",
        arguments: [SessionKey.Kind.words, .matrix])
    func hardLogout(_ kind: SessionKey.Kind) async throws {
        try await House.open { house in
            let unsent = try await Unsent(house, kind)
            let (anna, room) = (unsent.anna, unsent.room)
            let elsewhere = await house.client("elsewhere", seed: 5, kind: kind)
            _ = try await elsewhere.users.login(
                identity: House.identity("anna", kind), password: Secret("secret-anna"))

            try await elsewhere.users.changePassword(current: Secret("secret-anna"), new: Secret("secret-two"))
            await house.advance(.seconds(60))
            let (failed, changes) = (await anna.outgoing(room), await anna.heard.changes)
            await anna.chat.disconnect()
            let next = await house.client("anna", seed: 6, kind: kind)
            let resumed = await next.users.resume()
            let session = try await next.users.login(
                identity: House.identity("anna", kind), password: Secret("secret-two"))
            await next.chat.connect(session)
            await house.advance(.seconds(60))

            #expect(failed == [.failed(.sessionEnded), .failed(.sessionEnded)])
            #expect(changes[.sessionEnded] == 1 && changes[.sessionExpired] == nil)
            #expect(resumed == .none)
            #expect(session.userToken.deviceID != unsent.device)
            #expect(await next.outgoing(room) == [])
            #expect(await unsent.ben.bodies(room) == ["before", "arrived"])
        }
    }
}
