import Models
import Testing
import Workers

@testable import Scenes

@MainActor
@Suite("ListContactsInteractor: what is asked for")
struct ListContactsCommandsTests {
    private let scene = ListContactsScene()
    private let bob = Fixture.bob.chatID
    private let cy = Fixture.cy.chatID
    private let people: [UserID: RemoteText] = [Fixture.alice.chatID: "Alice", Fixture.bob.chatID: "Bob"]

    private var presented: [ListContactsPresenterSpy.Call] { scene.presenter.calls }

    @Test("refreshing shows the list as a whole and then how it ended")
    func refresh() async {
        await scene.start()
        scene.users.lists = [.success([ListContactsScene.bob, ListContactsScene.cy])]

        await scene.interactor.fetchContacts(request: .init())

        #expect(
            presented == [.contacts([bob, cy], isLoading: false, isReload: true), .fetch(.init(error: nil))])
    }

    @Test("a refresh that fails says so")
    func refreshFails() async {
        await scene.start()
        scene.users.lists = [.failure(.network(.timedOut))]

        await scene.interactor.fetchContacts(request: .init())

        #expect(presented == [.fetch(.init(error: .network(.timedOut)))])
    }

    @Test("adding folds the address, tells the new contact once and keeps the room")
    func add() async {
        await scene.start()
        scene.users.added = .success(ListContactsScene.cy)

        await scene.interactor.addContact(request: .init(identity: " Cy@Words.TEST "))

        #expect(scene.users.calls == [.addContact("cy@words.test")])
        #expect(
            presented == [
                .event(.added, cy), .contacts([bob, cy], isLoading: false, isReload: false),
                .create(.init(identity: "cy@words.test", roomID: ListContactsScene.cy.room.id)),
            ])
    }

    @Test("the news of a contact added here brings no second event, before or after the answer")
    func addAndNews() async {
        await scene.start()
        scene.users.added = .success(ListContactsScene.cy)
        scene.users.lists = [.success([ListContactsScene.bob, ListContactsScene.cy])]
        scene.users.meanwhile = { [scene] call in
            guard case .addContact = call else { return }
            await scene.chat.publish(Fixture.state([Fixture.room(with: Fixture.bob)]), [.contacts])
            await scene.time.settle()
        }

        await scene.interactor.addContact(request: .init(identity: "cy@words.test"))
        await scene.chat.publish(Fixture.state([Fixture.room(with: Fixture.bob)]), [.contacts])
        await scene.time.settle()

        #expect(presented.filter { $0 == .event(.added, cy) }.count == 1)
        #expect(!presented.contains(.event(.addedAgain, cy)))
    }

    @Test("that somebody comes in right after they were added is no news; later it is", arguments: [0, 29, 31])
    func comesIn(seconds: Int) async {
        await scene.start()
        scene.users.added = .success(ListContactsScene.cy)
        scene.users.lists = [.success([ListContactsScene.bob, ListContactsScene.cy])]
        let rooms = [Fixture.room(with: Fixture.bob), Fixture.room(with: Fixture.cy, membership: .invite)]
        await scene.interactor.addContact(request: .init(identity: "cy@words.test"))
        await scene.chat.publish(Fixture.state(rooms), [.contacts])
        await scene.time.settle()

        await scene.time.advance(.seconds(seconds))
        await scene.chat.publish(
            Fixture.state([Fixture.room(with: Fixture.bob), Fixture.room(with: Fixture.cy)]), [.room(rooms[1].id)])
        await scene.time.settle()

        #expect(presented.contains(.event(.joined, cy)) == (seconds > 30))
    }

    @Test("a list asked for before the adding does not take the contact away again")
    func staleList() async {
        await scene.start()
        scene.users.added = .success(ListContactsScene.cy)
        scene.users.lists = [
            .success([ListContactsScene.bob]), .success([ListContactsScene.bob, ListContactsScene.cy]),
        ]
        scene.users.meanwhile = { [scene] call in
            guard call == .contacts, scene.users.calls.count == 1 else { return }
            await scene.interactor.addContact(request: .init(identity: "cy@words.test"))
        }

        await scene.interactor.fetchContacts(request: .init())

        #expect(!presented.contains(.event(.removed, cy)))
        #expect(scene.interactor.contacts == [ListContactsScene.bob, ListContactsScene.cy])
    }

    @Test("somebody who was a contact before is added again")
    func addAgain() async {
        await scene.start()
        scene.users.added = .success(ListContactsScene.bob)

        await scene.interactor.addContact(request: .init(identity: "@bob:words.test"))

        #expect(presented.first == .event(.addedAgain, bob))
    }

    @Test("the server's refusal to add is passed on as it is")
    func addRefused() async {
        let refusal = UsersError.invalid(message: "Invalid.", fields: ["user_id": ["That is you."]])
        await scene.start()
        scene.users.added = .failure(refusal)

        await scene.interactor.addContact(request: .init(identity: "alice@words.test"))

        #expect(presented == [.create(.init(identity: "alice@words.test", fault: .users(refusal)))])
    }

    @Test("nothing to add is refused without asking the server")
    func addNothing() async {
        await scene.start()

        await scene.interactor.addContact(request: .init(identity: " "))

        #expect(presented == [.create(.init(identity: "", fault: .missing))])
        #expect(scene.users.calls.isEmpty)
    }

    @Test("a removed contact goes, told once, though an older list still has them")
    func remove() async {
        await scene.start()

        await scene.interactor.removeContact(request: .init(who: "bob"))

        #expect(scene.users.calls == [.removeContact(bob)])
        #expect(
            presented == [
                .event(.removed, bob), .contacts([], isLoading: false, isReload: false),
                .remove(.init(chosen: .found(bob, Fixture.room, people: people))),
            ])
    }

    @Test("a removal that fails changes nothing")
    func removeFails() async {
        await scene.start()
        scene.users.failure = .network(.unreachable)

        await scene.interactor.removeContact(request: .init(who: "1"))

        #expect(
            presented == [
                .remove(
                    .init(chosen: .found(bob, Fixture.room, people: people), error: .network(.unreachable)))
            ])
        #expect(scene.interactor.contacts == [ListContactsScene.bob])
    }

    @Test("nobody is removed by a name that nobody has")
    func removeNobody() async {
        await scene.start()

        await scene.interactor.removeContact(request: .init(who: "Eve"))

        #expect(presented == [.remove(.init(chosen: .nobody("Eve")))])
        #expect(scene.users.calls.isEmpty)
    }

    @Test("a contact is blocked by name, a stranger by id, and either can be let again")
    func block() async {
        await scene.start()

        await scene.interactor.block(request: .init(who: "Bob"))
        await scene.interactor.block(request: .init(who: "@eve:words.test", isBlocking: false))

        #expect(scene.users.calls == [.block(bob), .unblock(UserID("@eve:words.test"))])
        #expect(
            presented == [
                .block(.init(chosen: .found(bob, Fixture.room, people: people), isBlocking: true)),
                .block(
                    .init(chosen: .found(UserID("@eve:words.test"), nil, people: people), isBlocking: false)),
            ])
    }

    @Test("namesakes are told with their ids and neither is blocked")
    func blockAmbiguous() async {
        let other = Fixture.user("bob2", name: "BOB")
        scene.users.lists = [.success([ListContactsScene.bob, Fixture.contact(other)])]
        await scene.start()

        await scene.interactor.block(request: .init(who: "Bob"))

        #expect(
            presented == [.block(.init(chosen: .ambiguous("Bob", [other.chatID, bob]), isBlocking: true))])
        #expect(scene.users.calls.isEmpty)
    }

    @Test("the chosen contact is kept for the chatroom")
    func select() async {
        await scene.start()

        await scene.interactor.selectContact(request: .init(who: "1"))

        #expect(presented == [.select(.init(chosen: .found(bob, Fixture.room, people: people)))])
        #expect(scene.interactor.selectedContact == ListContactsScene.bob)
    }

    @Test("one's new name is as the server keeps it, and shows in the list")
    func rename() async {
        await scene.start()
        scene.users.renamed = .success(Fixture.user("alice", name: "Alice L.", number: 1))

        await scene.interactor.rename(request: .init(name: " Alice L. "))

        #expect(scene.users.calls == [.rename("Alice L.")])
        #expect(presented.last == .rename(.init(name: "Alice L.")))
        #expect(scene.presenter.contacts?.own.name == "Alice L.")
        #expect(scene.interactor.session?.user.name == "Alice L.")
    }

    @Test("a name of nothing is refused without asking the server")
    func renameNothing() async {
        await scene.start()

        await scene.interactor.rename(request: .init(name: ""))

        #expect(presented == [.rename(.init(fault: .unfit(.missing)))])
        #expect(scene.users.calls.isEmpty)
    }

    @Test("a new password is checked here before it is sent")
    func changePassword() async {
        let current = Secret("secret-one")
        await scene.start()

        await scene.interactor.changePassword(request: .init(current: current, new: Secret("12345")))
        await scene.interactor.changePassword(request: .init(current: current, new: Secret("secret-two")))

        #expect(scene.users.calls == [.changePassword(current: current, new: Secret("secret-two"))])
        #expect(
            presented == [
                .changePassword(.init(fault: .unfit(.length(6...1_024)))), .changePassword(.init(fault: nil)),
            ])
    }

    @Test("a wrong current password is told and the session goes on")
    func wrongPassword() async {
        await scene.start()
        scene.users.failure = .wrongCredentials("Wrong.")

        await scene.interactor.changePassword(request: .init(current: Secret("x"), new: Secret("secret-two")))

        #expect(presented == [.changePassword(.init(fault: .users(.wrongCredentials("Wrong."))))])
    }

    @Test(
        "any request that finds the session refused leads to Login and nothing else",
        arguments: [
            (UsersError.unauthenticated, Login.Reason.sessionEnded), (.expired, .sessionExpired),
        ])
    func unauthenticated(_ error: UsersError, _ reason: Login.Reason) async {
        await scene.start()
        scene.users.failure = error

        await scene.interactor.block(request: .init(who: "Bob"))

        #expect(presented == [.sessionEnd(reason)])
    }

    @Test("so does the list, asked for once more, that finds it run out")
    func fetchExpired() async {
        await scene.start()
        scene.users.lists = [.failure(.expired)]

        await scene.interactor.fetchContacts(request: .init())

        #expect(presented == [.sessionEnd(.sessionExpired)])
    }

    @Test("logging out asks first, and says what would be lost")
    func logoutAsks() async {
        await scene.start()
        let timeline = Timeline(outgoing: [
            Fixture.outgoing(1, .waiting), Fixture.outgoing(2, .sent(EventID("$1"))),
            Fixture.outgoing(3, .failed(.tooLarge)),
        ])
        await scene.chat.publish(Fixture.state([Fixture.room(with: Fixture.bob, timeline: timeline)]), [])
        scene.presenter.calls = []

        await scene.interactor.logout(request: .init())

        #expect(presented == [.logout(.confirm(unsent: 2))])
        #expect(scene.users.calls.isEmpty)
    }

    @Test(
        "confirmed, the chat says goodbye before the session ends",
        arguments: [
            LogoutOutcome.complete, .localOnly,
        ])
    func logoutConfirmed(_ outcome: LogoutOutcome) async {
        await scene.start()
        scene.users.loggedOut = outcome

        await scene.interactor.logout(request: .init())
        await scene.interactor.confirmLogout(request: .init())

        #expect(presented == [.logout(.confirm(unsent: 0)), .logout(.loggedOut(outcome))])
        #expect(scene.chat.calls == [.disconnect])
        #expect(scene.users.calls == [.logout])
        #expect(!scene.chat.isListenedTo)
    }

    @Test("cancelled, all goes on, and confirming later does nothing")
    func logoutCancelled() async {
        await scene.start()

        await scene.interactor.logout(request: .init())
        await scene.interactor.cancelLogout(request: .init())
        await scene.interactor.confirmLogout(request: .init())
        await scene.interactor.cancelLogout(request: .init())

        #expect(
            presented == [
                .logout(.confirm(unsent: 0)), .logout(.cancelled), .logout(.notAsked), .logout(.notAsked),
            ])
        #expect(scene.users.calls.isEmpty)
    }
}
