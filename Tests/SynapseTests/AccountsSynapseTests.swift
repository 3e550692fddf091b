import Foundation
import Models
import Testing

@testable import Workers

/// Accounts and sessions of a homeserver that is none of ours.
@Suite("Accounts on Synapse", .enabled(if: Synapse.isThere))
struct AccountsSynapseTests {
    @Test("an account is made, signed in to by name and by id, resumed without a login, and signed out of for good")
    func account() async throws {
        let alice = try await Person.newcomer("Alice")
        let id = try await alice.id

        let resumed = await (try alice.again()).users.resume()
        let byID = try Person.make("Alice", userName: id.raw)
        let session = try await byID.users.login(identity: id.raw, password: alice.password)
        let outcome = await byID.users.logout()
        let gone = await (try byID.again()).users.resume()

        guard case .valid(let again) = resumed else {
            Issue.record("\(resumed)")
            return
        }
        #expect(again.user == User(id: 0, name: "Alice", email: nil, chatID: id))
        #expect(id.localPart == alice.userName)
        #expect(session.user.name == "Alice")
        #expect(session.userToken.refreshToken != nil)
        #expect(outcome == .complete)
        #expect(gone == .none)
        let dead = MatrixUsers(
            connection: try connection(), clock: alice.environment.clock)
        await #expect(throws: UsersError.unauthenticated) { try await dead.currentUser(session.userToken) }
        Interoperability.note("sign up, log in by user name and by id, resume, log out", "works")
    }

    private func connection() throws -> ServerConnection {
        ServerConnection(
            endpoint: FixedEndpoint(try #require(Synapse.url), kind: .matrix),
            transport: URLSessionTransport(environment: .live()))
    }

    @Test("a name that is taken, one that is none, and a wrong password are told as that")
    func refusals() async throws {
        let alice = try await Person.newcomer("Alice")
        let other = try Person.make("Other")

        await #expect {
            try await other.users.signup(name: "Other", email: alice.userName.uppercased(), password: other.password)
        } throws: { error in
            guard case .invalid(_, let fields)? = error as? UsersError else { return false }
            return fields == ["email": ["There is an account with this user name already."]]
        }
        await #expect {
            try await other.users.signup(name: "Other", email: "not a name", password: other.password)
        } throws: { error in
            guard case .invalid(_, let fields)? = error as? UsersError else { return false }
            return fields.keys.first == "email"
        }
        for identity in [alice.userName, "nobody-\(alice.userName)"] {
            await #expect(throws: UsersError.wrongCredentials("The user name or the password is wrong")) {
                try await other.users.login(identity: identity, password: Secret("wrong-password"))
            }
        }
    }

    @Test("tokens are renewed, a lost answer is asked for again, and a refresh token is good once")
    func refresh() async throws {
        let alice = try await Person.newcomer("Alice")
        let users = MatrixUsers(connection: try connection(), clock: alice.environment.clock)
        let first = try await users.login(identity: alice.userName, password: alice.password)

        let lost = try await users.refresh(first)
        let second = try await users.refresh(first)
        let me = try await users.currentUser(second)

        #expect(Set([first, lost, second].map(\.accessToken)).count == 3)
        #expect(me.chatID == (try await alice.id))
        await #expect(throws: UsersError.unauthenticated) { try await users.refresh(first) }
        Interoperability.note("renew tokens, also after a lost answer", "works")
    }

    @Test("a token that the server no longer knows is renewed while the chat goes on, with no login")
    func renewal() async throws {
        let alice = try await Person.newcomer("Alice")
        let bob = try await Person.newcomer("Bob")
        let contact = try await alice.users.addContact(bob.userName)
        await alice.settle()
        // What the app holds is renewed behind its back: its own access token dies as soon as the new one is used.
        let stored = SessionStore(home: alice.folder.url.appendingPathComponent("home"), clock: alice.environment.clock)
        let identity = try Synapse.address().url.absoluteString
        let kept = try #require(try stored.session(at: identity, of: .matrix)).1
        let users = MatrixUsers(connection: try connection(), clock: alice.environment.clock)
        let renewed = try await users.refresh(kept.userToken)
        var changed = kept
        changed.userToken = renewed
        changed.chatToken = try await users.chatToken(renewed)
        let key = SessionKey(endpoint: identity, kind: .matrix)
        try await stored.locked(failure: { $0 }) { [changed] held throws(SessionStore.Failure) in
            try held.save(changed, for: key)
        }

        try await alice.chat.send("still here", to: contact.room.id)
        await alice.settle()

        #expect(try await alice.room(contact.room.id).timeline.outgoing.isEmpty)
        #expect(try await alice.bodies(contact.room.id).last == "still here")
    }

    @Test("name and password are changed; the old password and all other sessions are worth nothing then")
    func changes() async throws {
        let alice = try await Person.newcomer("Alice")
        let other = try Person.make("Alice", userName: alice.userName)
        _ = try await other.login()

        let renamed = try await alice.users.rename(to: "Alice Liddell")
        await #expect(
            throws: UsersError.invalid(message: "", fields: ["current_password": ["This is not the current password."]])
        ) { try await alice.users.changePassword(current: Secret("wrong-one"), new: Secret("another-secret")) }
        try await alice.users.changePassword(current: alice.password, new: Secret("another-secret"))

        #expect(renamed.name == "Alice Liddell")
        #expect(await (try other.again()).users.resume() == .ended)
        await #expect(throws: UsersError.self) { try await other.login() }
        #expect(try await alice.users.contacts() == [])
        let session = try await other.users.login(identity: alice.userName, password: Secret("another-secret"))
        #expect(session.user.name == "Alice Liddell")
        Interoperability.note("change the display name and the password", "works; other sessions end")
    }

    @Test("people are added by name, by id and by what the user directory finds; those who are not there are not")
    func people() async throws {
        let alice = try await Person.newcomer("Alice")
        let bob = try await Person.newcomer("Robert \(alice.userName)", userName: "bob-of-\(alice.userName)")
        let cy = try await Person.newcomer("Cy")

        let found = try await alice.users.addContact("robert \(alice.userName)")
        let named = try await alice.users.addContact(try await cy.id.raw)
        await alice.settle()
        await bob.settle()
        await alice.settle()

        #expect(found.user.chatID == (try await bob.id))
        #expect(named.user.chatID == (try await cy.id))
        let contacts = try await bob.users.contacts()
        #expect(contacts.map(\.user.name) == ["Alice"])
        #expect(contacts.map(\.room.id) == [found.room.id])
        for nobody in ["@nobody-\(alice.userName):localhost", "nobody-\(alice.userName)"] {
            await #expect(throws: UsersError.refused("Nobody here has this address or id.")) {
                try await alice.users.addContact(nobody)
            }
        }
        await #expect(throws: UsersError.refused("This person is among your contacts already.")) {
            try await alice.users.addContact(bob.userName)
        }
        Interoperability.note(
            "contacts as direct chats (`m.direct`, on both sides), by user name, id and user directory", "works")
    }
}
